// The steps of one read or write of the store, which a caller may ask for.

/** The keys and bytes that a step read or wrote. */
export interface StepFigures {
  readonly keys?: number
  readonly bytes?: number
  readonly note?: string
}

/** Takes the steps of one request, in the order of their ends. Times are milliseconds since some moment. */
export interface Trace {
  now(): number
  /** Notes a step that began at `start` and ends now. */
  add(name: string, start: number, figures?: StepFigures): void
}
