// The declarations of commands for users, their groups and their tokens.

import type { Command } from 'commander'
import { audited } from '../audit-command.ts'
import type { CommandOptions } from '../settings/config.ts'
import type { ListedAsOptions } from '../users.ts'
import { examples } from './examples.ts'
import { settingsOf, withSettings } from './with-settings.ts'

export function addUserCommands(program: Command): void {
  const user = program.command('user').description('accounts of a store')
  withSettings(user.command('add'), ['records', 'blobs'])
    .description('add an account, or set its password, which is read from the terminal or standard input')
    .argument('<NAME>')
    .option('--admin', 'make the user an administrator, with all permissions', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab user add ann',
        'hyperslab user add root --admin',
        'hyperslab user add ann --data /data/hyperslab',
      ),
    )
    .action(async (name: string, options: CommandOptions & { admin: boolean }) => {
      const { addUser } = await import('../users.ts')
      const what = { name, admin: options.admin }
      await audited(settingsOf(options), 'user add', what, settings => addUser(settings, name, options))
    })
  withSettings(user.command('import'), ['records', 'blobs'])
    .description('add the accounts of a password file of HSDS or h5serv; existing accounts stay as they are')
    .argument('<FILE>')
    .addHelpText(
      'after',
      examples(
        'hyperslab user import passwd.txt',
        'hyperslab user import passwd.txt --data /data/hyperslab',
        'hyperslab user import passwd.txt --records postgres://hyperslab@db/hyperslab',
      ),
    )
    .action(async (file: string, options: CommandOptions) => {
      const { importUsers } = await import('../users.ts')
      await audited(settingsOf(options), 'user import', { file }, settings => importUsers(settings, file))
    })
  addUserChanges(user)
}

/** Commands for accounts that are there. */
function addUserChanges(user: Command): void {
  withSettings(user.command('demote'), ['records', 'blobs'])
    .description('turn an administrator into an ordinary user')
    .argument('<NAME>')
    .addHelpText(
      'after',
      examples(
        'hyperslab user demote ann',
        'hyperslab user demote ann --data /data/hyperslab',
        'hyperslab user demote ann --records postgres://hyperslab@db/hyperslab',
      ),
    )
    .action(async (name: string, options: CommandOptions) => {
      const { demoteUser } = await import('../users.ts')
      await audited(settingsOf(options), 'user demote', { name }, settings => demoteUser(settings, name))
    })
  withSettings(user.command('list'), ['records', 'blobs'])
    .description('list the accounts and their groups')
    .option('--json', 'a line of JSON for each', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab user list',
        'hyperslab user list --json',
        'hyperslab user list --data /data/hyperslab',
      ),
    )
    .action(async (options: CommandOptions & ListedAsOptions) => {
      const { listUsers } = await import('../users.ts')
      await listUsers(settingsOf(options), options)
    })
  withSettings(user.command('remove'), ['records', 'blobs'])
    .description('remove an account, also from its groups')
    .argument('<NAME>')
    .addHelpText(
      'after',
      examples(
        'hyperslab user remove ann',
        'hyperslab user remove ann --data /data/hyperslab',
        'hyperslab user remove ann --records postgres://hyperslab@db/hyperslab',
      ),
    )
    .action(async (name: string, options: CommandOptions) => {
      const { removeUser } = await import('../users.ts')
      await audited(settingsOf(options), 'user remove', { name }, settings => removeUser(settings, name))
    })
}

export function addGroupCommands(program: Command): void {
  const group = program
    .command('group')
    .description('groups of users, which access control lists name as g:NAME')
  withSettings(group.command('add'), ['records', 'blobs'])
    .description('create a group or add users to it')
    .argument('<NAME>')
    .argument('<USER...>')
    .addHelpText(
      'after',
      examples(
        'hyperslab group add lab ann',
        'hyperslab group add lab ann bob',
        'hyperslab group add lab ann --data /data/hyperslab',
      ),
    )
    .action(async (name: string, users: string[], options: CommandOptions) => {
      const { addToGroup } = await import('../users.ts')
      const what = { name, users }
      await audited(settingsOf(options), 'group add', what, settings => addToGroup(settings, name, users))
    })
  withSettings(group.command('list'), ['records', 'blobs'])
    .description('list the groups and their members, also those of identity providers')
    .option('--json', 'a line of JSON for each', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab group list',
        'hyperslab group list --json',
        'hyperslab group list --data /data/hyperslab',
      ),
    )
    .action(async (options: CommandOptions & ListedAsOptions) => {
      const { listGroups } = await import('../users.ts')
      await listGroups(settingsOf(options), options)
    })
  withSettings(group.command('remove'), ['records', 'blobs'])
    .description('remove users from a group or, without any, the group')
    .argument('<NAME>')
    .argument('[USER...]')
    .addHelpText(
      'after',
      examples(
        'hyperslab group remove lab bob',
        'hyperslab group remove lab',
        'hyperslab group remove lab ann bob --data /data/hyperslab',
      ),
    )
    .action(async (name: string, users: string[], options: CommandOptions) => {
      const { removeFromGroup } = await import('../users.ts')
      const what = { name, users }
      await audited(settingsOf(options), 'group remove', what, settings =>
        removeFromGroup(settings, name, users),
      )
    })
}
