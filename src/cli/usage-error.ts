/** What the user of the command can put right; shown as one line without a stack. The command ends with `exitCode`. */
export class UsageError extends Error {
  readonly exitCode: number

  constructor(message: string, exitCode = 2) {
    super(message)
    this.name = 'UsageError'
    this.exitCode = exitCode
  }
}
