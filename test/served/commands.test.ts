// Commands about data: each does the same at a running service and on the data folder of one.

import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createProgram } from '../../packages/server/cli/program/program.ts'
import { type CommandEnd, runHere } from '../fixtures/commands.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

/** Names in several scripts, with a control character, and with letters whose order in UTF-16 is another one. */
const NAMES = ['Ab cd', '\ufffd', '測定.h5', '\u{1f600}', 'line\nend', '100%']

let directory: string
let file: Buffer
let data: string
let server: ServedHere

beforeAll(async () => {
  directory = await newWorkingDirectory()
  data = join(directory, 'data')
  file = await makeFile(join(directory, 'made.h5'))
  const audit = join(directory, 'audit.log')
  server = await serveHere({ audit }, { dataFolder: data, users: ACCOUNTS })
  process.env.HYPERSLAB_AUDIT = audit
})

afterAll(async () => {
  delete process.env.HYPERSLAB_AUDIT
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

/** Groups in groups, 10 × 10 numbers, strings of variable length, an attribute. */
async function makeFile(path: string): Promise<Buffer> {
  await ready
  const made = new h5wasm.File(path, 'w')
  made.create_attribute('title', 'made by a test')
  const numbers = Int32Array.from({ length: 100 }, (_, i) => Math.floor(i / 10) * (i % 10))
  const inner = made.create_group('g1').create_group('g1.1')
  inner.create_dataset({ name: 'numbers', data: numbers, shape: [10, 10] })
  inner.create_dataset({ name: 'strings', data: ['one', 'two'] })
  made.create_group('g2')
  made.close()
  return readFileSync(path)
}

/** The exit code of a command is that of the process, which is the one of the tests. */
async function end(work: () => Promise<unknown>): Promise<CommandEnd> {
  const { exitCode } = process
  process.exitCode = undefined
  try {
    const { status, ...output } = await runHere(work)
    return { status: Number(process.exitCode ?? status), ...output }
  } finally {
    process.exitCode = exitCode
  }
}

async function send(method: Parameters<typeof sendTo>[1], target: string, body?: object) {
  const reply = await sendTo(server.address, method, target, body, { user: ADMIN })
  expect(reply.status, reply.story).toBeLessThan(300)
}

async function upload(path: string): Promise<void> {
  const answer = await fetch(`${server.address}/?domain=${encodeURIComponent(path)}`, {
    method: 'PUT',
    body: file,
    headers: {
      'content-type': 'application/x-hdf5',
      authorization: `Basic ${Buffer.from(`${ADMIN}:${ACCOUNTS.admin.password}`).toString('base64')}`,
    },
  })
  expect(answer.status, await answer.text()).toBe(201)
}

describe.each(['a running service', 'a data folder'])('commands at %s', place => {
  const isService = place === 'a running service'
  const lines = ({ out }: CommandEnd) => out.split('\n').slice(0, -1)

  function run(...args: readonly string[]): Promise<CommandEnd> {
    const options = isService ? ['--endpoint', server.address, '--user', ADMIN] : ['--data', data]
    return end(() => createProgram().parseAsync([...args, ...options], { from: 'user' }))
  }

  async function done(...args: readonly string[]): Promise<CommandEnd> {
    const result = await run(...args)
    expect(result, JSON.stringify(args)).toMatchObject({ status: 0, err: '' })
    return result
  }

  beforeAll(() => {
    process.env.HYPERSLAB_PASSWORD = ACCOUNTS.admin.password
  })

  beforeEach(async () => {
    await send('PUT', '/?domain=/lab', { folder: true })
    await upload('/lab/a.h5')
  })

  afterEach(async () => {
    await done('rm', '-r', '--yes', '/lab')
  })

  afterAll(() => {
    delete process.env.HYPERSLAB_PASSWORD
  })

  it('ls and tree list folders and groups, in the order of names, each with all below', async () => {
    await done('mkdir', '/lab/z', '/lab/z/in')
    expect(lines(await done('ls', '/'))).toEqual(['/lab/'])
    expect(lines(await done('ls', '/lab/'))).toEqual(['/lab/a.h5', '/lab/z/'])
    expect(lines(await done('ls', '-R', '/lab'))).toEqual(['/lab/a.h5', '/lab/z/', '/lab/z/in/'])
    expect(lines(await done('tree', '/lab'))).toEqual(['/lab', '├── a.h5', '└── z/', '    └── in/'])
    expect(lines(await done('ls', '/lab/a.h5'))).toEqual(['/g1/', '/g2/'])
    expect(lines(await done('ls', '/lab/a.h5', '/g1'))).toEqual(['/g1/g1.1/'])
    expect(lines(await done('ls', '-lR', '/lab/a.h5')).filter(line => line.includes('numbers'))).toEqual([
      expect.stringMatching(/^dataset {7}int32, 10 × 10 +\/g1\/g1.1\/numbers$/),
    ])
    const [first] = lines(await done('ls', '-l', '--json', '/lab')).map(line => JSON.parse(line))
    expect(first).toMatchObject({ name: '/lab/a.h5', class: 'domain', owner: ADMIN, num_datasets: 2 })
  })

  it('names are of any script, and exact in JSON; a control character cannot reach a terminal', async () => {
    const paths = NAMES.map(name => `/lab/names/${name}`)
    await done('mkdir', '-p', ...paths)
    const listed = lines(await done('ls', '--json', '/lab/names')).map(line => JSON.parse(line).name)
    expect(listed.toSorted()).toEqual(paths.toSorted())
    expect((await done('ls', '/lab/names')).out).toContain('/lab/names/line?end/\n')
    for (const path of paths) await done('info', path)
  })

  it('info and cat show objects, attributes and values', async () => {
    expect((await done('info', '/lab/a.h5')).out).toMatch(/owner: +admin\n/)
    const object = JSON.parse((await done('info', '/lab/a.h5', '/g1', '--json')).out)
    expect(object).toMatchObject({ class: 'group', linkCount: 1 })
    const dataset = ['/lab/a.h5', '/g1/g1.1/numbers'] as const
    expect((await done('info', ...dataset)).out).toContain('holds:          int32, 10 × 10\n')
    expect((await done('cat', ...dataset, '--select', '1:3, 0:4')).out).toBe('0,1,2,3\r\n0,2,4,6\r\n')
    expect(JSON.parse((await done('cat', ...dataset, '--select', '[2,3]', '--json')).out).value).toEqual([
      [6],
    ])
    const attribute = await done('cat', '/lab/a.h5', '/', '--attribute', 'title', '--json')
    expect(JSON.parse(attribute.out)).toMatchObject({ name: 'title', value: 'made by a test' })
    expect(await run('cat', '/lab/a.h5', '/g1')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/only datasets/),
    })
  })

  it('mkdir -p makes what is missing; mv and cp take a folder as the new place', async () => {
    expect(await run('mkdir', '/lab')).toMatchObject({
      status: 1,
      err: expect.stringContaining('409 domain-exists'),
    })
    await done('mkdir', '-p', '/lab/x/y', '/lab')
    await done('mv', '/lab/a.h5', '/lab/x/y')
    await done('cp', '/lab/x/y/a.h5', '/lab/b.h5')
    expect(await run('cp', '/lab/x', '/lab/w')).toMatchObject({ status: 1 })
    await done('cp', '-r', '/lab/x', '/lab/w')
    expect(lines(await done('ls', '-R', '/lab'))).toEqual([
      '/lab/b.h5',
      '/lab/w/',
      '/lab/w/y/',
      '/lab/w/y/a.h5',
      '/lab/x/',
      '/lab/x/y/',
      '/lab/x/y/a.h5',
    ])
    expect(await run('cp', '/lab/b.h5', '/lab/w/y/a.h5')).toMatchObject({ status: 1 })
    await done('cp', '--replace', '/lab/b.h5', '/lab/w/y/a.h5')
    expect(await run('cp', '-r', '/lab/x', '/lab/x/y')).toMatchObject({ status: 1 })
  })

  it('rm needs -r for a folder, and --yes without a terminal; then nothing is removed', async () => {
    await done('mkdir', '/lab/z')
    expect(await run('rm', '/lab/a.h5', '/lab/z')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/\/lab\/z is a folder/),
    })
    expect(await run('rm', '-r', '/lab/a.h5', '/lab/z')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/--yes/),
    })
    expect(await run('rm', '/lab/a.h5', '/lab/none')).toMatchObject({
      status: 1,
      err: expect.stringMatching(/404 domain-not-found/),
    })
    expect(lines(await done('ls', '/lab'))).toEqual(['/lab/a.h5', '/lab/z/'])
    await done('rm', '/lab/a.h5')
    expect(lines(await done('ls', '/lab'))).toEqual(['/lab/z/'])
  })

  it('acl sets exactly the named permissions', async () => {
    await done('acl', 'set', '/lab/a.h5', 'test_user1', 'read,update')
    expect(lines(await done('acl', 'show', '/lab/a.h5'))).toContain('test_user1 read,update')
    await done('acl', 'set', '/lab/a.h5', 'test_user1', 'read')
    expect(lines(await done('acl', 'show', '/lab/a.h5'))).toContain('test_user1 read')
    await done('acl', 'remove', '/lab/a.h5', 'test_user1')
    expect((await done('acl', 'show', '/lab/a.h5')).out).not.toContain('test_user1')
    expect(await run('acl', 'set', '/lab', 'test_user1', 'rea')).toMatchObject({ status: 2 })
  })

  it('export -r writes the domains below a folder, in folders of the same names, and each once', async () => {
    await done('mkdir', '/lab/in')
    await done('cp', '/lab/a.h5', '/lab/in/b')
    const to = join(directory, isService ? 'of-service' : 'of-store')
    const { out } = await done('export', '-r', '/lab', '--to', to)
    expect(out.split('\n').slice(0, -1)).toEqual([
      expect.stringContaining(`/lab/a.h5 -> ${to}/lab/a.h5: `),
      expect.stringContaining(`/lab/in/b -> ${to}/lab/in/b.h5: `),
    ])
    for (const name of ['a.h5', 'in/b.h5']) {
      const exported = new h5wasm.File(join(to, 'lab', name), 'r')
      const strings = exported.get('/g1/g1.1/strings')
      expect(strings instanceof h5wasm.Dataset && strings.to_array()).toEqual(['one', 'two'])
      exported.close()
    }
    const again = await run('export', '/lab/a.h5', '/lab/none', '--to', join(to, 'lab'))
    expect(again).toMatchObject({ status: 1, out: '' })
    expect(again.err).toMatch(/is there already.*\n\/lab\/none: .*\n.*2 of 2 domains/)
  })

  it('quota limits a folder, and chown and acl -r change all below it', async () => {
    const { out } = await done('quota', 'set', '/lab', '--bytes', '1.5Mi', '--objects', '6')
    expect(out.split('\n')[1]).toMatch(/^\/lab +[\d.]+ KiB +1\.5 MiB +6 +6$/)
    const refused = await run('cp', '/lab/a.h5', '/lab/b.h5')
    expect(refused.status).toBe(1)
    expect(refused.err).toContain('507 quota-exceeded: the quota of the folder /lab is 6 objects')
    await done('quota', 'remove', '/lab')
    expect(await run('quota', 'remove', '/lab')).toMatchObject({ status: 1, out: '' })
    expect(await run('quota', 'set', '/lab', '--bytes', 'much')).toMatchObject({ status: 2, out: '' })
    await done('chown', '-r', 'test_user1', '/lab')
    await done('acl', 'set', '-r', '/lab', 'default', 'read')
    expect((await done('acl', 'show', '/lab/a.h5')).out).toMatch(/^default read$/m)
    await done('acl', 'remove', '-r', '/lab', 'default')
    expect((await done('acl', 'show', '/lab/a.h5')).out).toBe('test_user1 all\n')
  })

  it('du counts the bytes of datasets and of folders', async () => {
    const sizes = lines(await done('du', '--json', '/lab/a.h5')).map(line => JSON.parse(line))
    expect(sizes).toContainEqual({ bytes: 400, name: '/g1/g1.1/numbers' })
    const whole = sizes.at(-1)
    expect(lines(await done('du', '--json', '/lab')).map(line => JSON.parse(line))).toEqual([
      { ...whole, name: '/lab/a.h5' },
      { ...whole, bytes: expect.any(Number), name: '/lab' },
    ])
  })

  it('diff finds each difference, and none of a copy', async () => {
    await done('cp', '/lab/a.h5', '/lab/b.h5')
    expect((await run('diff', '/lab/a.h5', '/lab/b.h5')).out).toBe('')
    const id = async (path: string) => {
      const reply = await sendTo(server.address, 'GET', `/?domain=/lab/b.h5&h5path=${path}`, undefined, {
        user: ADMIN,
      })
      return reply.json<{ id: string }>().id
    }
    const [root, dataset] = [await id('/'), await id('/g1/g1.1/numbers')]
    const strings = await id('/g1/g1.1/strings')
    await send('PUT', `/datasets/${dataset}/value?domain=/lab/b.h5&select=[9:10,8:9]`, { value: [[-1]] })
    await send('PUT', `/datasets/${strings}/value?domain=/lab/b.h5`, { value: ['one', 'three'] })
    await send('DELETE', `/groups/${root}/links/g2?domain=/lab/b.h5`)
    for (const [title, h5path] of [
      ['\ufffd', '/g1'],
      ['\u{1f600}', '/g1'],
    ])
      await send('PUT', `/groups/${root}/links/${encodeURIComponent(String(title))}?domain=/lab/b.h5`, {
        h5path,
      })
    await send('PUT', `/groups/${root}/attributes/new?domain=/lab/b.h5`, { type: 'H5T_STD_I8LE', value: 1 })
    const { status, out } = await run('diff', '/lab/a.h5', '/lab/b.h5')
    expect(status).toBe(1)
    expect(out.split('\n')).toEqual([
      '/: attribute new only in the second domain',
      '/g1/g1.1/numbers: values, the first at [9,8]',
      '/g1/g1.1/strings: values',
      '/g2: only in the first domain',
      '/\ufffd: only in the second domain',
      '/\u{1f600}: only in the second domain',
      '',
    ])
    expect(await run('diff', '/lab/a.h5', '/lab/none.h5')).toMatchObject({
      status: 2,
      err: expect.stringMatching(/404/),
    })
  })

  it('an error of the service is one line with its code', async () => {
    const { status, err } = await run('ls', '/none')
    expect(status).toBe(1)
    expect(err).toMatch(/^hyperslab: (http:\S+: )?404 domain-not-found: [^\n]+\n$/)
  })

  it('changes have lines in the audit', async () => {
    await done('mkdir', '/lab/audited')
    const entries = readFileSync(join(directory, 'audit.log'), 'utf8')
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    const entry = entries.findLast(({ operation }) => operation === 'create-domain')
    expect(entry).toMatchObject({ what: { path: '/lab/audited', folder: true }, outcome: 'done' })
    if (isService) expect(entry).toMatchObject({ user: ADMIN, login: 'password' })
    else {
      expect(entry).toMatchObject({ login: 'command', systemUser: expect.any(String) })
      expect(entry).not.toHaveProperty('address')
    }
  })
})

describe('the service that a command asks', () => {
  const ask = (...args: readonly string[]) =>
    end(() => createProgram().parseAsync(['ls', ...args], { from: 'user' }))

  it('is that of --endpoint, --data or HYPERSLAB_ENDPOINT, in this order, and never two', async () => {
    process.env.HYPERSLAB_ENDPOINT = 'http://127.0.0.1:1'
    try {
      expect(await ask()).toMatchObject({ status: 1, err: expect.stringContaining('http://127.0.0.1:1') })
      expect(await ask('--data', data)).toMatchObject({ status: 0 })
      expect(await ask('--endpoint', server.address)).toMatchObject({ status: 0 })
      expect(await ask('--endpoint', server.address, '--data', data)).toMatchObject({ status: 2 })
      expect(await ask('--data', data, '--user', ADMIN)).toMatchObject({ status: 2 })
    } finally {
      delete process.env.HYPERSLAB_ENDPOINT
    }
  })

  it('knows its caller by HYPERSLAB_TOKEN', async () => {
    process.env.HYPERSLAB_TOKEN = 'hyperslab_unknown'
    try {
      const { status, err } = await ask('--endpoint', server.address)
      expect(status).toBe(1)
      expect(err).toMatch(/401 wrong-credentials/)
    } finally {
      delete process.env.HYPERSLAB_TOKEN
    }
  })
})
