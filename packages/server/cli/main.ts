// The command `hyperslab`: parses its arguments and runs the subcommand. An error that the user can correct is printed
// as one line.

import { createProgram } from './program/program.ts'
import { exitCodeOf, foreseen } from './usage-error.ts'

try {
  await createProgram().parseAsync()
} catch (error) {
  const message = foreseen(error)
  if (message === undefined) throw error
  process.stderr.write(`hyperslab: ${message}\n`)
  process.exitCode = exitCodeOf(error)
  // The channel to the supervisor of a worker would keep it alive.
  if (process.connected) process.exit()
}
