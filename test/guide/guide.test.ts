// The commands of the user's guide, run as a reader would run them, in blocks that open with "```sh check": a line with
// `$ ` begins a command, one with `> ` goes on with it, and what follows is what the command prints. Whitespace does not
// count, and `...` stands for anything. The pages share one service with an empty data folder, the README being first.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, symlink } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { newWorkingDirectory, type RunningServer, startServer } from '../wire/server.ts'

const GUIDE = fileURLToPath(new URL('../../docs/guide', import.meta.url))
const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
const PAGES = ['README.md', ...readdirSync(GUIDE).filter(name => /^[a-z].*\.md$/.test(name))]
/** Printed before each command's output. */
const MARK = '=== the next command ==='

const canRun = ['bash --version', 'curl --version', 'openssl version'].every(
  command => spawnSync(command, { shell: true }).status === 0,
)
if (!canRun) console.warn('SKIPPED: the commands of the guide need bash, curl and openssl')

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

/**
 * The command `member` of the guide, which a reader runs as a process of Node: to start one a hundred times takes
 * seconds, so a server prints the same of the JSON that is sent to it.
 */
async function startMembers(): Promise<Server> {
  const members = createServer(async (request, response) => {
    try {
      const json: unknown = JSON.parse(await text(request))
      const member: unknown = new Function('json', `return json.${request.headers.member}`)(json)
      response.end(`${typeof member === 'string' ? member : inspect(member)}\n`)
    } catch (error) {
      response.end(`${error}\n`)
    }
  }).listen(0, '127.0.0.1')
  await once(members, 'listening')
  return members
}

describe.skipIf(!canRun)('the guide', () => {
  let directory: string
  let server: RunningServer
  let members: Server

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    // As `npm install` makes it, for the programs of the page about JavaScript.
    await mkdir(join(directory, 'node_modules'))
    await symlink(ROOT, join(directory, 'node_modules', 'hyperslab'), 'dir')
    server = await startServer(directory)
    members = await startMembers()
  })

  afterAll(async () => {
    members.close()
    await server.end('SIGTERM')
    await rm(directory, { recursive: true, force: true })
  })

  it.each(PAGES)(
    '%s prints what it says',
    async page => {
      const steps = stepsOf(page)
      const { port } = members.address() as AddressInfo // a server on a port has no other kind of address
      const script = [
        `B=${server.address}`,
        `hyperslab() { '${process.execPath}' '${COMMAND}' "$@"; }`,
        `member() { curl -s --data-binary @- -H "Member: $1" http://127.0.0.1:${port}/; }`,
        ...steps.map(({ command }) => `echo '${MARK}'\n${command}`),
      ].join('\n')
      const bash = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
        cwd: directory,
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const printed = (await text(bash.stdout)).split(MARK).slice(1)
      for (const [index, step] of steps.entries()) {
        expect.soft(printed[index]?.replace(/\s+/g, ''), step.command).toMatch(pattern(step.printed))
      }
    },
    120_000,
  )
})
