// The command `hyperslab`: parses its arguments and runs the subcommand. An error that the user can correct is printed
// as one line.

import { resolve } from 'node:path'
import { isTopLevel, ROOT_FOLDER } from '@hyperslab/model/names'
import { Command, Option } from 'commander'
import type { AuditOptions } from './audit.ts'
import { audited } from './audit-command.ts'
import type { CopyCommand } from './copy.ts'
import type { ExportCommand } from './export.ts'
import type { ImportCommand } from './import/import.ts'
import { buildVersion } from './package-version.ts'
import type { QuotaCommand } from './quota.ts'
import { confirmNewFolder } from './serve/confirm-new-folder.ts'
import { holdsFilesToServe, requireAnswer, stateFolderOf } from './serve/folder-of-files.ts'
import { type CommandOptions, optionsOf, passwordOf, readSettings } from './settings/config.ts'
import { ALL_SETTINGS, type SettingName, type Settings } from './settings/table.ts'
import type { NewTokenOptions } from './tokens.ts'
import type { TopCommand } from './top.ts'
import type { UsageCommand } from './usage.ts'
import { exitCodeOf, foreseen, UsageError } from './usage-error.ts'

const IMPORT_HELP = `
With -r every regular file below a folder that is an HDF5 file, whatever it is called, becomes a domain in the folder of
the same name. Hidden files, links that lead out of the folder, and files of other formats are passed over, each with a
line. A domain is read-only if the owner of its file may not write the file. A file is passed over in silence if its
domain was imported from it when it had the size and the time of last change that it has now, whatever requests
have changed in the domain since. If a file has changed, importing it is an error; --replace replaces its domain. A file that
is named itself, and not found with -r, is always imported. With --endpoint a file is passed over if its domain was created after
the file was last changed.

Access control lists in files of h5serv name users by the numbers of its password file: --password-file gives that file.

If some values of a dataset cannot be read, it is imported without values, and reading them is an error. A warning names each
loss. With --strict a file with a loss is not imported.

Exit codes: 0 success, 1 a file could not be imported, 2 the command is wrong, 3 parts of a file were left out.`

const EXPORT_HELP = `
A file has what hard links reach from the root group of its domain. HDF5 1.8 and all later versions read it. It appears under
its name when it is complete; an export that is interrupted leaves nothing. A warning names what a file cannot have.

Exit codes: 0 success, 1 a domain could not be exported, or there is no data folder, 2 the command is wrong, 3 parts of a domain
were left out.`

const COPY_HELP = `
The copy is a store of its own, with the same ids, times and permissions. What it has already is not copied again: an interrupted
copy goes on, and a second copy brings the first one up to date, as long as the first one has not been served. At the end all
records and values are read from both stores and compared. To move a store, copy it while it is served, stop the server, copy it once
more, and serve the copy.

Exit codes: 0 the copy is complete, 1 it is not, 2 the command is wrong.`

const CHECK_HELP = `
Compares every record with the records that it names, every counter with what it counts, every file of values with its
record. Prints a line for each finding: an error should never occur; an information is something that the API allows, such
as a link to a deleted object, or that a server will remove.

Exit codes: 0 no errors, 1 errors were found, 2 the command is wrong or there is no data folder.`

const USAGE_HELP = `
Counts every domain below the folder, whatever its access control list says: bytes of values and of all records, groups, datasets
and committed datatypes, and the last change. Contents with several names are counted once. Mounted files are not counted.

  hyperslab usage                            the top level, by the domains and folders in it
  hyperslab usage /lab --by owner            by the owners of all domains below /lab
  hyperslab usage --by owner --json          for a script: the JSON that GET /usage answers

Exit codes: 0 success, 1 there is no such folder or data folder, 2 the command is wrong.`

const QUOTA_HELP = `
A quota is a limit of what the domains below a folder, or those of an owner, may hold; a write that would exceed it gets 507. It may be
below what is used: then only what needs more is refused.

  hyperslab quota set /home --bytes 20T                 all below /home together, at any depth
  hyperslab quota set --owner ann --bytes 500G --objects 1000000
  hyperslab quota list                                  all quotas, and what is used of them
  hyperslab quota remove /home

Exit codes: 0 success, 1 there is no such folder or quota, 2 the command is wrong.`

const DOCTOR_HELP = `
Takes the settings of \`serve\`, and prints a line for each thing that it looks at: ok, note (you may want it otherwise), or wrong with
its remedy. It looks at Node, the data folder, its file system and disk, the limit of open files, the port, public_url with its
certificate, proxies, the database and the bucket, the access of callers without an account, and mounts. It changes nothing.

Exit codes: 0 nothing is wrong, 1 something is wrong, 2 the command or a setting is wrong.`

const TOP_HELP = `
The longest come first. \`curl -u NAME -X DELETE URL/requests/ID\` ends one. Where several machines are behind a balancer, each
knows its own requests only: give the address of one.

  hyperslab top --user root
  hyperslab top --user root --endpoint https://data.example.org --once
  hyperslab top --user root --json --once

Exit codes: 0 success, 1 the service does not answer or refuses, 2 the command is wrong.`

/** Settings of the location of a store, beside its data folder. */
const STORE_SETTINGS = ['records', 'blobs', 'blobCacheSize'] as const

/** Commands whose argument is the data folder. */
const TAKING_FOLDER = ['serve', 'doctor', 'check', 'copy']

const program = new Command('hyperslab')
  .description('Serves hierarchical array data: the HDF5 data model over HTTP and JSON.')
  .version(buildVersion())
  .showHelpAfterError('(see --help)')
  // A wrong command ends with exit code 2, because 1 means that a command failed. Subcommands inherit this.
  .exitOverride(({ exitCode }) => process.exit(exitCode === 0 ? 0 : 2))

withSettings(program.command('serve'), ALL_SETTINGS)
  .description('serve a data folder, or a folder of HDF5 files, over HTTP')
  .argument(
    '[DIR]',
    'the data folder (default: data), or a folder of HDF5 files or one file, served where they are and never changed',
  )
  .addHelpText('after', settingsHelp())
  .action(async (folder: string | undefined, options: CommandOptions) => {
    if (folder !== undefined) {
      await requireAnswer(folder)
      await confirmNewFolder(folder)
    }
    const { serve } = await import('./serve/serve.ts')
    await serve(settingsToServe(options, folder))
  })

withSettings(program.command('doctor'), ALL_SETTINGS)
  .description('say what is right and what is wrong with the machine and the settings of a service')
  .argument('[DIR]', 'the folder that is served (default: data)')
  .addHelpText('after', DOCTOR_HELP)
  .action(async (folder: string | undefined, options: CommandOptions) => {
    const { runDoctor } = await import('./doctor/doctor.ts')
    process.exitCode = await runDoctor(settingsToServe(options, folder))
  })

withSettings(program.command('check'), ['records', 'blobs'])
  .description('check a store, also while it is served, without changing it')
  .argument('[DIR]', 'the data folder (default: data)')
  .option('--values', 'read all values too, through their filters', false)
  .addHelpText('after', CHECK_HELP)
  .action(async (folder: string | undefined, options: CommandOptions & { values: boolean }) => {
    const { runCheck } = await import('./check.ts')
    process.exitCode = await runCheck(settingsOf(options, folder), options)
  })

withSettings(program.command('copy'), ['records', 'blobs'])
  .description('copy a store into another one, also while it is served')
  .argument('[DIR]', 'the data folder (default: data)')
  .option('--to <DIR>', 'the data folder of the copy, which is new or an earlier copy')
  .option(
    '--to-records <ADDRESS>',
    'where the copy stores its records, as --records (default: its data folder)',
  )
  .option('--to-blobs <ADDRESS>', 'where the copy stores its values, as --blobs (default: its data folder)')
  .addHelpText('after', COPY_HELP)
  .action(async (folder: string | undefined, options: CommandOptions & CopyCommand) => {
    const { runCopy } = await import('./copy.ts')
    await runCopy(options, settingsOf(options, folder))
  })

withSettings(program.command('import'), [
  'baseDomain',
  'defaultPublic',
  'passwordFile',
  'defaultBucket',
  'buckets',
  ...STORE_SETTINGS,
])
  .description('import HDF5 files into a data folder, also while it is served, or into a running server')
  .argument('<FILE...>', 'HDF5 files or, with -r, folders of them')
  .option('-r, --recursive', 'import the HDF5 files in folders, and keep the tree of the folders')
  .option(
    '--to <FOLDER>',
    'a folder such as /test, or archive/test in another bucket; each file becomes a domain of its name in it',
  )
  .option('--as <DOMAIN>', 'the name of the domain, for one file: a path such as /test/tall, or a DNS name')
  .option('--read-only', 'requests cannot change the domain, except its access control lists')
  .option('--replace', 'replace a domain of that name, also a read-only one')
  .option('--strict', 'do not import a file of which parts cannot be imported')
  .option('--endpoint <URL>', 'import into the server at this address instead of a data folder; needs --user')
  .option(
    '--user <NAME>',
    'the user of that server; the password is read from HYPERSLAB_PASSWORD or the terminal',
  )
  .addHelpText('after', IMPORT_HELP)
  .action(async (files: string[], options: CommandOptions & ImportCommand) => {
    const { runImport } = await import('./import/import.ts')
    const settings = settingsOf(options)
    const run = () => runImport(files, { ...options, password: passwordOf(process.env) }, settings)
    const { to, as, replace, endpoint } = options
    // A running server has lines of its own.
    if (endpoint === undefined) await audited(settings, 'import', { files, to, as, replace }, run)
    else await run()
  })

withSettings(program.command('export'), ['baseDomain', 'defaultBucket', 'buckets', ...STORE_SETTINGS])
  .description('export domains of a data folder as HDF5 files, also while it is served')
  .argument('<DOMAIN...>', 'domains: paths such as /test/tall, or DNS names')
  .requiredOption(
    '--to <DIR>',
    'the folder for the files, which have the names of the domains; for one domain also a file, whose name ends with .h5',
  )
  .option('--replace', 'replace files that are there')
  .option('--skip-unreadable', 'leave out datasets that were imported without values')
  .addHelpText('after', EXPORT_HELP)
  .action(async (domains: string[], options: CommandOptions & ExportCommand) => {
    const { runExport } = await import('./export.ts')
    await runExport(domains, options, settingsOf(options))
  })

withSettings(program.command('usage'), ['defaultBucket', 'buckets', ...STORE_SETTINGS])
  .description('say how much the domains below a folder hold, also while the store is served')
  .argument('[FOLDER]', 'a folder such as /lab, or archive/lab in another bucket (default: the top level)')
  .addOption(
    new Option('--by <WHAT>', 'sums of each child, or of each owner')
      .choices(['folder', 'owner'])
      .default('folder'),
  )
  .option('--json', 'one line of JSON instead of a table', false)
  .addHelpText('after', USAGE_HELP)
  .action(async (folder: string | undefined, options: CommandOptions & UsageCommand) => {
    const { runUsage } = await import('./usage.ts')
    await runUsage(folder, options, settingsOf(options))
  })

program
  .command('top')
  .description('show the requests that a running service answers, every two seconds')
  .option('--endpoint <URL>', 'the address of the service', 'http://127.0.0.1:5101')
  .option(
    '--user <NAME>',
    'an administrator there; the password, or a token, is read from HYPERSLAB_PASSWORD or the terminal',
  )
  .option('--json', 'print each list as a line of JSON', false)
  .option('--once', 'print one list', false)
  .addHelpText('after', TOP_HELP)
  .action(async (options: TopCommand) => {
    const { runTop } = await import('./top.ts')
    await runTop({ ...options, password: passwordOf(process.env) })
  })

const quota = program
  .command('quota')
  .description('limits of what folders and owners may hold, also while the store is served')
  .addHelpText('after', QUOTA_HELP)
withSettings(quota.command('list'), ['defaultBucket', 'buckets', ...STORE_SETTINGS])
  .description('list the quotas with what is used of them')
  .option('--json', 'one line of JSON instead of a table', false)
  .action(async (options: CommandOptions & { json: boolean }) => {
    await (await import('./quota.ts')).printQuotas(options, settingsOf(options))
  })
withSettings(quota.command('set'), ['defaultBucket', 'buckets', ...STORE_SETTINGS])
  .description('set the quota of a folder or of an owner')
  .argument('[FOLDER]', 'a folder such as /home, or archive/home in another bucket')
  .option('--owner <NAME>', 'the domains that belong to this user, instead of a folder')
  .option('--bytes <SIZE>', 'bytes of values and of the records of objects: 5000, 20G, 1.5Ti')
  .option('--objects <NUMBER>', 'groups, datasets and committed datatypes: 5000, 20M')
  .action(async (folder: string | undefined, options: CommandOptions & QuotaCommand) => {
    const { runSetQuota } = await import('./quota.ts')
    const what = { folder, owner: options.owner, bytes: options.bytes, objects: options.objects }
    await audited(settingsOf(options), 'quota set', what, settings => runSetQuota(folder, options, settings))
  })
withSettings(quota.command('remove'), ['defaultBucket', 'buckets', ...STORE_SETTINGS])
  .description('remove the quota of a folder or of an owner')
  .argument('[FOLDER]', 'the folder')
  .option('--owner <NAME>', 'the owner, instead of a folder')
  .action(async (folder: string | undefined, options: CommandOptions & QuotaCommand) => {
    const { runRemoveQuota } = await import('./quota.ts')
    await audited(settingsOf(options), 'quota remove', { folder, owner: options.owner }, settings =>
      runRemoveQuota(folder, options, settings),
    )
  })

const user = program.command('user').description('accounts of a store')
withSettings(user.command('add'), ['records', 'blobs'])
  .description('add an account, or set its password, which is read from the terminal or standard input')
  .argument('<NAME>')
  .option('--admin', 'make the user an administrator, with all permissions', false)
  .action(async (name: string, options: CommandOptions & { admin: boolean }) => {
    const { addUser } = await import('./users.ts')
    const what = { name, admin: options.admin }
    await audited(settingsOf(options), 'user add', what, settings => addUser(settings, name, options))
  })
withSettings(user.command('import'), ['records', 'blobs'])
  .description('add the accounts of a password file of HSDS or h5serv; existing accounts stay as they are')
  .argument('<FILE>')
  .action(async (file: string, options: CommandOptions) => {
    const { importUsers } = await import('./users.ts')
    await audited(settingsOf(options), 'user import', { file }, settings => importUsers(settings, file))
  })
withSettings(user.command('demote'), ['records', 'blobs'])
  .description('turn an administrator into an ordinary user')
  .argument('<NAME>')
  .action(async (name: string, options: CommandOptions) => {
    const { demoteUser } = await import('./users.ts')
    await audited(settingsOf(options), 'user demote', { name }, settings => demoteUser(settings, name))
  })
withSettings(user.command('list'), ['records', 'blobs'])
  .description('list the accounts and their groups')
  .action(async (options: CommandOptions) => {
    const { listUsers } = await import('./users.ts')
    await listUsers(settingsOf(options))
  })
withSettings(user.command('remove'), ['records', 'blobs'])
  .description('remove an account, also from its groups')
  .argument('<NAME>')
  .action(async (name: string, options: CommandOptions) => {
    const { removeUser } = await import('./users.ts')
    await audited(settingsOf(options), 'user remove', { name }, settings => removeUser(settings, name))
  })

const group = program
  .command('group')
  .description('groups of users, which access control lists name as g:NAME')
withSettings(group.command('add'), ['records', 'blobs'])
  .description('create a group or add users to it')
  .argument('<NAME>')
  .argument('<USER...>')
  .action(async (name: string, users: string[], options: CommandOptions) => {
    const { addToGroup } = await import('./users.ts')
    const what = { name, users }
    await audited(settingsOf(options), 'group add', what, settings => addToGroup(settings, name, users))
  })
withSettings(group.command('list'), ['records', 'blobs'])
  .description('list the groups and their members')
  .action(async (options: CommandOptions) => {
    const { listGroups } = await import('./users.ts')
    await listGroups(settingsOf(options))
  })
withSettings(group.command('remove'), ['records', 'blobs'])
  .description('remove users from a group or, without any, the group')
  .argument('<NAME>')
  .argument('[USER...]')
  .action(async (name: string, users: string[], options: CommandOptions) => {
    const { removeFromGroup } = await import('./users.ts')
    const what = { name, users }
    await audited(settingsOf(options), 'group remove', what, settings =>
      removeFromGroup(settings, name, users),
    )
  })

const token = program.command('token').description('tokens for programs of users')
withSettings(token.command('create'), ['records', 'blobs', 'defaultBucket', 'buckets'])
  .description('make a token for programs of a user, and print it; it is not shown again')
  .argument('<USER>')
  .requiredOption('--name <NAME>', 'a name by which the user knows it again')
  .requiredOption('--end <TIME>', 'the end: a date such as 2027-01-31, which begins in UTC, or a time')
  .option('--write', 'for reading and writing, instead of reading only', false)
  .option('--within <PATH>', 'only for this domain, or this folder and all below it (default: all)')
  .action(async (user: string, options: CommandOptions & NewTokenOptions) => {
    const { createToken } = await import('./tokens.ts')
    const { name, end, write: writes, within } = options
    const what = { user, name, end, writes, within }
    await audited(settingsOf(options), 'token create', what, settings => createToken(settings, user, options))
  })
withSettings(token.command('list'), ['records', 'blobs'])
  .description('list the tokens of a user or, without one, of all users, without their secrets')
  .argument('[USER]')
  .action(async (user: string | undefined, options: CommandOptions) => {
    const { listTokens } = await import('./tokens.ts')
    await listTokens(settingsOf(options), user)
  })
withSettings(token.command('revoke'), ['records', 'blobs'])
  .description('revoke a token')
  .argument('<USER>')
  .argument('<ID>', 'the id that `token list` shows')
  .action(async (user: string, id: string, options: CommandOptions) => {
    const { revokeToken } = await import('./tokens.ts')
    await audited(settingsOf(options), 'token revoke', { user, id }, settings =>
      revokeToken(settings, user, id),
    )
  })

program
  .command('audit')
  .description('print the lines of an audit, a file of `serve --audit`, that fit')
  .argument('<FILE>', 'the file, or - for standard input')
  .option('--domain <PATH>', 'only changes of this domain, or of all below this folder')
  .option('--user <NAME>', 'only changes by this user, or with its shares, and wrong passwords for the name')
  .option('--since <TIME>', 'only changes at or after this date, which begins in UTC, or time')
  .option('--json', 'print the lines as they are', false)
  .action(async (file: string, options: AuditOptions) => {
    const { printAudit } = await import('./audit.ts')
    await printAudit(file, options)
  })

// The process that `serve` starts to learn what the file system of a new data folder can do.
program
  .command('try-folder', { hidden: true })
  .argument('<DIR>')
  .action(async (folder: string) => {
    const { openTrial } = await import('./data-folder/file-system.ts')
    await openTrial(folder)
  })

// The process that `doctor` starts to read a mounted folder, which may hang.
program
  .command('try-mount', { hidden: true })
  .argument('<DIR>')
  .option('--file', 'it may be a file', false)
  .action(async (source: string, { file }: { file: boolean }) => {
    const { tryMount } = await import('./doctor/mounts.ts')
    await tryMount(source, file)
  })

function withSettings(command: Command, names: readonly SettingName[]): Command {
  for (const { flags, help, repeatable } of optionsOf(names)) {
    const option = new Option(flags, help)
    if (repeatable) option.argParser((value, before?: readonly string[]) => [...(before ?? []), value])
    command.addOption(option)
  }
  if (!TAKING_FOLDER.includes(command.name()))
    command.option('--data <DIR>', 'the data folder (default: data)')
  return command.option(
    '--config <FILE>',
    'a JSON file of settings (default: config.json in the data folder)',
  )
}

function settingsOf(options: CommandOptions, folder = options.data): Settings {
  return readSettings({ ...options, ...(folder !== undefined && { data: folder }) }, process.env)
}

/** A folder of HDF5 files, or one such file, is mounted at the top level, and the data folder is elsewhere. */
function settingsToServe(options: CommandOptions, folder: string | undefined): Settings {
  if (folder === undefined || !holdsFilesToServe(folder)) return settingsOf(options, folder)
  const settings = readSettings(options, process.env, stateFolderOf(folder, process.env))
  if (settings.mount.some(({ path }) => isTopLevel(path))) {
    throw new UsageError(
      `${folder} is served at the top level, where "mount" puts another folder: leave one of them out`,
    )
  }
  return { ...settings, mount: [{ source: resolve(folder), path: ROOT_FOLDER }, ...settings.mount] }
}

function settingsHelp(): string {
  return `
If DIR holds HDF5 files and is no data folder, or is an HDF5 file, they are served at the top level. Nothing is written into DIR: what the server
stores itself is in $XDG_STATE_HOME/hyperslab (default: ~/.local/state/hyperslab), in a folder for each DIR, or in HYPERSLAB_DATA.

Every setting can also be set in the environment (--base-domain as HYPERSLAB_BASE_DOMAIN) or in the JSON file
("base_domain"). The option wins over the environment, the environment over the file.`
}

try {
  await program.parseAsync()
} catch (error) {
  const message = foreseen(error)
  if (message === undefined) throw error
  process.stderr.write(`hyperslab: ${message}\n`)
  process.exitCode = exitCodeOf(error)
  // The channel to the supervisor of a worker would keep it alive.
  if (process.connected) process.exit()
}
