// The dimensions of a dataset above its drawing: which of them are axes, and the index of each of the others.

import { AxisSlider } from './AxisSlider.tsx'
import { withUse } from './data/slice.ts'
import type { Axis } from './meaning/axes.ts'
import type { DimensionUse } from './view-address.ts'

export interface DimensionsProps {
  readonly dimensions: readonly Axis[]
  readonly uses: readonly DimensionUse[]
  readonly axes: readonly ('x' | 'y')[]
  readonly change: (uses: readonly DimensionUse[]) => void
}

export function Dimensions({ dimensions, uses, axes, change }: DimensionsProps) {
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
