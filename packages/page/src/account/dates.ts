// Dates as fields of forms and the service have them.

const DAY_MS = 86_400_000

/** The date of a day from now on, such as 2027-01-31, in UTC as the service reads it. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10)
}
