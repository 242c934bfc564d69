// The program `hyperslab`: the declarations of all commands.

import { Command } from 'commander'
import { buildVersion } from '../package-version.ts'
import { addAclCommands, addOwnerCommand, addQuotaCommands } from './access-commands.ts'
import { addGroupCommands, addUserCommands } from './account-commands.ts'
import { addCompletionCommand } from './completion.ts'
import { addChangeCommands, addReadCommands } from './data-commands.ts'
import { addServeCommands } from './serve-commands.ts'
import { addStoreCommands } from './store-commands.ts'
import { addTokenCommands } from './token-commands.ts'
import { addWatchCommands } from './watch-commands.ts'

/** A new one for each run: it keeps the options that it has parsed. */
export function createProgram(): Command {
  const program = new Command('hyperslab')
    .description('Serves hierarchical array data: the HDF5 data model over HTTP and JSON.')
    .version(buildVersion())
    .showHelpAfterError('(see --help)')
    // A wrong command ends with exit code 2, because 1 means that a command failed. Subcommands inherit this.
    .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))
  addServeCommands(program)
  addReadCommands(program)
  addChangeCommands(program)
  addAclCommands(program)
  addOwnerCommand(program)
  addQuotaCommands(program)
  addStoreCommands(program)
  addUserCommands(program)
  addGroupCommands(program)
  addTokenCommands(program)
  addWatchCommands(program)
  addCompletionCommand(program)
  return program
}
