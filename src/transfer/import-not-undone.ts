// An import that left something behind. In a file of its own: every command knows this error, and few commands import.

/** An import has failed, and so has the removal of what it had written: an error for each. */
export class ImportNotUndone extends AggregateError {
  constructor(errors: readonly unknown[]) {
    super(errors, errors.map(error => (error instanceof Error ? error.message : String(error))).join('; '))
  }
}
