// Numbers and times as people read them.

const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

export function formatSize(bytes: number): string {
  const power = bytes < 1 ? 0 : Math.min(UNITS.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${UNITS[power]}`
}

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const DATE = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const DATE_AND_TIME = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' })

/** A time of the past as people say it, a date after a week; both times are seconds since 1970. */
export function formatAge(time: number, now: number): string {
  const age = now - time
  // Clocks differ by some seconds.
  if (age < -MINUTE || age >= 7 * DAY) return DATE.format(time * 1000)
  if (age < MINUTE) return 'just now'
  if (age < HOUR) return `${Math.floor(age / MINUTE)} min ago`
  if (age < DAY) return `${Math.floor(age / HOUR)} h ago`
  const days = Math.floor(age / DAY)
  return days === 1 ? '1 day ago' : `${days} days ago`
}

/** A time that something takes, as people say it. */
export function formatDuration(seconds: number): string {
  if (seconds < MINUTE) return 'less than 1 min'
  const minutes = Math.round(seconds / MINUTE)
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** The whole time, in the time zone of the reader. */
export function formatTime(seconds: number): string {
  return DATE_AND_TIME.format(seconds * 1000)
}

/** The number of files that are read as one domain; `joined`: of these by now. */
export function formatMadeOf(files: number, joined?: number): string {
  const all = files === 1 ? '1 file' : `${files.toLocaleString('en')} files`
  return joined === undefined ? `made of ${all}` : `made of ${joined.toLocaleString('en')} of ${all} so far`
}
