// The declarations of commands for what a service or a store holds: folders, domains, objects, values, access.

import { type Command, Option } from 'commander'
import type { CopyOptions, MakeOptions, RemoveOptions } from '../commands/change.ts'
import type { DiffOptions } from '../commands/diff.ts'
import type { SizeOptions } from '../commands/du.ts'
import type { JoinOptions } from '../commands/join.ts'
import type { ListOptions, TreeOptions } from '../commands/list.ts'
import type { OwnLoginOptions, ShareOptions } from '../commands/logins.ts'
import type { ServiceOptions } from '../commands/service.ts'
import type { CatOptions, InfoOptions } from '../commands/show.ts'
import { examples } from './examples.ts'
import { PROGRESS, withService } from './with-settings.ts'

const PATH = 'a folder or domain, such as /lab or /lab/run7.h5, or archive/lab in another bucket'
const OBJECT = 'the path of an object in that domain, such as /entry/data'
const JSON_LINES = 'a line of JSON for each'

/** Commands that change nothing. */
export function addReadCommands(program: Command): void {
  addListCommands(program)
  addShowCommands(program)
  addCompareCommands(program)
}

/** Commands that change what others see. */
export function addChangeCommands(program: Command): void {
  addPathCommands(program)
  addShareCommands(program)
}

function addListCommands(program: Command): void {
  withService(program.command('ls'))
    .description('list a folder, or the objects of a domain')
    .argument('[PATH]', `${PATH} (default: the top level)`)
    .argument('[OBJECT]', `${OBJECT}: a group`)
    .option('-l, --long', 'with owner, bytes and last change; of objects with type and shape', false)
    .option('-R, --recursive', 'with all below it', false)
    .option('--json', JSON_LINES, false)
    .addHelpText('after', LS_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab ls /lab -l',
        'hyperslab ls /lab/run7.h5 /entry -l',
        'hyperslab ls / -R --json | jq -r .name',
      ),
    )
    .action(async (path: string | undefined, object: string | undefined, options: ListOptions) => {
      const { runLs } = await import('../commands/list.ts')
      await runLs(path, object, options)
    })
  withService(program.command('tree'))
    .description('show a folder, or the objects of a domain, with all below')
    .argument('[PATH]', `${PATH} (default: the top level)`)
    .argument('[OBJECT]', `${OBJECT}: a group`)
    .option('--json', JSON_LINES, false)
    .addHelpText(
      'after',
      examples('hyperslab tree', 'hyperslab tree /lab/run7.h5', 'hyperslab tree /lab/run7.h5 /entry'),
    )
    .action(async (path: string | undefined, object: string | undefined, options: TreeOptions) => {
      const { runTree } = await import('../commands/list.ts')
      await runTree(path, object, options)
    })
}

function addShowCommands(program: Command): void {
  withService(program.command('info'))
    .description('describe a folder, a domain, or an object of a domain with its attributes')
    .argument('<PATH>', PATH)
    .argument('[OBJECT]', OBJECT)
    .option('--json', 'one line of JSON, as the service answers', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab info /lab',
        'hyperslab info /lab/run7.h5',
        'hyperslab info /lab/run7.h5 /entry/data --json',
      ),
    )
    .action(async (path: string, object: string | undefined, options: InfoOptions) => {
      const { runInfo } = await import('../commands/show.ts')
      await runInfo(path, object, options)
    })
  withService(program.command('cat'))
    .description('print the values of a dataset as CSV, or of an attribute')
    .argument('<DOMAIN>', 'a domain, such as /lab/run7.h5')
    .argument('<OBJECT>', OBJECT)
    .option('--select <SELECTION>', 'an index or a range for each dimension, such as 3,0:10')
    .option('--attribute <NAME>', 'the value of this attribute of the object')
    .option('--json', 'JSON, as the service answers', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab cat /lab/run7.h5 /entry/data --select 0:10,3',
        'hyperslab cat /lab/run7.h5 /entry/data --json | jq .value',
        'hyperslab cat /lab/run7.h5 /entry --attribute title',
      ),
    )
    .action(async (path: string, object: string, options: CatOptions) => {
      const { runCat } = await import('../commands/show.ts')
      await runCat(path, object, options)
    })
}

function addCompareCommands(program: Command): void {
  withService(program.command('du'))
    .description('print the bytes of all in a folder, or of the datasets of a domain')
    .argument('[PATH]', `${PATH} (default: the top level)`)
    .option('--json', JSON_LINES, false)
    .addHelpText('after', DU_HELP)
    .addHelpText(
      'after',
      examples('hyperslab du /lab', 'hyperslab du /lab/run7.h5', 'hyperslab du / | sort -n | tail'),
    )
    .action(async (path: string | undefined, options: SizeOptions) => {
      const { runDu } = await import('../commands/du.ts')
      await runDu(path, options)
    })
  withService(program.command('diff'))
    .description('compare two domains: objects, links, types, shapes, attributes and values')
    .argument('<DOMAIN>', 'a domain, such as /lab/run7.h5')
    .argument('<OTHER>', 'the domain that it is compared with')
    .option('--json', JSON_LINES, false)
    .option('--progress', PROGRESS, false)
    .addHelpText('after', DIFF_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab diff /lab/run7.h5 /lab/run8.h5',
        'hyperslab diff /lab/run7.h5 /archive/run7.h5 --json',
        'hyperslab diff /lab/run7.h5 /archive/run7.h5 > /dev/null && echo equal',
      ),
    )
    .action(async (one: string, other: string, options: DiffOptions) => {
      const { runDiff } = await import('../commands/diff.ts')
      process.exitCode = await runDiff(one, other, options)
    })
}

function addPathCommands(program: Command): void {
  withService(program.command('mkdir'))
    .description('create folders')
    .argument('<PATH...>', 'folders, such as /lab/2027')
    .option('-p, --parents', 'also those above them; a folder that is there is no error', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab mkdir /lab',
        'hyperslab mkdir -p /lab/2027/january',
        'hyperslab mkdir /lab/ann /lab/bob',
      ),
    )
    .action(async (paths: string[], options: MakeOptions) => {
      const { runMkdir } = await import('../commands/change.ts')
      await runMkdir(paths, options)
    })
  withService(program.command('rm'))
    .description('remove domains, and with -r folders with all that is in them')
    .argument('<PATH...>', 'domains, and with -r folders')
    .option('-r, --recursive', 'remove folders; asks before', false)
    .option('-y, --yes', 'do not ask', false)
    .option('--progress', PROGRESS, false)
    .addHelpText('after', RM_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab rm /lab/run7.h5',
        'hyperslab rm -r /lab/2025',
        'hyperslab rm -r --yes /lab/2025 /lab/2026',
      ),
    )
    .action(async (paths: string[], options: RemoveOptions) => {
      const { runRm } = await import('../commands/change.ts')
      await runRm(paths, options)
    })
  addMoveCommands(program)
  addJoinCommand(program)
}

function addJoinCommand(program: Command): void {
  withService(program.command('join'))
    .description('make one domain of many mounted files, which grows with them; nothing is copied')
    .argument('[SOURCE...]', "paths of mounted files, or patterns of them, such as '/lab/2026/**/run_*.nc'")
    .option('--along <DIMENSION...>', 'the name of a dimension, or PATH#AXIS of datasets')
    .option('--new <NAME>', 'instead: a dimension that the files do not have, one coordinate for each file')
    .option(
      '--coordinate <FORM>',
      'of a file in the new dimension: run_{n:d}.h5 of its name, or PATH@NAME of an attribute (default: its number)',
    )
    .option('--datasets <PATH...>', 'datasets that get the new dimension (default: all)')
    .option('--union', 'instead: the objects of all files beside each other, of each path the first', false)
    .addOption(
      new Option(
        '--keep <FILE>',
        'where coordinates overlap, those of the file that begins first or last',
      ).choices(['first', 'last']),
    )
    .option('--unpack', 'make floats of numbers that files pack in different ways', false)
    .addOption(
      new Option(
        '--check <WHAT>',
        'datasets that are not joined must have equal types, or values, in all files (default: those of the first count)',
      ).choices(['types', 'values']),
    )
    .addOption(
      new Option('--missing <HOW>', 'what is read of files that are gone: fill values').choices(['fill']),
    )
    .requiredOption('--to <PATH>', 'the domain, in a folder that is not mounted')
    .option('--forget <FILE...>', 'instead: close the places of files that are gone')
    .option('--dry-run', 'print what the files would be together, and make nothing', false)
    .option('--json', 'what the files are together as one line of JSON', false)
    .addHelpText('after', JOIN_HELP)
    .addHelpText(
      'after',
      examples(
        "hyperslab join '/lab/days/*.nc' --along time --to /all.nc --endpoint http://127.0.0.1:5101",
        "hyperslab join '/lab/scan_*.h5' --to /night.h5 --along /entry/data#0 /entry/times#0",
        'hyperslab join --to /all.nc --forget /lab/days/2026-03-01.nc',
      ),
    )
    .action(async (sources: string[], options: JoinOptions) => {
      const { runJoin } = await import('../commands/join.ts')
      await runJoin(sources, options)
    })
}

function addMoveCommands(program: Command): void {
  const to = 'the new path, or a folder in which it keeps its name'
  withService(program.command('mv'))
    .description('give a domain, or a folder with all that is in it, another path')
    .argument('<FROM>', PATH)
    .argument('<TO>', to)
    .addHelpText(
      'after',
      examples(
        'hyperslab mv /lab/run7.h5 /lab/first.h5',
        'hyperslab mv /lab/run7.h5 /archive/',
        'hyperslab mv /lab/2025 /archive/2025',
      ),
    )
    .action(async (from: string, target: string, options: ServiceOptions) => {
      const { runMv } = await import('../commands/change.ts')
      await runMv(from, target, options)
    })
  withService(program.command('cp'))
    .description('copy a domain, and with -r a folder with all that is in it')
    .argument('<FROM>', PATH)
    .argument('<TO>', to)
    .option('-r, --recursive', 'copy a folder', false)
    .option('--replace', 'replace domains that are there', false)
    .option('--progress', PROGRESS, false)
    .addHelpText('after', CP_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab cp /lab/run7.h5 /lab/copy.h5',
        'hyperslab cp /lab/run7.h5 /archive/ --replace',
        'hyperslab cp -r /lab/2025 /archive/2025',
      ),
    )
    .action(async (from: string, target: string, options: CopyOptions) => {
      const { runCp } = await import('../commands/change.ts')
      await runCp(from, target, options)
    })
}

function addShareCommands(program: Command): void {
  const share = program
    .command('share')
    .description(
      'shares of a user of a running service: addresses that show data to people without an account',
    )
  withService(share.command('create'))
    .description('make a share, and print its address; it is not shown again')
    .argument('<PATH>', PATH)
    .requiredOption('--end <TIME>', 'the end: a date such as 2027-01-31, which begins in UTC, or a time')
    .option('--object <PATH>', 'only this dataset of the domain')
    .option('--note <TEXT>', 'a note by which you know it again')
    .option('--json', 'one line of JSON', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab share create /lab/run7.h5 --end 2027-01-31',
        'hyperslab share create /lab --end 2027-01-31 --note "for the review"',
        'hyperslab share create /lab/run7.h5 --object /entry/data --end 2027-01-31',
      ),
    )
    .action(async (path: string, options: ShareOptions) => {
      const { createShare } = await import('../commands/logins.ts')
      await createShare(path, options)
    })
  withService(share.command('list'))
    .description('list your shares, without their addresses')
    .option('--json', JSON_LINES, false)
    .addHelpText(
      'after',
      examples(
        'hyperslab share list',
        'hyperslab share list --json',
        'hyperslab share list --endpoint https://data.example.org --user ann',
      ),
    )
    .action(async (options: OwnLoginOptions) => {
      const { listShares } = await import('../commands/logins.ts')
      await listShares(options)
    })
  withService(share.command('revoke'))
    .description('revoke a share: its address shows nothing from then on')
    .argument('<ID>', 'the id that `share list` shows')
    .addHelpText(
      'after',
      examples(
        'hyperslab share revoke 0123456789abcdef',
        'hyperslab share revoke 0123456789abcdef --endpoint https://data.example.org --user ann',
        'hyperslab share list --json | jq -r .id | xargs -n 1 hyperslab share revoke',
      ),
    )
    .action(async (id: string, options: ServiceOptions) => {
      const { revokeShare } = await import('../commands/logins.ts')
      await revokeShare(id, options)
    })
}

const LS_HELP = `
Prints a path on each line; that of a folder or group ends with a slash. A PATH that ends with a slash is a folder, also where a
domain has its name. Links are not followed.`

const DU_HELP = `
In a folder the largest come first; the sum is last. It counts what you may read, and values that are stored once under several names once.`

const DIFF_HELP = `
Prints a line for each difference. Links are compared, not followed. References in attributes are compared by the paths of the objects that they lead to; those in values as they
are stored: those of a copy differ.

Exit codes: 0 the domains are equal, 1 they differ, 2 they could not be compared, or the command is wrong.`

const RM_HELP = `
Removes domain by domain, and goes on where one may not be removed: it has a line, and the exit code is 1.`

const JOIN_HELP = `
In a name of a pattern * is any characters, ? is one, [a-z] one of several; ** is any number of folders. Quote patterns: the shell
must not see them. Only a service that has mounts can join files: name it by --endpoint, or by HYPERSLAB_ENDPOINT.`

const CP_HELP = `
A domain is copied by way of an HDF5 file: the copy has new ids and times, and the owner and the access control list of a new domain.
Each domain is copied wholly or not at all.`
