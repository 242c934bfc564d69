// The dimensions of a dataset above its drawing: which of them are its axes, and the index of each of the others.

import { Icon } from '../common/Icon.tsx'
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
  const choose = (d: number, use: DimensionUse) => change(withUse(uses, d, use))
  return (
    <fieldset className="dimensions" aria-label="Dimensions">
      {axes.map(axis => (
        <label key={axis} className="tool">
          {axis}{' '}
          <select
            aria-label={`Dimension along ${axis}`}
            value={uses.indexOf(axis)}
            onChange={event => choose(Number(event.target.value), axis)}
          >
            {dimensions.map(({ name }, d) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: names of dimensions may be the same
              <option key={d} value={d}>
                {name}
              </option>
            ))}
          </select>
        </label>
      ))}
      {dimensions.map((dimension, d) => {
        const index = uses[d] ?? 0
        if (typeof index !== 'number') return null
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: names of dimensions may be the same
          <div className="tool" key={d}>
            <AxisSlider axis={dimension} index={index} onChange={next => choose(d, next)} />
            {playing?.dimension === d ? <Play {...playing} name={dimension.name} /> : null}
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
        className="quiet"
        aria-label="Play"
        aria-pressed={isOn}
        title="The keys , and . go to the frame before and after, P plays."
        onClick={toggle}
      >
        <Icon name={isOn ? 'pause' : 'play'} />
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
