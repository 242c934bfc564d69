// The choice of a colour map, each of which is shown with its colours. Its maps are those of the service
// (packages/meaning/colour-maps.ts).

import { COLOUR_MAPS, type ColourMap, INTERPOLATORS } from '@hyperslab/meaning/colour-maps'
import { useId } from 'react'
import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import { PALETTE } from '../models/palette.ts'
import type { Colours } from './tools.ts'

const RECOMMENDED: readonly string[] = [
  'Viridis',
  'Inferno',
  'Greys',
  'RdBu',
  'Rainbow',
  'Sinebow',
] satisfies ColourMap[]

const GROUPS: readonly (readonly [name: string, maps: readonly string[]])[] = [
  ['Recommended', RECOMMENDED],
  ...Object.entries(COLOUR_MAPS).map(
    ([name, maps]) => [name, Object.keys(maps).filter(map => !RECOMMENDED.includes(map))] as const,
  ),
]

interface ColourMapToolProps extends Colours {
  /** Whether the file has colours for the numbers. */
  readonly hasPalette: boolean
  readonly choose: (map: string) => void
  /** Undefined: the colours have no other direction. */
  readonly invert: (() => void) | undefined
}

export function ColourMapTool({ value, hasPalette, isInverted, choose, invert }: ColourMapToolProps) {
  const name = useId()
  const groups = hasPalette ? [['Of the file', [PALETTE]] as const, ...GROUPS] : GROUPS
  return (
    <Popup
      label={`Colours: ${value}`}
      title="Colours"
      face={
        <>
          <Gradient map={value} isInverted={isInverted} />
          <span className="wide">{value}</span>
          <Icon name="down" />
        </>
      }
    >
      <div className="colour-maps">
        {invert ? (
          <label className="tool">
            <input type="checkbox" checked={isInverted} onChange={invert} /> Inverted
          </label>
        ) : null}
        {groups.map(([group, maps]) => (
          <fieldset key={group}>
            <legend>{group}</legend>
            {maps.map(map => (
              <label key={map} className="colour-map">
                <input
                  type="radio"
                  className="hidden"
                  name={name}
                  checked={map === value}
                  onChange={() => choose(map)}
                />
                <Gradient map={map} isInverted={isInverted} />
                {map}
              </label>
            ))}
          </fieldset>
        ))}
      </div>
    </Popup>
  )
}

const STOPS = 16

function Gradient({ map, isInverted }: { readonly map: string; readonly isInverted: boolean }) {
  const interpolate = INTERPOLATORS[map as ColourMap]
  if (!interpolate) return null
  const colours = Array.from({ length: STOPS + 1 }, (_, i) => interpolate(i / STOPS))
  const backgroundImage = `linear-gradient(${isInverted ? -90 : 90}deg, ${colours.join()})`
  return <span className="gradient" style={{ backgroundImage }} />
}
