// The choice between the end of a dataset that grows and the part that is shown now, and how many of its last elements
// are shown.

import { Choice } from './Choice.tsx'
import type { Plot } from './data/plot.ts'
import type { DimensionUse, View } from './view-address.ts'
import { useViewer } from './viewer-context.ts'

export interface FollowProps {
  readonly plot: Plot
  readonly uses: readonly DimensionUse[]
  readonly view: View
  /** The part in sight, while the end is followed. */
  readonly zoom?: View['zoom']
  readonly change: (choices: Partial<View>) => void
}

const NUMBERS = [50, 100, 500, 1000, 5000, 10_000, 100_000]

export function Follow({ plot, uses, view, zoom, change }: FollowProps) {
  const { isLive } = useViewer()
  if (!isLive || !canGrow(plot)) return null
  const isFollowed = view.isFollowed ?? false
  const { last } = view
  const numbers = last === undefined || NUMBERS.includes(last) ? NUMBERS : [...NUMBERS, last]
  const isAxis = typeof uses[0] === 'string'
  /** What is in sight stays there. */
  const stay = (): Partial<View> => ({
    isFollowed: undefined,
    last: undefined,
    ...(zoom && { zoom }),
    ...(!isAxis && { slice: uses }),
  })
  return (
    <div className="follow">
      <button
        type="button"
        className="copy"
        aria-pressed={isFollowed}
        title={isAxis ? 'The newest elements stay in sight.' : 'The newest frame stays in sight.'}
        onClick={() => change(isFollowed ? stay() : { isFollowed: true })}
      >
        Follow the end
      </button>
      {isFollowed && isAxis ? (
        <Choice
          label="Show"
          value={String(last ?? 'all')}
          options={[
            ['all', 'all'],
            ...[...numbers]
              .sort((one, other) => one - other)
              .map(number => [String(number), `the last ${number.toLocaleString('en')}`] as const),
          ]}
          choose={choice => change({ last: choice === 'all' ? undefined : Number(choice), zoom: undefined })}
        />
      ) : null}
    </div>
  )
}

/** Whether the first dimension of what is drawn can become longer. */
function canGrow({ signal: { object } }: Plot): boolean {
  if (object.class !== 'dataset' || object.shape.class !== 'H5S_SIMPLE') return false
  const [most, extent = 0] = [object.shape.maxdims?.[0], object.shape.dims[0]]
  return most === 0 || (most !== undefined && most > extent)
}
