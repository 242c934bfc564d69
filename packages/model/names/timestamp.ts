// Times of the model: whole microseconds since the epoch, UTC. Microseconds, because two changes made one after
// the other must have different times (hsds-objects 1.8), and they stay exact in a double until the year 2255.

/** Whole microseconds since 1970-01-01T00:00:00Z. */
export type Timestamp = number
