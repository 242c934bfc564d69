// The command as a person runs it: servers, passwords and signals with the built program as a process of its own; what
// reads no standard input and ends by itself in the process of the tests, which need not start and load a program each
// time.

import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdir, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { format } from 'node:util'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { commandEnvironment, newWorkingDirectory } from '../wire/server.ts'

const COMMAND = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))

let directory: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
  await ready
  const file = new h5wasm.File(join(directory, 'made.h5'), 'w')
  file.create_attribute('title', 'made by a test')
  file.create_dataset({ name: 'numbers', data: new Int32Array([1, 2, 3]) })
  file.close()
  await writeFile(join(directory, 'text.h5'), 'this is not an HDF5 file')
  await writeDamagedFile(join(directory, 'damaged.h5'))
})

/** A file with one damaged chunk of ten, and a dataset that is whole. */
async function writeDamagedFile(path: string): Promise<void> {
  const file = new h5wasm.File(path, 'w')
  const data = Int32Array.from({ length: 10_000 }, (_, index) => index % 997)
  const chunked = { shape: [10_000], chunks: [1000], compression: 'gzip' as const, compression_opts: [4] }
  file.create_dataset({ name: 'chunks', data, ...chunked })
  file.create_dataset({ name: 'whole', data: new Int32Array([1]) })
  file.close()
  const bytes = await readFile(path)
  // The header of zlib, which begins every chunk.
  const header = Buffer.of(0x78, 0x5e)
  const third = [1, 2, 3].reduce(from => bytes.indexOf(header, from + 2), 0)
  await writeFile(path, bytes.fill(0xff, third + 10, third + 100))
}

afterAll(() => rm(directory, { recursive: true, force: true }))

interface CommandResult {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

function begin(args: readonly string[], environment: NodeJS.ProcessEnv = {}) {
  const env = { ...commandEnvironment(), ...environment }
  const child = spawn(process.execPath, [COMMAND, ...args], { cwd: directory, env })
  let out = ''
  let err = ''
  child.stdout.on('data', (piece: Buffer) => {
    out += piece.toString()
  })
  child.stderr.on('data', (piece: Buffer) => {
    err += piece.toString()
  })
  const ended = once(child, 'close').then((): CommandResult => ({ code: child.exitCode, out, err }))
  return { child, ended, printed: () => out }
}

function run(args: readonly string[], input = ''): Promise<CommandResult> {
  const { child, ended } = begin(args)
  child.stdin.end(input)
  return ended
}

/** The error that `process.exit` throws here. */
class Exit extends Error {
  readonly status: number

  constructor(status: number) {
    super(`exit ${status}`)
    this.status = status
  }
}

let runs = 0

/**
 * The same in this process, for what ends without a server and without a password. Paths must be absolute: a thread has
 * no working directory of its own.
 */
async function runHere(args: readonly string[], environment: NodeJS.ProcessEnv = {}): Promise<CommandResult> {
  const out: string[] = []
  const err: string[] = []
  const printingTo = (pieces: string[]) => (piece: string | Uint8Array) => {
    pieces.push(String(piece))
    return true
  }
  const { argv, env, exitCode } = process
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(printingTo(out)),
    vi.spyOn(process.stderr, 'write').mockImplementation(printingTo(err)),
    // The console of a worker does not print to its streams.
    vi.spyOn(console, 'log').mockImplementation((...line) => void out.push(`${format(...line)}\n`)),
    vi.spyOn(console, 'error').mockImplementation((...line) => void err.push(`${format(...line)}\n`)),
    vi.spyOn(process, 'exit').mockImplementation(code => {
      throw new Exit(Number(code))
    }),
  ]
  Object.assign(process, {
    argv: [process.execPath, COMMAND, ...args],
    env: { ...commandEnvironment(), ...environment },
    exitCode: undefined,
  })
  try {
    // The module is the program: with another query it runs again.
    await import(/* @vite-ignore */ `../../packages/server/cli/main.ts?run=${runs++}`)
    return { code: Number(process.exitCode ?? 0), out: out.join(''), err: err.join('') }
  } catch (error) {
    if (!(error instanceof Exit)) throw error
    return { code: error.status, out: out.join(''), err: err.join('') }
  } finally {
    for (const spy of spies) spy.mockRestore()
    Object.assign(process, { argv, env, exitCode })
  }
}

function importHere(options: readonly string[]): Promise<CommandResult> {
  return runHere(['import', join(directory, 'made.h5'), ...options])
}

/** A server on a data folder of its own, with the text that it greets with. */
async function withServer(
  data: string,
  work: (server: { url: URL; greeting: string; child: ReturnType<typeof begin>['child'] }) => Promise<void>,
  options: readonly string[] = [],
  environment: NodeJS.ProcessEnv = {},
): Promise<CommandResult> {
  const { child, ended, printed } = begin(['serve', data, '--port', '0', ...options], environment)
  try {
    while (!printed().includes('Ctrl-C')) {
      const event = await Promise.race([once(child.stdout, 'data'), ended])
      if ('err' in event) throw new Error(event.err)
    }
    const [, address] = /(http:\/\/127\.0\.0\.1:\d+\/)/.exec(printed()) ?? []
    await work({ url: new URL(address ?? ''), greeting: printed(), child })
  } finally {
    // A second signal would end it at once.
    if (!child.killed) child.kill('SIGTERM')
  }
  return ended
}

/** The same, with an account, whose requests `send` imports with. */
async function withAccount(
  data: string,
  work: (server: {
    url: URL
    send: (...args: readonly string[]) => Promise<CommandResult>
    read: (path: string) => Promise<{ status: number; body: string }>
  }) => Promise<void>,
): Promise<void> {
  await run(['user', 'add', 'ann', '--admin', '--data', data], 'secret\n')
  const headers = { authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` }
  await withServer(data, async ({ url }) => {
    const account = ['--endpoint', url.href, '--user', 'ann']
    await work({
      url,
      send: (...args) => runHere(['import', ...args, ...account], { HYPERSLAB_PASSWORD: 'secret' }),
      read: path => get(new URL(path, url), headers),
    })
  })
}

/** fetch, with a Host header and credentials of our choice. */
function get(
  url: URL | string,
  headers: Record<string, string> = {},
  method = 'GET',
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers, method, agent: false }, response => {
      let body = ''
      response.on('data', (piece: Buffer) => {
        body += piece.toString()
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body }))
    })
    sent.on('error', reject)
    sent.end()
  })
}

/** Waits until the server accepts no connections any more. */
async function refusal(url: URL): Promise<void> {
  while (
    await get(new URL('/about', url)).then(
      () => true,
      () => false,
    )
  );
}

describe('hyperslab serve', () => {
  it.each([
    ['18.20.8', 'hyperslab: Node 20.19 or newer is needed, and this is v18.20.8\n'],
    ['20.18.3', 'hyperslab: Node 20.19 or newer is needed, and this is v20.18.3\n'],
  ])('says in one line that Node %s is too old', async (version, line) => {
    const older = join(directory, `node-${version}.cjs`)
    const facts = `{ version: 'v${version}', versions: { ...process.versions, node: '${version}' } }`
    await writeFile(
      older,
      `for (const [name, value] of Object.entries(${facts})) {
      Object.defineProperty(process, name, { value })
    }`,
    )
    const { status, stdout, stderr } = spawnSync(process.execPath, ['--require', older, COMMAND, 'serve'], {
      encoding: 'utf8',
    })
    expect({ status, stdout, stderr }).toEqual({ status: 1, stdout: '', stderr: line })
  })

  it('greets with lines that work as they are printed, and ends in order', async () => {
    const { code, err } = await withServer('greeting', async ({ greeting }) => {
      const [, host = '', classic = ''] = /curl -H 'Host: (.*?)' (\S+)/.exec(greeting) ?? []
      const [, hsds = ''] = /curl '(.*?)'/.exec(greeting) ?? []
      const answers = [await get(classic, { host }), await get(hsds)]
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      expect(answers.map(({ body }) => typeof JSON.parse(body).root)).toEqual(['string', 'string'])
    })
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('serves a folder of HDF5 files as it is, and writes nothing into it', async () => {
    const folder = join(directory, 'my-data')
    await mkdir(join(folder, 'run 7'), { recursive: true })
    // The first file cannot be read, so it is not the one to try.
    await writeFile(join(folder, 'a.h5'), (await readFile(join(directory, 'made.h5'))).subarray(0, 300))
    await copyFile(join(directory, 'made.h5'), join(folder, 'run 7', "it's.h5"))
    const before = await readdir(folder, { recursive: true })
    const state = { XDG_STATE_HOME: join(directory, 'state') }
    const roots: string[] = []
    for (const _start of [1, 2]) {
      const { code, err } = await withServer(
        'my-data',
        async ({ greeting }) => {
          expect(greeting).toContain(`Hyperslab serves ${folder} at `)
          const [, host = '', classic = ''] = /curl -H 'Host: (.*?)' (\S+)/.exec(greeting) ?? []
          const [list = '', domain = ''] = Array.from(
            greeting.matchAll(/curl '(.*?)'/g),
            ([, url = '']) => url,
          )
          expect(JSON.parse((await get(list)).body).domains).toMatchObject([
            { name: '/a.h5' },
            { name: '/run 7' },
          ])
          const answers = [await get(domain), await get(classic, { host })]
          expect(answers.map(({ status }) => status)).toEqual([200, 200])
          expect(JSON.parse(answers[0]?.body ?? '').root).toBeDefined()
          roots.push(JSON.parse(answers[0]?.body ?? '').root)
        },
        [],
        state,
      )
      const cutOff = expect.stringMatching(/^\{[^\n]*a\.h5: the file is cut off[^\n]*\}\n$/)
      expect({ code, err }).toEqual({ code: 0, err: cutOff })
    }
    // Ids stay the same.
    expect(roots[1]).toBe(roots[0])
    expect(await readdir(folder, { recursive: true })).toEqual(before)
    expect(await readdir(join(state.XDG_STATE_HOME, 'hyperslab'))).toHaveLength(1)
  })

  it.each([
    [['--mount', 'nowhere'], 1, 'there is no folder'],
    [['--mount', 'made.h5=/x'], 1, 'made.h5 is a file: mount its folder'],
    [['--mount', 'a=/x', '--mount', 'b=/x'], 2, 'each folder stands for one of them'],
  ])('%j is an error, before the data folder is made', async (options, code, message) => {
    const paths = options.map(option => option.replace(/^(?=\w)/, `${directory}/`))
    const ended = await runHere(['serve', join(directory, 'unmade'), '--port', '0', ...paths])
    expect(ended).toMatchObject({ code, err: expect.stringContaining(message) })
    expect(existsSync(join(directory, 'unmade'))).toBe(false)
  })

  it('serves one HDF5 file, also to a network without accounts, where nobody can change anything', async () => {
    const folder = join(directory, 'of-one')
    await mkdir(folder)
    for (const name of ['one.h5', 'other.h5']) await copyFile(join(directory, 'made.h5'), join(folder, name))
    const { code, err } = await withServer(
      join('of-one', 'one.h5'),
      async ({ url, greeting }) => {
        expect(greeting).toContain('/ has the file one.h5, read only')
        const host = 'labserver:5101'
        const list = await get(new URL('/domains?domain=/', url), { host })
        expect(JSON.parse(list.body).domains).toMatchObject([{ name: '/one.h5' }])
        expect((await get(new URL('/?domain=/other.h5', url), { host })).status).toBe(404)
        for (const name of ['new.hdfgroup.org', 'new.home.hdfgroup.org', 'one.hdfgroup.org'])
          expect((await get(url, { host: name }, 'PUT')).status).toBeGreaterThanOrEqual(400)
        expect((await get(new URL('/domains?domain=/', url), { host })).body).toBe(list.body)
      },
      ['--host', '0.0.0.0', '--public-url', 'http://labserver:5101'],
      { XDG_STATE_HOME: join(directory, 'state') },
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('asks at a terminal before it makes a data folder, and makes it if the answer is yes', async () => {
    const command = (folder: string) => `'${process.execPath}' '${COMMAND}' serve ${folder} --port 0`
    const atTerminal = (folder: string) =>
      spawn('script', ['-qec', command(folder), '/dev/null'], { cwd: directory, env: commandEnvironment() })
    const until = async ({ stdout }: ReturnType<typeof atTerminal>, text: string) => {
      for (let printed = ''; !printed.includes(text); ) printed += String((await once(stdout, 'data'))[0])
    }
    const refused = atTerminal('misspelled')
    await until(refused, '[y/N]')
    refused.stdin.write('n\n')
    await until(refused, 'there is no folder')
    await once(refused, 'close')
    expect(refused.exitCode).toBe(1)
    expect(existsSync(join(directory, 'misspelled'))).toBe(false)
    const taken = atTerminal('wanted')
    await until(taken, '[y/N]')
    taken.stdin.write('y\n')
    await until(taken, 'Ctrl-C')
    expect(existsSync(join(directory, 'wanted', 'hyperslab.json'))).toBe(true)
    taken.stdin.write('\u0003')
    await once(taken, 'close')
  })

  it('makes the sample domain on the first start only', async () => {
    const roots: string[] = []
    for (const _start of [1, 2]) {
      await withServer('sample', async ({ url }) => {
        roots.push(JSON.parse((await get(new URL('/?domain=/sample.h5', url))).body).root)
      })
    }
    expect(roots[1]).toBe(roots[0])
  })

  it('finishes requests in flight after SIGTERM', async () => {
    const { code, err } = await withServer('flight', async ({ url, child }) => {
      const headers = { host: 'sample.hdfgroup.org' }
      const { root } = JSON.parse((await get(url, headers)).body)
      const upload = request(new URL(`/groups/${root}/links/late`, url), { method: 'PUT', headers })
      const answered = once(upload, 'response')
      upload.write('{"h5path": ')
      // The server has the request once it has answered another one that came later.
      await get(new URL('/about', url))
      child.kill('SIGTERM')
      await refusal(url)
      upload.end('"/somewhere"}')
      const [response] = await answered
      expect(response.statusCode).toBe(201)
    })
    const told = 'hyperslab: finishing 1 request (at most 30 s); a second signal ends it at once\n'
    expect({ code, err }).toEqual({ code: 0, err: told })
  })

  it('does not wait for the rest of an upload that was refused', async () => {
    const work: Parameters<typeof withServer>[1] = async ({ url }) => {
      for (const isClientGone of [true, false]) {
        const headers = {
          host: 'sample.hdfgroup.org',
          'transfer-encoding': 'chunked',
          connection: 'keep-alive',
        }
        const upload = request(new URL('/datasets', url), { method: 'POST', headers, agent: false })
        upload.on('error', () => {})
        upload.write(Buffer.alloc(20_000_000, ' '))
        const [response] = await once(upload, 'response')
        expect(response.statusCode).toBe(413)
        if (isClientGone) upload.destroy()
      }
    }
    const options = ['--max-json-body', '100000', '--shutdown-grace', '3']
    const { code, err } = await withServer('refused', work, options)
    expect({ code, err }).toEqual({ code: 0, err: '' })
  })

  it('ends at once at a second signal', async () => {
    let signal: NodeJS.Signals | null = null
    await withServer('twice', async ({ url, child }) => {
      const upload = request(new URL('/groups?host=sample.hdfgroup.org', url), { method: 'POST' })
      upload.on('error', () => {})
      upload.write('{')
      await get(new URL('/about', url))
      child.kill('SIGTERM')
      await refusal(url)
      child.kill('SIGTERM')
      await once(child, 'exit')
      signal = child.signalCode
    })
    expect(signal).toBe('SIGTERM')
  })

  it('says which port is in use, and leaves no new data folder behind', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const { code, err } = await runHere(['serve', join(directory, 'port'), '--port', String(port)])
    other.close()
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`127.0.0.1:${port} is in use`) })
    expect(existsSync(join(directory, 'port'))).toBe(false)
  })

  it.each([
    ['--password-file', '/proc/no.txt'],
    ['--token-keys', '/proc/no.pem', '--token-audience', 'x'],
    ['--token-keys', 'http://127.0.0.1:1/'],
  ])('leaves no new data folder behind with wrong settings: %s', async (...options) => {
    const folder = join(directory, 'never')
    const { code } = await runHere(['serve', folder, '--port', '0', ...options])
    expect([1, 2]).toContain(code)
    expect(existsSync(folder)).toBe(false)
  })

  it.each([
    [[], 'could change stored data and create domains: give --default-acl read --new-domains authenticated'],
    [
      ['--default-acl', 'read'],
      'could create domains: give --new-domains authenticated, or --open-to-network',
    ],
    [['--new-domains', 'nobody'], 'could change stored data: give --default-acl read, or --open-to-network'],
  ])('does not open itself to a network by chance: %j', async (options, message) => {
    const { code, err } = await runHere([
      'serve',
      join(directory, 'network'),
      '--host',
      '0.0.0.0',
      ...options,
    ])
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) })
  })

  it.each([
    ['text.h5', [], 'text.h5 is a file and not a data folder'],
    ['texts', [], 'is not a data folder, which must be new or empty: it contains text.h5'],
    ['/proc/x', [], 'the folder /proc/x cannot be created'],
    ['broken', [], 'the data folder'],
    ['new', ['--config', '/proc/no.json'], 'there is no configuration file /proc/no.json'],
  ])('serve %s %j says in one line what is wrong', async (folder, options, message) => {
    await mkdir(join(directory, 'broken', 'lmdb', 'x'), { recursive: true })
    await mkdir(join(directory, 'texts'), { recursive: true })
    await writeFile(join(directory, 'texts', 'text.h5'), 'no HDF5 file')
    const { code, out, err } = await runHere(['serve', resolve(directory, folder), '--port', '0', ...options])
    expect([1, 2]).toContain(code)
    expect(out).toBe('')
    expect(err).toMatch(/^hyperslab: .*\n$/)
    expect(err).toContain(message)
  })

  it('logs its start and its end', async () => {
    const { err } = await withServer('logged', async () => {}, ['--log-level', 'info'])
    const lines = err
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line))
    expect(lines.map(({ msg }) => msg)).toEqual(['started', 'stopping', 'stopped'])
    expect(lines[0]).toMatchObject({ host: '127.0.0.1', dataFolder: join(directory, 'logged') })
  })

  it('prints the whole path of a data folder that lies elsewhere', async () => {
    const elsewhere = await newWorkingDirectory()
    await withServer(elsewhere, async ({ greeting }) => {
      expect(greeting).toContain(`--data ${elsewhere}\n`)
    })
    await rm(elsewhere, { recursive: true })
  })

  it('tells every setting and its default', async () => {
    const { out } = await runHere(['serve', '--help'])
    expect(out).toContain('(default: 5101)')
    expect(out).toContain('HYPERSLAB_BASE_DOMAIN')
  })
})

describe('hyperslab user and group', () => {
  it('make accounts that a running server knows at once', async () => {
    const basic = { authorization: `Basic ${Buffer.from('ann:secret').toString('base64')}` }
    await withServer('users', async ({ url }) => {
      const about = () => get(new URL('/about', url), basic)
      // Before the first account no name counts.
      expect(JSON.parse((await about()).body)).toMatchObject({ username: 'anonymous', isadmin: true })
      expect(await run(['user', 'add', 'ann', '--admin', '--data', 'users'], 'secret\n')).toMatchObject({
        code: 0,
      })
      expect(JSON.parse((await about()).body)).toMatchObject({ username: 'ann', isadmin: true })
      const data = ['--data', join(directory, 'users')]
      expect(await runHere(['group', 'add', 'lab', 'ann', ...data])).toMatchObject({ code: 0 })
      expect((await runHere(['user', 'list', ...data])).out).toBe('ann  admin  g:lab\n')
      expect((await runHere(['group', 'list', ...data])).out).toBe('g:lab  ann\n')
      expect(await runHere(['user', 'remove', 'ann', ...data])).toMatchObject({ code: 0 })
      expect((await about()).status).toBe(401)
    })
  })

  it.each([
    [['user', 'add', 'a:b'], 'secret\n', 2, 'cannot be a name'],
    [['user', 'add', 'default'], 'secret\n', 2, 'means every user'],
    [['user', 'add', 'ann'], '\n', 2, 'must not be empty'],
    [['user', 'add', 'ann'], '', 2, 'no password'],
    [['user', 'demote', 'nobody'], '', 1, 'there is no user "nobody"'],
    [['user', 'remove', 'nobody'], '', 1, 'there is no user "nobody"'],
    [['group', 'add', 'lab', 'nobody'], '', 1, 'there is no user "nobody"'],
    [['group', 'remove', 'lab'], '', 1, 'there is no group "lab"'],
  ])('%j is refused', async (args, input, code, message) => {
    await mkdir(join(directory, 'refused'), { recursive: true })
    const isAsked = input !== ''
    const data = ['--data', join(directory, 'refused')]
    const ended = isAsked ? await run([...args, ...data], input) : await runHere([...args, ...data])
    expect(ended).toEqual({ code, out: '', err: expect.stringContaining(message) })
  })

  it.each([
    [['user', 'list']],
    [['user', 'remove', 'ann']],
    [['group', 'list']],
    [['group', 'add', 'lab', 'ann']],
    [['group', 'remove', 'lab']],
  ])('%j makes no data folder in the wrong place', async args => {
    const path = join(directory, 'wrong-place')
    const ended = await runHere([...args, '--data', path])
    expect(ended).toMatchObject({ code: 1, out: '', err: expect.stringContaining(`no data folder ${path}`) })
    expect(existsSync(path)).toBe(false)
  })

  it('gives an administrator a new password; it stays one until demoted', async () => {
    const data = ['--data', join(directory, 'admins')]
    const add = (...options: string[]) => run(['user', 'add', 'boss', ...data, ...options], 'secret\n')
    expect((await add('--admin')).out).toBe('The administrator boss can log in now.\n')
    expect((await add()).out).toBe('The password of the administrator boss was changed.\n')
    expect((await runHere(['user', 'list', ...data])).out).toBe('boss  admin\n')
    const demote = () => runHere(['user', 'demote', 'boss', ...data])
    expect(await demote()).toMatchObject({
      code: 0,
      out: expect.stringContaining('no longer an administrator'),
    })
    expect((await runHere(['user', 'list', ...data])).out.trim()).toBe('boss')
    expect(await demote()).toMatchObject({ code: 1, err: expect.stringContaining('"boss" was not made') })
    expect((await add()).out).toBe('The password of the user boss was changed.\n')
  })

  it('tells a new data folder by its whole path, once', async () => {
    const told = { code: 0, err: `created the data folder ${join(directory, 'new-users')}\n` }
    const add = () => run(['user', 'add', 'ann', '--data', 'new-users'], 'secret\n')
    expect(await add()).toMatchObject(told)
    expect(await add()).toMatchObject({ code: 0, err: '' })
    const imported = await importHere(['--to', '/a', '--data', join(directory, 'new-files')])
    const folders = `created the data folder ${join(directory, 'new-files')}\ncreated the folder /a\n`
    expect(imported).toMatchObject({ code: 0, err: folders })
  })
})

describe('hyperslab usage', () => {
  it('sums what is below a folder, and refuses what it does not know', async () => {
    const data = ['--data', join(directory, 'used')]
    await importHere(['--to', '/a/b', ...data])
    const usage = await runHere(['usage', '/a', ...data])
    expect(usage).toMatchObject({ code: 0, err: '' })
    expect(usage.out).toMatch(/^folder .*\n\/a\/b\/ .* 1 +2 .*\nall .* 1 +2 .*\n$/)
    const { code, out } = await runHere(['usage', '--by', 'owner', '--json', ...data])
    expect([code, JSON.parse(out)]).toMatchObject([0, { folder: '/', by: 'owner', total: { domains: 1 } }])
    expect(await runHere(['usage', '--by', 'size', ...data])).toMatchObject({ code: 2, out: '' })
    const missing = await runHere(['usage', '--data', join(directory, 'no-folder')])
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining('there is no data folder') })
  })
})

describe('hyperslab import', () => {
  it('imports into a data folder that is served', async () => {
    await withServer('import', async ({ url }) => {
      const imported = await run(['import', 'made.h5', '--to', '/a/b', '--data', 'import'])
      expect(imported).toEqual({
        code: 0,
        out: 'made.h5 -> /a/b/made.h5 (made.b.a.hdfgroup.org): 1 group, 1 dataset, 1 attribute, 12 bytes of values\n',
        err: 'created the folder /a\ncreated the folder /a/b\n',
      })
      // Reported once.
      const again = await importHere(['--as', '/a/b/c', '--data', join(directory, 'import')])
      expect(again).toMatchObject({ code: 0, err: '' })
      const read = async (path: string) =>
        JSON.parse((await get(new URL(`${path}?host=made.b.a.hdfgroup.org`, url))).body)
      const { root } = await read('/')
      expect((await read(`/groups/${root}/attributes/title`)).value).toBe('made by a test')
      const { link } = await read(`/groups/${root}/links/numbers`)
      expect((await read(`/datasets/${link.id}/value`)).value).toEqual([1, 2, 3])
    })
  })

  it('imports into a running server, and replaces there', async () => {
    await withAccount('endpoint', async ({ send, read }) => {
      const made = join(directory, 'made.h5')
      expect(await send(made, '--as', '/y/z/x.h5')).toEqual({
        code: 0,
        out: expect.stringMatching(/^\S+made\.h5 -> \/y\/z\/x\.h5: [\d.]+ KiB\n$/),
        err: 'created the folder /y\ncreated the folder /y/z\n',
      })
      const { root } = JSON.parse((await read('/?domain=/y/z/x.h5')).body)
      expect(await send(made, '--as', '/y/z/x.h5')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/PUT \/y\/z\/x\.h5: 409 .*already exists/),
      })
      expect(await send(made, '--as', '/y/z/x.h5', '--replace')).toMatchObject({ code: 0, err: '' })
      const replaced = JSON.parse((await read('/?domain=/y/z/x.h5')).body)
      expect([replaced.owner, replaced.root === root]).toEqual(['ann', false])
    })
  })

  it('leaves nothing in a server of a file that it does not import', async () => {
    await withAccount('nothing', async ({ send, read }) => {
      const damaged = join(directory, 'damaged.h5')
      expect(await send(damaged, '--as', '/d.h5', '--strict')).toMatchObject({
        code: 1,
        err: expect.stringMatching(/PUT \/d\.h5: 400 .*chunks/),
      })
      const text = join(directory, 'text.h5')
      expect(await send(text, '--as', '/t.h5')).toMatchObject({
        code: 1,
        err: expect.stringContaining('is not an HDF5 file'),
      })
      await send(text, '--as', '/folder/t.h5')
      for (const path of ['/d.h5', '/t.h5', '/folder'])
        expect((await read(`/?domain=${path}`)).status).toBe(404)
    })
  })

  describe('with -r', () => {
    const below = (name: string) => join(directory, name)
    const recursive = (...more: string[]) =>
      runHere(['import', '-r', below('tree'), '--data', below('trees'), ...more])
    const last = (text: string) => text.trimEnd().split('\n').at(-1)

    beforeAll(async () => {
      await mkdir(join(directory, 'tree', 'a', '.hidden'), { recursive: true })
      const made = await readFile(join(directory, 'made.h5'))
      for (const name of ['x.nc', 'a/y', 'a/.hidden/z.h5', '.w.h5'])
        await writeFile(join(directory, 'tree', name), made)
      await writeFile(join(directory, 'tree', 'notes.txt'), 'no HDF5 file')
    })

    it('keeps the tree, and passes over what is no HDF5 file and what is unchanged', async () => {
      const first = await recursive('--to', '/t')
      expect(first).toMatchObject({ code: 0, err: expect.stringContaining('created the folder /t/a\n') })
      expect(first.out).toContain('tree/a/y -> /t/a/y (')
      expect(first.out).toContain('tree/x.nc -> /t/x.nc (')
      expect(last(first.out)).toBe('3 files: 2 imported, 1 not HDF5')
      const second = await recursive('--to', '/t')
      expect(second).toMatchObject({ code: 0, err: '' })
      expect(last(second.out)).toBe('3 files: 2 unchanged, 1 not HDF5')
      expect(second.out.trimEnd().split('\n').slice(0, -1).sort()).toEqual([
        `${below('tree/.w.h5')} is passed over: it is hidden`,
        `${below('tree/a/.hidden')} is passed over: it is hidden`,
        `${below('tree/notes.txt')} is passed over: it is no HDF5 file`,
      ])
    })

    it('makes a domain read-only if its file is, and leads absolute names to domains', async () => {
      await mkdir(below('served/test/sub'), { recursive: true })
      await copyFile(below('made.h5'), below('served/test/sub/locked.h5'))
      await chmod(below('served/test/sub/locked.h5'), 0o444)
      const file = new h5wasm.File(below('served/test/links.h5'), 'w')
      file.create_external_link(below('served/test/sub/locked.h5'), '/numbers', 'below')
      file.create_external_link('/elsewhere/x.h5', '/', 'outside')
      file.close()
      const imported = await runHere(['import', '-r', below('served'), '--to', '/', '--data', below('moved')])
      expect(imported).toMatchObject({ code: 0, out: expect.stringMatching(/locked\.h5 -> .*, read-only\n/) })
      const mount = ['--mount', `${below('served')}=/m`]
      await withServer(
        below('moved'),
        async ({ url }) => {
          const ask = (host: string, path: string, method = 'GET') =>
            get(new URL(path, url), { host: `${host}.hdfgroup.org` }, method)
          for (const below of ['test', 'test.m']) {
            const { root } = JSON.parse((await ask(`links.${below}`, '/')).body)
            const { links } = JSON.parse((await ask(`links.${below}`, `/groups/${root}/links`)).body)
            const [first, second] = links
            expect(first.target).toBe(`http://locked.sub.${below}.hdfgroup.org/#h5path(/numbers)`)
            expect([first.h5domain, second.h5domain]).toEqual([
              `locked.sub.${below}.hdfgroup.org`,
              'x.elsewhere.hdfgroup.org',
            ])
            expect((await ask(`locked.sub.${below}`, '/')).status).toBe(200)
          }
          expect((await ask('locked.sub.test', '/', 'DELETE')).status).toBe(403)
          expect((await ask('links.test', '/', 'DELETE')).status).toBe(200)
        },
        mount,
      )
    })

    it('goes into a server, where it passes over files that are older than their domains', async () => {
      await withAccount('remote', async ({ send: sendFiles }) => {
        const send = (...more: string[]) => sendFiles('-r', below('tree'), '--to', '/r', ...more)
        expect(last((await send()).out)).toBe('3 files: 2 imported, 1 not HDF5')
        const second = await send()
        expect(second).toMatchObject({ code: 0, err: '' })
        expect(last(second.out)).toBe('3 files: 2 unchanged, 1 not HDF5')
        const later = new Date(Date.now() + 60_000)
        await utimes(join(directory, 'tree', 'x.nc'), later, later)
        const changed = await send()
        expect(last(changed.out)).toBe('3 files: 1 unchanged, 1 not HDF5, 1 failed')
        expect(changed.err).toMatch(/tree\/x\.nc: \S+: PUT \/r\/x\.nc: 409 /)
        expect(last((await send('--replace')).out)).toBe('3 files: 1 replaced, 1 unchanged, 1 not HDF5')
      })
    })

    it('says that there is no such folder, or no file in it, and imports the others', async () => {
      await mkdir(join(directory, 'empty', '.git'), { recursive: true })
      const trees = ['--to', '/e', '--data', below('trees')]
      const empty = await runHere(['import', '-r', below('empty'), ...trees])
      expect(empty).toMatchObject({ code: 0, out: expect.stringMatching(/^0 files: .* below \S+empty /m) })
      const missing = await runHere(['import', '-r', below('no'), below('made.h5'), ...trees])
      expect(missing).toMatchObject({
        code: 1,
        err: expect.stringMatching(/^\S+no: there is no such folder or file\n/),
      })
      expect(last(missing.out)).toBe('2 files: 1 imported, 1 failed')
    })

    it('replaces the domain of a file that has changed with --replace, and fails without', async () => {
      await recursive('--to', '/u')
      const file = new h5wasm.File(join(directory, 'tree', 'a', 'y'), 'w')
      file.create_dataset({ name: 'other', data: new Int32Array([4]) })
      file.close()
      const refused = await recursive('--to', '/u')
      expect(refused).toMatchObject({
        code: 1,
        err: expect.stringContaining('tree/a/y: the domain /u/a/y already exists, and the file has changed'),
      })
      expect(last(refused.out)).toBe('3 files: 1 unchanged, 1 not HDF5, 1 failed')
      const replaced = await recursive('--to', '/u', '--replace')
      expect(replaced).toMatchObject({ code: 0 })
      expect(last(replaced.out)).toBe('3 files: 1 replaced, 1 unchanged, 1 not HDF5')
    })
  })

  it.each([
    [['tree', '--to', '/f'], 'is a folder: -r imports the HDF5 files in it'],
    [['-r', 'tree', '--as', '/f'], '--as names one domain'],
    [['made.h5', './made.h5', '--to', '/f'], 'would both become the domain /f/made.h5'],
  ])('ends with 2 for %j', async (args, message) => {
    await mkdir(join(directory, 'tree'), { recursive: true })
    const { code, err } = await run(['import', ...args, '--data', 'wrong'])
    expect(err).toContain(message)
    expect(code).toBe(2)
  })

  it('imports nothing of a file with a loss with --strict, and the other files', async () => {
    const [damaged, made, strict] = ['damaged.h5', 'made.h5', 'strict'].map(name => join(directory, name))
    const args = ['import', damaged, made, '--to', '/s', '--data', strict, '--strict']
    const { code, out, err } = await runHere(args)
    expect(code).toBe(1)
    expect(err).toContain('damaged.h5: not imported')
    expect(err).toContain(`warning: ${damaged}: /chunks: `)
    expect(out).toMatch(/^\S+made.h5 -> \/s\/made.h5 .*\n2 files: 1 imported, 1 failed\n$/)
    expect(await runHere(['check', '--values', strict])).toMatchObject({ code: 0 })
  })

  it('goes on after a file that is not HDF5, which leaves nothing behind', async () => {
    const [other, missing, made] = ['text.h5', 'no.h5', 'made.h5'].map(name => join(directory, name))
    const data = ['--data', join(directory, 'mixed')]
    const { code, out, err } = await runHere(['import', other, missing, made, '--to', '/mixed', ...data])
    expect(code).toBe(1)
    expect(out).toContain('made.h5 -> /mixed/made.h5')
    expect(err).toContain('text.h5 is not an HDF5 file')
    expect(err).toContain(`\nthere is no file ${missing}\n`)
    expect(err).toContain(`2 of 3 files could not be imported: ${other}, ${missing}\n`)
    await withServer('mixed', async ({ url }) => {
      const listed = await get(new URL('/domains?domain=/mixed/', url))
      expect(listed.body).not.toContain('text.h5')
      expect((await get(new URL('/?domain=/mixed/text.h5', url))).status).toBe(404)
    })
  })

  it.each(['HDF5_PLUGIN_PATH', 'HDF5_VOL_CONNECTOR', 'HDF5_DRIVER'])(
    'does not mind %s, which is for other programs',
    async name => {
      // A native library, as far as its name goes; with a path of plugins all are tried on a file that is damaged.
      await mkdir(join(directory, 'plugins'), { recursive: true })
      await writeFile(join(directory, 'plugins', 'libnative.so'), Buffer.of(0x7f, 0x45, 0x4c, 0x46))
      await writeFile(
        join(directory, 'cut.h5'),
        (await readFile(join(directory, 'made.h5'))).subarray(0, 1000),
      )
      const { ended } = begin(['import', 'cut.h5', 'made.h5', '--to', `/${name}`, '--data', 'environment'], {
        [name]: join(directory, 'plugins'),
      })
      const { code, out, err } = await ended
      expect(out).toContain(`made.h5 -> /${name}/made.h5`)
      expect(err).toContain('1 of 2 files could be imported in part only: cut.h5')
      expect(err).not.toContain('libnative')
      expect(code).toBe(3)
    },
  )

  it('imports into another bucket, where the classic dialect does not see it', async () => {
    const buckets = ['--buckets', 'archive']
    const data = ['--data', join(directory, 'buckets')]
    const imported = await importHere(['--to', 'archive/a', ...data, ...buckets])
    expect(imported).toMatchObject({
      code: 0,
      out: expect.stringContaining('made.h5 -> archive/a/made.h5: '),
    })
    const serving = async ({ url }: { url: URL }) => {
      expect((await get(new URL('/domains?domain=archive/a/', url))).body).toContain('"/a/made.h5"')
      expect((await get(new URL('/domains?domain=/a/', url))).status).toBe(404)
      expect((await get(url, { host: 'made.a.hdfgroup.org' })).status).toBe(404)
    }
    expect(await withServer('buckets', serving, buckets)).toMatchObject({ code: 0 })
  })

  it('replaces a domain only with --replace', async () => {
    const args = ['--as', '/once', '--data', join(directory, 'replace')]
    expect(await importHere(args)).toMatchObject({ code: 0 })
    expect(await importHere(args)).toMatchObject({ code: 1, err: expect.stringContaining('--replace') })
    expect(await importHere([...args, '--replace', '--read-only'])).toMatchObject({ code: 0 })
  })

  it.each([
    [[], 'the destination is missing'],
    [['--to', '/a', '--as', '/b'], 'the destination is missing'],
    [['--as', '/'], 'is not the name of a domain'],
    [['--as', 'x.other.org'], 'is not below hdfgroup.org'],
    [['--to', 'a'], '--to: the domain "a" is malformed: a domain path must start with "/"'],
    [['--to', 'a/'], '--to: there is no bucket "a" (a path in the default bucket begins with "/")'],
    [['--to', '/a/'], 'must not end with "/"'],
    [['--to', 'attic/a'], 'there is no bucket "attic"'],
    [['--as', 'attic/a', '--buckets', 'archive'], 'there is no bucket "attic"'],
    [['--as', 'archive/', '--buckets', 'archive'], 'is not the name of a domain'],
    [['--to', '/a', '--buckets', 'archive,hyperslab'], 'names the default bucket'],
    [
      ['--to', 'archive/a', '--buckets', 'archive', '--endpoint', 'http://127.0.0.1:9/'],
      'need a data folder',
    ],
    [['--to', '/a', '--user', 'ann'], '--user needs --endpoint'],
    [['--to', '/a', '--endpoint', 'here'], 'must be a URL'],
    [['--to', '/a', '--endpoint', 'http://127.0.0.1:9/', '--read-only'], 'needs a data folder'],
    [
      ['--to', '/a', '--endpoint', 'http://127.0.0.1:9/', '--data', 'refused'],
      '--endpoint and --data exclude each other',
    ],
  ])('ends with 2 for %j', async (args, message) => {
    const { code, err } = await runHere(['import', join(directory, 'made.h5'), ...args])
    expect(err).toContain(message)
    expect(code).toBe(2)
  })

  it('fails when another program answers', async () => {
    const other = createServer((_, response) => response.end('<html>'))
    await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve))
    const { port } = other.address() as AddressInfo
    const { code, err } = await importHere(['--to', '/a', '--endpoint', `http://127.0.0.1:${port}/`])
    other.close()
    expect(code).toBe(1)
    expect(err).toContain('is not the address of a Hyperslab server')
    expect(err).not.toContain('    at ')
  })

  it('fails when the server cannot be reached', async () => {
    const args = ['--to', '/a', '--endpoint', 'http://127.0.0.1:9/']
    expect(await importHere(args)).toMatchObject({
      code: 1,
      err: expect.stringContaining('cannot be reached'),
    })
  })

  it('says in the exit code that values could not be read', async () => {
    await withServer('damaged', async ({ url }) => {
      const imported = await run(['import', 'damaged.h5', '--to', '/', '--data', 'damaged'])
      expect(imported).toEqual({
        code: 3,
        out: 'damaged.h5 -> /damaged.h5 (damaged.hdfgroup.org): 1 group, 2 datasets (1 without values), 0 attributes, 4 bytes of values\n',
        err: expect.stringMatching(
          /^ {2}warning: damaged.h5: \/chunks: the dataset is imported without values, because .*filter.*\nhyperslab: 1 of 1 file could be .* part only: damaged.h5\n$/,
        ),
      })
      const read = (path: string) => get(new URL(`${path}?host=damaged.hdfgroup.org`, url))
      const { root } = JSON.parse((await read('/')).body)
      const { link } = JSON.parse((await read(`/groups/${root}/links/chunks`)).body)
      expect((await read(`/datasets/${link.id}`)).status).toBe(200)
      const { status, body } = await read(`/datasets/${link.id}/value`)
      expect([status, JSON.parse(body).code]).toEqual([501, 'values-unreadable'])
    })
  })

  it('names what a server could not read of the file', async () => {
    await withAccount('sent-damaged', async ({ send }) => {
      expect(await send(join(directory, 'damaged.h5'), '--as', '/sent.h5')).toMatchObject({
        code: 3,
        err: expect.stringContaining('/chunks: the dataset is imported without values'),
      })
    })
  })

  it('prints the whole name of a file whose short one is that of another domain', async () => {
    const names = []
    for (const name of ['/both', '/both.h5']) {
      const { out } = await importHere(['--as', name, '--data', join(directory, 'both')])
      names.push(/\((.*?)\)/.exec(out)?.[1])
    }
    expect(names).toEqual(['both.hdfgroup.org', 'both%2Eh5.hdfgroup.org'])
  })

  it('replaces a domain that is read-only, too', async () => {
    const args = ['--as', '/kept', '--data', join(directory, 'kept')]
    expect(await importHere([...args, '--read-only'])).toMatchObject({ code: 0 })
    expect(await importHere(args)).toMatchObject({ code: 1, err: expect.stringContaining('--replace') })
    expect(await importHere([...args, '--replace'])).toMatchObject({ code: 0 })
  })

  it('says in one line what it may not do', async () => {
    const { err } = await withServer('rights', async ({ url }) => {
      expect(await run(['user', 'add', 'ann', '--data', 'rights'], 'secret\n')).toMatchObject({ code: 0 })
      const { code, err } = await importHere(['--as', '/mine', '--endpoint', url.href])
      expect(code).toBe(1)
      expect(err).toMatch(/^\S+\/made.h5: http:\S+: PUT \/mine: 401 .*: give --user NAME\n/)
      expect(err).not.toContain('    at ')
    })
    expect(err).toBe('')
  })
})

it.each([['check', '--bogus'], ['import'], ['serve', 'x', '--bogus'], ['frob'], ['user', 'add']])(
  'a command that is wrong ends with 2: %s %s',
  async (...args) => {
    const { code, out, err } = await runHere(args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain('error: ')
  },
)
