// The error of an import that could not be undone. It has a file of its own because every command knows it, and few
// commands import.

/** An import has failed, and so has the removal of its parts; it has both errors. */
export class ImportNotUndone extends AggregateError {
  constructor(errors: readonly unknown[]) {
    const messages = new Set(errors.map(error => (error instanceof Error ? error.message : String(error))))
    super(errors, [...messages].join('; '))
  }
}
