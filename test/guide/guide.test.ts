// The commands of the user's guide, run as a reader would run them, in blocks that open with "```sh check": a line with
// `$ ` begins a command, one with `> ` goes on with it, and what follows is what the command prints. Whitespace does not
// count, and `...` stands for anything. The pages share one service with an empty data folder, the README being first.

import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWorkingDirectory, type RunningServer, startServer } from '../wire/server.ts'

const GUIDE = fileURLToPath(new URL('../../docs/guide', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const PAGES = ['README.md', ...readdirSync(GUIDE).filter(name => /^[a-z].*\.md$/.test(name))]
/** Printed before each command's output. */
const MARK = '=== the next command ==='

const canRun = ['bash --version', 'curl --version', 'openssl version'].every(
  command => spawnSync(command, { shell: true }).status === 0,
)

interface Step {
  readonly command: string
  readonly printed: string
}

function stepsOf(page: string): Step[] {
  const blocks = readFileSync(join(GUIDE, page), 'utf8').matchAll(/^```sh check\n([\s\S]*?)^```$/gm)
  return [...blocks].flatMap(([, block = '']) =>
    block
      .split(/^\$ /m)
      .slice(1)
      .map(step => {
        const [, command = '', printed = ''] = /^(.*\n(?:> .*\n)*)([\s\S]*)$/.exec(step) ?? []
        return { command: command.replaceAll('\n> ', '\n'), printed }
      }),
  )
}

function pattern(printed: string): RegExp {
  const parts = printed.replace(/\s+/g, '').split('...')
  return new RegExp(`^${parts.map(part => part.replace(/[^\w]/g, '\\$&')).join('.*')}$`)
}

describe.skipIf(!canRun)('the guide', () => {
  let directory: string
  let server: RunningServer

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    server = await startServer(directory)
  })

  afterAll(async () => {
    await server.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  it.each(PAGES)(
    '%s prints what it says',
    page => {
      const steps = stepsOf(page)
      const script = [
        `B=${server.address}`,
        `hyperslab() { '${process.execPath}' '${COMMAND}' "$@"; }`,
        `member() { '${process.execPath}' -p "JSON.parse(require('fs').readFileSync(0)).$1"; }`,
        ...steps.map(({ command }) => `echo '${MARK}'\n${command}`),
      ].join('\n')
      const { stdout } = spawnSync('bash', ['-c', `exec 2>&1\n${script}`], {
        cwd: directory,
        encoding: 'utf8',
      })
      const printed = stdout.split(MARK).slice(1)
      for (const [index, step] of steps.entries()) {
        expect.soft(printed[index]?.replace(/\s+/g, ''), step.command).toMatch(pattern(step.printed))
      }
    },
    120_000,
  )
})
