// The requests that are being answered, as administrators read them.

import type { Api } from '@hyperslab/client'
import type { OwnRow } from '../account/own-lists.ts'
import { formatDuration, formatSize } from '../common/format.ts'

export type RunningRequest = Api.RequestList['requests'][number]

const STATES: Readonly<Record<RunningRequest['state'], string>> = {
  'queued-for-slot': 'waits for its turn',
  'queued-for-memory': 'waits for memory',
  receiving: 'receives its body',
  working: 'works',
  streaming: 'sends its answer',
  listening: 'listens to changes',
}

const MINUTE = 60

function ageOf(seconds: number): string {
  return seconds < MINUTE ? `${Math.round(seconds)} s` : formatDuration(seconds)
}

export function rowOf(request: RunningRequest): OwnRow {
  const { id, method, operation, path, user, address, state, seconds, received, sent, domain } = request
  const transfers = [
    ...(received > 0 ? [`${formatSize(received)} received`] : []),
    ...(sent > 0 ? [`${formatSize(sent)} sent`] : []),
  ]
  const what = operation ?? `${method} ${path}`
  return {
    id,
    title: `${what}${domain === undefined ? '' : ` of ${domain}`}`,
    hint: `${method} ${path}`,
    badges: [{ text: STATES[state] }, { text: ageOf(seconds) }],
    sentence: [[`by ${user ?? 'a caller without a login'} from ${address}`, ...transfers].join(' · ')],
    ending: {
      text: 'End',
      label: `End ${what} of ${user ?? address}`,
      consequence: 'Its connection is closed and its work stops. What it has committed stays.',
    },
  }
}
