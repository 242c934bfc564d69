// Tokens and shares of one domain whose values and links lead into other files: the values belong to it, and links are
// followed only within the scope (common 20).

import { execFileSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { basic, type Method, type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

const VALUES = [1000, 1001, 1002, 1003, 1004, 1005]
const MASTER = '/lab/master.h5'
const SOURCE = '/lab/parts/source.h5'
const END = '2999-01-01'

describe.skipIf(missing)('the master file of others', () => {
  let directory: string
  let server: ServedHere
  /** The credentials and the beginning of the address of each caller. */
  const callers = new Map<string, { readonly authorization?: string; readonly prefix: string }>()

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    const files = join(directory, 'files')
    await mkdir(files)
    run('make-master.py', [files])
    // It is beside the folder that is mounted, and no link leads there.
    writeFileSync(join(directory, 'outside.raw'), new Uint8Array(24).fill(7))
    const users = { root: { password: 'secret', admin: true } }
    server = await serveHere({ mount: [`${files}=/lab`] }, { users })
    const root = basic('root', 'secret')
    callers.set('its user', { authorization: root, prefix: '' })
    for (const [name, within] of [
      ['a token of it', MASTER],
      ['a token of its folder', '/lab'],
    ] as const) {
      const body = { name, end: END, within }
      const { token } = (await sendAs(root, 'POST', '/tokens', body)).json<{ token: string }>()
      callers.set(name, { authorization: `Bearer ${token}`, prefix: '' })
    }
    for (const [name, domain, h5path] of [
      ['a share of it', MASTER, undefined],
      ['a share of its folder', '/lab', undefined],
      ['a share of its virtual dataset', MASTER, '/virtual'],
    ] as const) {
      const body = { domain, end: END, ...(h5path && { h5path }) }
      const { address } = (await sendAs(root, 'POST', '/shares', body)).json<{ address: string }>()
      callers.set(name, { prefix: new URL(address).pathname.replace(/\/$/, '') })
    }
  })

  afterAll(async () => {
    await server?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  const sendAs = (authorization: string | undefined, method: Method, target: string, body?: unknown) =>
    sendTo(server.address, method, target, body, {
      headers: authorization === undefined ? {} : { authorization },
      undeclared: true,
    })

  function get(caller: string, target: string): Promise<Reply> {
    const { authorization, prefix = '' } = callers.get(caller) ?? {}
    return sendAs(authorization, 'GET', prefix + target)
  }

  async function readValues(caller: string, name: string): Promise<Reply> {
    const found = await get(caller, `/?domain=${MASTER}&h5path=/${name}`)
    return get(caller, `/datasets/${found.json().id}/value?domain=${MASTER}`)
  }

  const ALL = ['its user', 'a token of it', 'a token of its folder', 'a share of it', 'a share of its folder']

  it('is sent at /h5 with the values of the others, in ranges of one state', async () => {
    const send = () => get('its user', `/h5${MASTER}?skip_unreadable=1`)
    // A file that was written a moment ago may not be complete yet.
    await expect.poll(async () => (await send()).status).toBe(200)
    const answer = await send()
    expect([answer.status, answer.headers['x-left-out']]).toEqual([200, '/outside'])
    const path = join(directory, 'sent.h5')
    writeFileSync(path, answer.bytes)
    const read =
      'import h5py, sys; f = h5py.File(sys.argv[1]); print([f[n][()].tolist() for n in sys.argv[2:]])'
    const shown = execFileSync(String(PYTHON), ['-c', read, path, 'virtual', 'behind', 'raw'], {
      encoding: 'utf8',
    })
    expect(JSON.parse(shown)).toEqual([VALUES, VALUES, VALUES])
    const part = await get('its user', `/h5${MASTER}?skip_unreadable=1`)
    expect(part.headers.etag).toBe(answer.headers.etag)
    // Without the values of one of them it would look complete.
    const refused = await get('its user', `/h5${MASTER}`)
    expect([refused.status, refused.text]).toEqual([501, expect.stringContaining('/outside')])
    const own = await get('its user', `/h5${MASTER}?repack=0`)
    expect(own.bytes.equals(readFileSync(join(directory, 'files', 'master.h5')))).toBe(true)
    expect(own.headers.etag).not.toBe(answer.headers.etag)
  })

  it.each([
    ['its user', ['parts/source.h5', 'parts/second.h5']],
    ['a token of its folder', ['parts/source.h5', 'parts/second.h5']],
    ['a share of its folder', ['parts/source.h5', 'parts/second.h5']],
    ['a token of it', []],
    ['a share of it', []],
  ])('for %s, a header at /h5 names the files that it may read', async (caller, names) => {
    const { authorization, prefix = '' } = callers.get(caller) ?? {}
    const target = `${prefix}/h5${MASTER}?skip_unreadable=1`
    const linkTo = (name: string) => `<${server.address}${prefix}/h5/lab/${name}>; rel="related"`
    const wanted = names.length === 0 ? [''] : names.map(linkTo).sort()
    for (const method of ['GET', 'HEAD'] as const) {
      const { status, headers } = await sendAs(authorization, method, target)
      expect([status, `${headers.link ?? ''}`.split(', ').sort()]).toEqual([200, wanted])
    }
    const part = await sendTo(server.address, 'GET', target, undefined, {
      headers: { range: 'bytes=0-3', ...(authorization !== undefined && { authorization }) },
    })
    expect([part.status, part.headers.link]).toEqual([206, undefined])
  })

  it('has another tag when a file with its values changes', async () => {
    const target = `/h5${MASTER}?skip_unreadable=1`
    const { etag } = (await get('its user', target)).headers
    const raw = join(directory, 'files', 'parts', 'values.raw')
    const before = readFileSync(raw)
    writeFileSync(
      raw,
      before.map(byte => byte ^ 1),
    )
    await expect.poll(async () => (await get('its user', target)).headers.etag ?? etag).not.toBe(etag)
    writeFileSync(raw, before)
  })

  it.each([
    ...ALL.flatMap(caller => ['virtual', 'behind', 'raw'].map(name => [caller, name] as const)),
    ['a share of its virtual dataset', 'virtual'] as const,
  ])('for %s, %s has its values from the other files', async (caller, name) => {
    const read = await readValues(caller, name)
    expect(read.status, read.story).toBe(200)
    expect(read.json().value).toEqual(VALUES)
    const viewed = await get(caller, `/h5grove/data/?file=${MASTER}&path=/${name}`)
    expect(viewed.json()).toEqual(VALUES)
    const chunk = await get(caller, `/zarr/v3${MASTER}/${name}/c/0`)
    expect([...new Int32Array(Uint8Array.from(chunk.bytes).buffer)]).toEqual(VALUES)
    const picture = await get(caller, `/thumbnail?domain=${MASTER}&h5path=/${name}`)
    expect(picture.status, picture.story).toBe(200)
    const references = await get(caller, `/zarr/refs${MASTER}`)
    const { refs } = references.json<{ refs: Record<string, unknown> }>()
    const place = new RegExp(`^http://[^/]+${callers.get(caller)?.prefix}/zarr/v2/~[^/]+${MASTER}/${name}/0$`)
    expect(refs[`${name}/0`]).toEqual([expect.stringMatching(place), 0, 24])
  })

  it.each(ALL)('for %s, a file beside the mounted folder is not there', async caller => {
    const reply = await readValues(caller, 'outside')
    expect(reply.status, reply.story).toBe(501)
    expect(reply.json().code).toBe('values-unreadable')
  })

  it.each([
    ['its user', 200],
    ['a token of its folder', 200],
    ['a share of its folder', 200],
    ['a token of it', 404],
    ['a share of it', 404],
    ['a share of its virtual dataset', 404],
  ])('for %s, an external link is followed with %i', async (caller, status) => {
    const followed = await get(caller, `/?domain=${MASTER}&h5path=/out&follow_external_links=1`)
    expect(followed.status, followed.story).toBe(status)
    const viewed = await get(caller, `/h5grove/data/?file=${MASTER}&path=/out`)
    expect(viewed.status, viewed.story).toBe(status)
    const references = await get(caller, `/zarr/refs${MASTER}`)
    expect(references.text.includes(SOURCE)).toBe(status === 200)
    const own = await get(caller, `/?domain=${SOURCE}`)
    expect(own.status, own.story).toBe(status === 200 ? 200 : 403)
  })
})
