// The choice of a colour map. Its maps are those of the service (packages/meaning/colour-maps.ts).

import { type ColorMap, ColorMapGradient, Selector, ToggleBtn } from '@h5web/lib'
import { COLOUR_MAPS, type ColourMap } from '@hyperslab/meaning/colour-maps'

const GROUPS = {
  Recommended: [
    'Viridis',
    'Inferno',
    'Greys',
    'RdBu',
    'Rainbow',
    'Sinebow',
  ] satisfies ColourMap[] as string[],
  ...Object.fromEntries(Object.entries(COLOUR_MAPS).map(([group, maps]) => [group, Object.keys(maps)])),
}

interface ColourMapToolProps {
  readonly value: string
  readonly isInverted: boolean
  readonly choose: (map: string) => void
  readonly invert: () => void
}

export function ColourMapTool({ value, isInverted, choose, invert }: ColourMapToolProps) {
  return (
    <>
      <Selector
        value={value}
        onChange={choose}
        options={GROUPS}
        renderOption={map => (
          <div className="colour-map">
            {map} <ColorMapGradient colorMap={map as ColorMap} />
          </div>
        )}
      />
      <ToggleBtn small label="Invert" value={isInverted} onToggle={invert} />
    </>
  )
}
