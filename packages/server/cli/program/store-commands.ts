// The declarations of commands for a store as a whole, and for the files that come in and go out.

import { type Command, Option } from 'commander'
import { audited } from '../audit-command.ts'
import type { CheckCommand } from '../check.ts'
import { endpointOf, type ServiceOptions } from '../commands/service.ts'
import type { CopyCommand } from '../copy.ts'
import type { ExportCommand } from '../export.ts'
import type { ImportCommand } from '../import/import.ts'
import type { CommandOptions } from '../settings/config.ts'
import type { UsageCommand } from '../usage.ts'
import { examples } from './examples.ts'
import { PROGRESS, STORE_SETTINGS, settingsOf, withService, withSettings } from './with-settings.ts'

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

Exit codes: 0 success, 1 there is no such folder or data folder, 2 the command is wrong.`

export function addStoreCommands(program: Command): void {
  addCheckCommand(program)
  addCopyCommand(program)
  addImportCommand(program)
  addExportCommand(program)
  addUsageCommand(program)
}

function addCheckCommand(program: Command): void {
  withSettings(program.command('check'), ['records', 'blobs'])
    .description('check a store, also while it is served, without changing it')
    .argument('[DIR]', 'the data folder (default: data)')
    .option('--values', 'read all values too, through their filters', false)
    .option('--progress', PROGRESS, false)
    .addHelpText('after', CHECK_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab check',
        'hyperslab check /data/hyperslab --values',
        'hyperslab check --records postgres://hyperslab@db/hyperslab --blobs s3://bucket/data',
      ),
    )
    .action(async (folder: string | undefined, options: CommandOptions & CheckCommand) => {
      const { runCheck } = await import('../check.ts')
      process.exitCode = await runCheck(settingsOf(options, folder), options)
    })
}

function addCopyCommand(program: Command): void {
  withSettings(program.command('copy'), ['records', 'blobs'])
    .description('copy a store into another one, also while it is served')
    .argument('[DIR]', 'the data folder (default: data)')
    .option('--to <DIR>', 'the data folder of the copy, which is new or an earlier copy')
    .option(
      '--to-records <ADDRESS>',
      'where the copy stores its records, as --records (default: its data folder)',
    )
    .option('--to-blobs <ADDRESS>', 'where the copy stores its values, as --blobs (default: its data folder)')
    .option('--progress', PROGRESS, false)
    .addHelpText('after', COPY_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab copy --to /backup/hyperslab',
        'hyperslab copy /data/hyperslab --to /backup/hyperslab --progress',
        'hyperslab copy --to-records postgres://hyperslab@db/hyperslab --to-blobs s3://bucket/data',
      ),
    )
    .action(async (folder: string | undefined, options: CommandOptions & CopyCommand) => {
      const { runCopy } = await import('../copy.ts')
      await runCopy(options, settingsOf(options, folder))
    })
}

function addImportCommand(program: Command): void {
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
    .option(
      '--endpoint <URL>',
      'import into the server at this address (also HYPERSLAB_ENDPOINT) instead of a data folder',
    )
    .option(
      '--user <NAME>',
      'the user of that server; the password is read from HYPERSLAB_PASSWORD or the terminal (a token alone: HYPERSLAB_TOKEN)',
    )
    .addHelpText('after', IMPORT_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab import run7.h5 --to /lab',
        'hyperslab import -r measurements --to /lab',
        'hyperslab import run7.h5 --as /lab/run7.h5 --replace --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (files: string[], options: ServiceOptions & ImportCommand) => {
      const { runImport } = await import('../import/import.ts')
      const settings = settingsOf(options)
      const endpoint = endpointOf(options, process.env)
      const run = () => runImport(files, { ...options, endpoint }, settings)
      const { to, as, replace } = options
      // A running server has lines of its own.
      if (endpoint === undefined) await audited(settings, 'import', { files, to, as, replace }, run)
      else await run()
    })
}

function addExportCommand(program: Command): void {
  withService(program.command('export'), ['baseDomain', 'defaultBucket', 'buckets', ...STORE_SETTINGS])
    .description('export domains of a running service, or of a data folder, as HDF5 files')
    .argument('<DOMAIN...>', 'domains: paths such as /test/tall, or DNS names; with -r also folders')
    .requiredOption(
      '--to <DIR>',
      'the folder for the files, which have the names of the domains; for one domain also a file, whose name ends with .h5',
    )
    .option('-r, --recursive', 'all domains below a folder, in folders of the same names', false)
    .option('--replace', 'replace files that are there')
    .option('--skip-unreadable', 'leave out datasets that were imported without values')
    .addHelpText('after', EXPORT_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab export /lab/run7.h5 --to .',
        'hyperslab export /lab/run7.h5 --to copy.h5 --replace',
        'hyperslab export -r /lab --to files --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (domains: string[], options: CommandOptions & ExportCommand) => {
      const { runExport } = await import('../export.ts')
      await runExport(domains, options, settingsOf(options))
    })
}

function addUsageCommand(program: Command): void {
  withService(program.command('usage'), ['defaultBucket', 'buckets', ...STORE_SETTINGS])
    .description('say how much the domains below a folder hold, also while the store is served')
    .argument('[FOLDER]', 'a folder such as /lab, or archive/lab in another bucket (default: the top level)')
    .addOption(
      new Option('--by <WHAT>', 'sums of each child, or of each owner')
        .choices(['folder', 'owner'])
        .default('folder'),
    )
    .option('--json', 'one line of JSON instead of a table', false)
    .option('--progress', PROGRESS, false)
    .addHelpText('after', USAGE_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab usage',
        'hyperslab usage /lab --by owner',
        'hyperslab usage --by owner --json --endpoint https://data.example.org --user root',
      ),
    )
    .action(async (folder: string | undefined, options: UsageCommand) => {
      const { runUsage } = await import('../usage.ts')
      await runUsage(folder, options, settingsOf(options))
    })
}
