// A time as people say it; the whole time is its title.

import { formatAge, formatTime } from './format.ts'

/** `time` and `now` are seconds since 1970. */
export function Age({ time, now = Date.now() / 1000 }: { readonly time: number; readonly now?: number }) {
  return (
    <time dateTime={new Date(time * 1000).toISOString()} title={formatTime(time)}>
      {formatAge(time, now)}
    </time>
  )
}
