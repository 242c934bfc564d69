// The choice between the end of a dataset that grows and the part that is shown now, and how many of its last elements
// are shown.

import { Choice } from './Choice.tsx'
import { chosenNumber, type FollowFacts, followModel } from './plots/models/follow.ts'
import type { View } from './view-address.ts'
import { useViewer } from './viewer-context.ts'

export interface FollowProps extends Omit<FollowFacts, 'isLive'> {
  readonly change: (choices: Partial<View>) => void
}

export function Follow({ change, ...facts }: FollowProps) {
  const { isLive } = useViewer()
  const follow = followModel({ ...facts, isLive })
  if (follow === undefined) return null
  return (
    <>
      <button
        type="button"
        aria-label="Follow the end"
        aria-pressed={follow.isOn}
        title={follow.title}
        onClick={() => change(follow.toggled)}
      >
        Follow
      </button>
      {follow.numbers ? (
        <Choice
          label="Show"
          value={follow.number}
          options={follow.numbers}
          choose={number => change(chosenNumber(number))}
        />
      ) : null}
    </>
  )
}
