// Times of the model: whole microseconds since the epoch, UTC. Microseconds, because two changes made one after
// the other must have different times (contract 20, 1.8), and they stay exact in a double until the year 2255.

/** Whole microseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number

/** `2015-03-01T08:00:00Z`: ISO 8601, whole seconds, 20 characters (specification 2; contract 10, 3.6). */
export function formatIsoSeconds(time: Timestamp): string {
  return `${new Date(Math.floor(time / 1000)).toISOString().slice(0, 19)}Z`
}

/** Seconds since the epoch with six decimals, as a number (contract 20, 1.8). */
export function toEpochSeconds(time: Timestamp): number {
  return time / 1e6
}
