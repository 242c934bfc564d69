// The commands of the user's guide, run as a reader would run them, in blocks that open with "```sh check": a line with
// `$ ` begins a command, one with `> ` goes on with it, and what follows is what the command prints. Whitespace does
// not count, and `...` represents anything. The pages share one service with an empty data folder, the README being
// first. "```sh serve" has a command that starts a service of the page's own. A block that opens with "```python
// check", "```r check" or "```octave check" is a program, and the block without a language behind it is what the
// program prints. Where a program cannot be run, the rest of its section is not run either, and the test says so.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { inspect } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { freePort } from '../servers/free-port.mjs'
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

const README = readFileSync(join(GUIDE, 'README.md'), 'utf8')
/** The address in the pages. */
const WRITTEN_ADDRESS = 'http://127.0.0.1:5101'
/** The lines of the README that define `JSON` and `BYTES`, `ann` and `idof`. */
const SHORTCUTS = /^BYTES=.*$|^JSON=.*$|^ann\(\).*$|^idof\(\).*$/gm
interface Step {
  readonly command: string
  readonly printed: string
  /** It starts a service, which those behind it use. */
  readonly isServing?: boolean
  /** A program to write into a file before, whose name the command has. */
  readonly program?: { readonly file: string; readonly text: string }
}

/** A block of a page, or a heading, which has no `info`. */
interface Block {
  readonly info?: string
  readonly text: string
}

function blocksOf(page: string): Block[] {
  const parts = readFileSync(join(GUIDE, page), 'utf8').matchAll(/^```(.*)\n([\s\S]*?)^```$|^#{1,3} (.*)$/gm)
  return [...parts].map(([, info, block, heading]) => ({
    ...(info !== undefined && { info }),
    text: block ?? heading ?? '',
  }))
}

function stepsOf(page: string): Step[] {
  const steps: Step[] = []
  let isSkipped = false
  for (const [index, { info, text }] of blocksOf(page).entries()) {
    if (info === undefined) isSkipped = false
    if (isSkipped) continue
    const [language, word] = info?.split(' ') ?? []
    if (info === 'sh check') steps.push(...commandsOf(text))
    else if (info === 'sh serve') steps.push(...commandsOf(text).map(servingStep))
    else if (word === 'check' && language !== undefined) {
      const interpreter = interpreterOf(language, text)
      if (interpreter === undefined) {
        const modules = language === 'python' ? ` with ${modulesOf(text).join(', ')}` : ''
        console.warn(
          `SKIPPED: a program of docs/guide/${page} needs ${language}${modules} (test/clients/README.md)`,
        )
        isSkipped = true
        continue
      }
      const file = `program-${index}.${language}`
      const next = blocksOf(page)[index + 1]
      const printed = next?.info === '' ? next.text : ''
      steps.push({ command: `${interpreter} ${file}`, printed, program: { file, text } })
    }
  }
  return steps
}

function commandsOf(block: string): Step[] {
  return block
    .split(/^\$ /m)
    .slice(1)
    .map(step => {
      const [, command = '', printed = ''] = /^(.*\n(?:> .*\n)*)([\s\S]*)$/.exec(step) ?? []
      return { command: command.replaceAll('\n> ', '\n'), printed }
    })
}

/** Starts a service in the background, prints its greeting, and ends it with the page. */
function servingStep({ command, printed }: Step): Step {
  const args = command.trim().replace(/^npm start( --)?/, '')
  const start = `'${process.execPath}' '${COMMAND}' serve ${args} --port ${new URL(WRITTEN_ADDRESS).port}`
  return {
    command: `${start} > serving.out & trap "kill $!" EXIT
      for _ in {1..300}; do grep -qs Ctrl-C serving.out && break; sleep 0.1; done; cat serving.out`,
    printed,
    isServing: true,
  }
}

const modulesOf = (program: string) => [
  ...new Set([...program.matchAll(/^(?:import|from) (\w+)/gm)].map(([, module = '']) => module)),
]

/** Without settings of the user that runs the tests, and with the clone of h5pyd. */
function environment(): NodeJS.ProcessEnv {
  const own = Object.entries(process.env).filter(([name]) => !/^(HYPERSLAB|HS)_/.test(name))
  const path = [join(ROOT, 'python/src'), process.env.H5PYD_PATH, process.env.PYTHONPATH]
    .filter(Boolean)
    .join(delimiter)
  return { ...Object.fromEntries(own), PYTHONPATH: path, PYTHONDONTWRITEBYTECODE: '1' }
}

/** The command that runs a program, if it is installed with all that the program imports. */
function interpreterOf(language: string, program: string): string | undefined {
  const [imports, library] = [modulesOf(program).join(', '), /^library\(\w+\)/m.exec(program)?.[0] ?? '0']
  // Each command, and how to find out whether it can run the program.
  const commands: Record<string, readonly (readonly [string, string])[]> = {
    python: [process.env.HYPERSLAB_CLIENTS_PYTHON ?? 'python3', '/usr/bin/python3'].map(
      python => [python, `-c 'import ${imports}'`] as const,
    ),
    r: [['Rscript', `-e '${library}'`]],
    // Octave 7 complains at its end when it keeps a history.
    octave: [['octave-cli --no-history', '--version']],
  }
  return commands[language]?.find(
    ([command, test]) => spawnSync(`${command} ${test}`, { shell: true, env: environment() }).status === 0,
  )?.[0]
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
    // The folder that `npm install` makes, for the programs of the page about JavaScript.
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
      const serving = steps.findIndex(({ isServing }) => isServing)
      const own = serving === -1 ? server.address : `http://127.0.0.1:${await freePort()}`
      const toAddress = (text: string, index: number) => {
        const address = index < serving ? server.address : own
        return text
          .replaceAll(WRITTEN_ADDRESS, address)
          .replace('--port 5101', `--port ${new URL(address).port}`)
      }
      for (const [index, { program }] of steps.entries()) {
        if (program) await writeFile(join(directory, program.file), toAddress(program.text, index))
      }
      const script = [
        `B=${server.address}`,
        `hyperslab() { '${process.execPath}' '${COMMAND}' "$@"; }`,
        `member() { curl -s --data-binary @- -H "Member: $1" http://127.0.0.1:${port}/; }`,
        ...(README.match(SHORTCUTS) ?? []),
        ...steps.map(({ command }, index) => `echo '${MARK}'\n${toAddress(command, index)}`),
      ].join('\n')
      const bash = spawn('bash', ['-c', `exec 2>&1\n${script}`], {
        cwd: directory,
        env: { ...environment(), XDG_STATE_HOME: directory, LC_ALL: 'C.UTF-8' },
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const printed = (await text(bash.stdout)).split(MARK).slice(1)
      for (const [index, step] of steps.entries()) {
        expect
          .soft(printed[index]?.replace(/\s+/g, ''), step.command)
          .toMatch(pattern(toAddress(step.printed, index)))
      }
    },
    300_000,
  )
})
