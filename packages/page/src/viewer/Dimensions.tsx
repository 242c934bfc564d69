// The dimensions of a dataset above its drawing: which of them are axes, and the index of each of the others.

import { AxisSlider } from './AxisSlider.tsx'
import { withUse } from './data/slice.ts'
import { type Playing, RATES } from './data/use-frames.ts'
import type { Axis } from './meaning/axes.ts'
import type { DimensionUse } from './view-address.ts'

export interface DimensionsProps {
  readonly dimensions: readonly Axis[]
  readonly uses: readonly DimensionUse[]
  readonly axes: readonly ('x' | 'y')[]
  readonly change: (uses: readonly DimensionUse[]) => void
  /** Absent: there are no frames to go through. */
  readonly playing?: Playing | undefined
}

export function Dimensions({ dimensions, uses, axes, change, playing }: DimensionsProps) {
  // Two dimensions can still be exchanged.
  if (dimensions.length <= axes.length && axes.length < 2) return null
  return (
    <fieldset className="dimensions" aria-label="Dimensions">
      {dimensions.map((dimension, d) => {
        const use = uses[d] ?? 0
        const choose = (next: DimensionUse) => change(withUse(uses, d, next))
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of dimensions may be the same
          <div className="dimension" key={d}>
            {typeof use === 'number' ? (
              <AxisSlider axis={dimension} index={use} onChange={choose} />
            ) : (
              <span title={dimension.label}>
                <strong>{dimension.name}</strong>{' '}
                <span className="dimension-text">{dimension.length.toLocaleString('en')}</span>
              </span>
            )}
            {playing?.dimension === d ? <Play {...playing} name={dimension.name} /> : null}
            <span className="dimension-axes">
              {axes.map(axis => (
                <button
                  type="button"
                  key={axis}
                  aria-pressed={use === axis}
                  aria-label={`${dimension.name} along ${axis}`}
                  onClick={() => choose(axis)}
                >
                  {axis}
                </button>
              ))}
            </span>
          </div>
        )
      })}
    </fieldset>
  )
}

/** The button that goes through the frames, and how fast. */
function Play({ isOn, toggle, rate, setRate, name }: Playing & { readonly name: string }) {
  return (
    <>
      <button
        type="button"
        className="copy"
        aria-pressed={isOn}
        title="The keys , and . go to the frame before and after, P plays."
        onClick={toggle}
      >
        {isOn ? 'Stop' : 'Play'}
      </button>
      {isOn ? (
        <select
          aria-label={`Elements of ${name} a second`}
          value={rate}
          onChange={event => setRate(event.target.value as typeof rate)}
        >
          {RATES.map(one => (
            <option key={one} value={one}>
              {one} / s
            </option>
          ))}
        </select>
      ) : null}
    </>
  )
}
