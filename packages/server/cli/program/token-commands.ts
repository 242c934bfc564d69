// The declarations of commands for tokens: of all users of a store, or of the user of the command at a running service.

import type { Command } from 'commander'
import { audited } from '../audit-command.ts'
import { endpointOf, type ServiceOptions } from '../commands/service.ts'
import type { NewTokenOptions } from '../tokens.ts'
import { UsageError } from '../usage-error.ts'
import type { ListedAsOptions } from '../users.ts'
import { examples } from './examples.ts'
import { settingsOf, withService } from './with-settings.ts'

export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('tokens for programs of users')
  addCreation(token)
  addLists(token)
}

function addCreation(token: Command): void {
  withService(token.command('create'), ['records', 'blobs', 'defaultBucket', 'buckets'])
    .description('make a token for programs of a user, and print it; it is not shown again')
    .argument('[USER]', 'the user; of a running service that of --user')
    .requiredOption('--name <NAME>', 'a name by which the user knows it again')
    .requiredOption('--end <TIME>', 'the end: a date such as 2027-01-31, which begins in UTC, or a time')
    .option('--write', 'for reading and writing, instead of reading only', false)
    .option('--within <PATH>', 'only for this domain, or this folder and all below it (default: all)')
    .addHelpText(
      'after',
      examples(
        'hyperslab token create ann --name laptop --end 2027-01-31',
        'hyperslab token create ann --name robot --end 2027-01-31 --write --within /lab',
        'hyperslab token create --name laptop --end 2027-01-31 --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (user: string | undefined, options: ServiceOptions & NewTokenOptions) => {
      if (isAtService(options, user)) {
        const { createOwnToken } = await import('../commands/logins.ts')
        return createOwnToken(options)
      }
      const owner = required(user, 'the user')
      const { createToken } = await import('../tokens.ts')
      const { name, end, write: writes, within } = options
      const what = { user: owner, name, end, writes, within }
      await audited(settingsOf(options), 'token create', what, settings =>
        createToken(settings, owner, options),
      )
    })
}

function addLists(token: Command): void {
  withService(token.command('list'))
    .description('list the tokens of a user or, without one, of all users, without their secrets')
    .argument('[USER]', 'the user; of a running service that of --user')
    .option('--json', 'a line of JSON for each', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab token list',
        'hyperslab token list ann --json',
        'hyperslab token list --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (user: string | undefined, options: ServiceOptions & ListedAsOptions) => {
      if (isAtService(options, user)) {
        const { listOwnTokens } = await import('../commands/logins.ts')
        return listOwnTokens(options)
      }
      const { listTokens } = await import('../tokens.ts')
      await listTokens(settingsOf(options), user, options)
    })
  withService(token.command('revoke'))
    .description('revoke a token')
    .usage('[options] [USER] <ID>')
    .argument('<ID...>', 'the user and the id that `token list` shows; of a running service the id')
    .addHelpText(
      'after',
      examples(
        'hyperslab token revoke ann 0123456789abcdef',
        'hyperslab token revoke ann 0123456789abcdef --data /data/hyperslab',
        'hyperslab token revoke 0123456789abcdef --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (words: string[], options: ServiceOptions) => {
      if (words.length > 2) throw new UsageError('give one user and one id')
      const [id = '', user] = words.toReversed()
      if (isAtService(options, user)) {
        const { revokeOwnToken } = await import('../commands/logins.ts')
        return revokeOwnToken(id, options)
      }
      const owner = required(user, 'the user and the id')
      const { revokeToken } = await import('../tokens.ts')
      await audited(settingsOf(options), 'token revoke', { user: owner, id }, settings =>
        revokeToken(settings, owner, id),
      )
    })
}

/** Whether the command is about a running service; there a user has its own tokens only. */
function isAtService(options: ServiceOptions, user: string | undefined): boolean {
  const endpoint = endpointOf(options, process.env)
  if (endpoint !== undefined && user !== undefined)
    throw new UsageError(`at ${endpoint} the tokens are those of --user: leave out "${user}", or give --data`)
  return endpoint !== undefined
}

function required(user: string | undefined, subject: string): string {
  if (user === undefined)
    throw new UsageError(`give ${subject}, or the address of a running service as --endpoint`)
  return user
}
