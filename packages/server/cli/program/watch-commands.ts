// The declarations of commands that show what happens, and what has happened, in a service.

import type { Command } from 'commander'
import type { AuditOptions } from '../audit.ts'
import type { TopCommand } from '../top.ts'
import { examples } from './examples.ts'

const TOP_HELP = `
The longest come first. \`curl -u NAME -X DELETE URL/requests/ID\` ends one. Where several machines are behind a balancer, each
knows its own requests only: give the address of one.

Exit codes: 0 success, 1 the service does not answer or refuses, 2 the command is wrong.`

export function addWatchCommands(program: Command): void {
  program
    .command('top')
    .description('show the requests that a running service answers, every two seconds')
    .option(
      '--endpoint <URL>',
      'the address of the service, also HYPERSLAB_ENDPOINT',
      process.env.HYPERSLAB_ENDPOINT || 'http://127.0.0.1:5101',
    )
    .option(
      '--user <NAME>',
      'an administrator there; the password, or a token, is read from HYPERSLAB_PASSWORD or the terminal',
    )
    .option('--json', 'print each list as a line of JSON', false)
    .option('--once', 'print one list', false)
    .addHelpText('after', TOP_HELP)
    .addHelpText(
      'after',
      examples(
        'hyperslab top --user root',
        'hyperslab top --user root --endpoint https://data.example.org --once',
        'hyperslab top --user root --json --once',
      ),
    )
    .action(async (options: TopCommand) => {
      const { runTop } = await import('../top.ts')
      await runTop(options)
    })

  program
    .command('audit')
    .description('print the lines of an audit, a file of `serve --audit`, that fit')
    .argument('<FILE>', 'the file, or - for standard input')
    .option('--domain <PATH>', 'only changes of this domain, or of all below this folder')
    .option(
      '--user <NAME>',
      'only changes by this user, or with its shares, and wrong passwords for the name',
    )
    .option('--since <TIME>', 'only changes at or after this date, which begins in UTC, or time')
    .option('--json', 'print the lines as they are', false)
    .addHelpText(
      'after',
      examples(
        'hyperslab audit audit.log --domain /lab',
        'hyperslab audit audit.log --user ann --since 2027-01-31',
        'hyperslab audit - --json',
      ),
    )
    .action(async (file: string, options: AuditOptions) => {
      const { printAudit } = await import('../audit.ts')
      await printAudit(file, options)
    })
}
