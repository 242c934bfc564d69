// The choice of a colour map. Its maps are those of the service (packages/meaning/colour-maps.ts).

import { type ColorMap, ColorMapGradient, Selector, ToggleBtn } from '@h5web/lib'
import { COLOUR_MAPS, type ColourMap } from '@hyperslab/meaning/colour-maps'

import { PALETTE } from '../models/palette.ts'

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
  /** Whether the file has colours for the numbers. */
  readonly hasPalette: boolean
  readonly isInverted: boolean
  readonly choose: (map: string) => void
  /** Undefined: the colours have no other direction. */
  readonly invert: (() => void) | undefined
}

export function ColourMapTool({ value, hasPalette, isInverted, choose, invert }: ColourMapToolProps) {
  return (
    <>
      <Selector
        value={value}
        onChange={choose}
        options={hasPalette ? { 'Of the file': [PALETTE], ...GROUPS } : GROUPS}
        renderOption={map => (
          <div className="colour-map">
            {map} {map === PALETTE ? null : <ColorMapGradient colorMap={map as ColorMap} />}
          </div>
        )}
      />
      {invert ? <ToggleBtn small label="Invert" value={isInverted} onToggle={invert} /> : null}
    </>
  )
}
