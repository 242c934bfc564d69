// HDF5 files that become domains, in both dialects (common 13; docs/guide/importing.md). Files are those that the
// server itself gives, and a fixture; what files of other programs become is tested with imports.

import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { newHost, removeDomain as removeClassic, withHost } from './classic/domain.ts'
import { ADMIN, basic, type Fields, type Options, type Reply, send, USER1, USER2 } from './client.ts'
import {
  type Domain,
  expectRefusal,
  HOME,
  makeHome,
  newDomain,
  newPath,
  removeDomain,
} from './hsds/domain.ts'
import { RawConnection } from './raw-connection.ts'

const FILE = 'application/x-hdf5'
const UNKNOWN_FILTER = fileURLToPath(new URL('./fixtures/unknown-filter.h5', import.meta.url))
const LOSSY = fileURLToPath(new URL('./fixtures/user-defined-link.h5', import.meta.url))

let small: Buffer
beforeAll(async () => {
  await makeHome()
  small = await readFile(LOSSY)
})

function upload(
  path: string,
  body: Uint8Array,
  query = '',
  { user = USER1, headers }: Options = {},
): Promise<Reply> {
  onTestFinished(() => removeDomain(path))
  const target = `/?domain=${encodeURIComponent(path)}${query}`
  return send('PUT', target, body, { user, headers: { 'content-type': FILE, ...headers } })
}

async function download({ path }: Pick<Domain, 'path'>): Promise<Buffer> {
  const target = `/?format=hdf5&domain=${encodeURIComponent(path)}`
  const reply = await send('GET', target, undefined, { user: ADMIN })
  expect(reply.status, reply.story).toBe(200)
  return reply.bytes
}

async function isThere(path: string): Promise<boolean> {
  const reply = await send('GET', `/?domain=${encodeURIComponent(path)}`, undefined, { user: ADMIN })
  return reply.status === 200
}

/** All that a domain has, but for ids and times. */
async function contentsOf(path: string): Promise<unknown> {
  const ask = async (target: string) => {
    const separator = target.includes('?') ? '&' : '?'
    const reply = await send('GET', `${target}${separator}domain=${encodeURIComponent(path)}`, undefined, {
      user: ADMIN,
    })
    expect(reply.status, reply.story).toBe(200)
    return reply.json<Record<string, never>>()
  }
  const objectAt = async (collection: string, id: string): Promise<unknown> => {
    const { type, shape } = await ask(`/${collection}/${id}`)
    const { attributes } = await ask(`/${collection}/${id}/attributes?IncludeData=1`)
    const named = (attributes as Fields[]).map(({ name, type, shape, value }) => ({
      name,
      type,
      shape,
      value,
    }))
    if (collection === 'datasets') {
      const { value } = await ask(`/datasets/${id}/value`)
      return { type, shape, named, value }
    }
    const links = collection === 'groups' ? (await ask(`/groups/${id}/links?CreateOrder=1`)).links : []
    const members = []
    for (const { title, class: kind, id: target, collection: of, h5path, h5domain } of links as Record<
      string,
      string
    >[]) {
      members.push({ title, kind, h5path, h5domain, object: target && of && (await objectAt(of, target)) })
    }
    return { type, named, members }
  }
  const { root } = await ask('/')
  return objectAt('groups', String(root))
}

/** One with objects of each kind, values, attributes and links. */
async function filledDomain(): Promise<Domain> {
  const domain = await newDomain()
  const group = await domain.group('größe')
  const link = (name: string, id = domain.root) => ({ id, name })
  await domain.datatype({ type: 'H5T_STD_I16LE', link: link('type') })
  const floats = await domain.dataset({ type: 'H5T_IEEE_F64LE', shape: [2, 3], link: link('z', group) })
  await domain.want(200, 'PUT', `/datasets/${floats}/value`, {
    value: [
      [1, 2, 3],
      [4, 5, 0.5],
    ],
  })
  const text = {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
    length: 'H5T_VARIABLE',
  }
  const texts = await domain.dataset({ type: text, shape: [2], link: link('a', group) })
  await domain.want(200, 'PUT', `/datasets/${texts}/value`, { value: ['ä', ''] })
  await domain.dataset({ type: 'H5T_STD_I32LE', link: link('scalar') })
  await domain.dataset({ type: 'H5T_STD_I32LE', shape: [0], maxdims: [0], link: link('empty') })
  await domain.want(201, 'PUT', `/groups/${group}/links/soft`, { h5path: '/größe/z' })
  await domain.want(201, 'PUT', `/groups/${group}/attributes/unit`, {
    type: 'H5T_STD_I8LE',
    shape: [2],
    value: [1, 2],
  })
  return domain
}

describe('a file that becomes a domain', () => {
  test('without its content type is refused with the content type that it needs', async () => {
    const path = newPath()
    for (const target of [`/run7.h5?domain=${path}`, '/run7.h5']) {
      const refused = await send('PUT', target, small, { user: USER1, headers: { 'content-type': '' } })
      expect(refused.status, refused.story).toBe(target.includes('?') ? 404 : 400)
      expect(refused.json()).toMatchObject({
        code: 'route-not-found',
        message: expect.stringContaining(FILE),
      })
    }
    const elsewhere = await send('PUT', `/a/b?domain=${path}`, small, { user: USER1 })
    expect(elsewhere.json().message).not.toContain(FILE)
  })

  test('has all that the domain had from which it was taken, and so on', async () => {
    const domain = await filledDomain()
    const file = await download(domain)
    const path = newPath()
    const created = await upload(path, file)
    expect(created.status, created.story).toBe(201)
    expect(created.json()).toMatchObject({ class: 'domain', owner: USER1, warnings: [] })
    expect(await contentsOf(path)).toEqual(await contentsOf(domain.path))
    expect((await download({ path })).length).toBe(file.length)
  })

  test('is created by the classic dialect with the folders above it', async () => {
    const host = `a.${newHost()}`
    onTestFinished(() => removeClassic(host))
    const file = await download(await filledDomain())
    const created = await send(
      'PUT',
      '/',
      file,
      withHost(host, { headers: { 'content-type': `${FILE}; x=1` } }),
    )
    expect(created.status, created.story).toBe(201)
    const { root } = created.json()
    const shown = await send('GET', '/', undefined, withHost(host))
    expect(shown.json()).toMatchObject({ root })
    const again = await send('PUT', '/', file, withHost(host, { headers: { 'content-type': FILE } }))
    expect(again.status, again.story).toBe(409)
  })

  test('tells what is lost of it; with strict it is refused and nothing is there', async () => {
    const path = newPath()
    const refused = await upload(path, small.subarray(0, small.length - 100), '&strict=1')
    expectRefusal(refused, 400)
    expect(refused.json()).toMatchObject({ code: 'file-unreadable' })
    expect(await isThere(path)).toBe(false)
    const created = await upload(path, small.subarray(0, small.length - 100))
    expect(created.status, created.story).toBe(201)
    const { warnings } = created.json<{ warnings: Fields[] }>()
    expect(warnings).toContainEqual({ path: '/', message: expect.stringContaining('cut off') })
  })

  test('has links that lead where linked_files says', async () => {
    const domain = await newDomain()
    const other = await newDomain()
    const last = other.path.slice(HOME.length + 1)
    const links = { folder: `/far/b/${last}`, file: '/far/c/run.h5', none: '/far/d/none.h5' }
    for (const [title, h5domain] of Object.entries(links))
      await domain.want(201, 'PUT', `/groups/${domain.root}/links/${title}`, { h5domain, h5path: '/' })
    const path = newPath()
    const files = { '/far/b/': './', '/far/c/run.h5': last, '/far/d/': '../../../../../' }
    const query = `&linked_files=${encodeURIComponent(JSON.stringify(files))}`
    const reply = await upload(path, await download(domain), query)
    expect(reply.status, reply.story).toBe(201)
    const behind = async (of: string, title: string) => {
      const target = `/?domain=${encodeURIComponent(of)}&h5path=/${title}&follow_external_links=1`
      const found = await send('GET', target, undefined, { user: USER1 })
      return found.status === 200 ? found.json<Fields>().id : found.status
    }
    expect(await behind(path, 'folder')).toBe(other.root)
    expect(await behind(path, 'file')).toBe(other.root)
    expect(await behind(path, 'none')).toBe(404)
    // The last part of a name is looked for beside the domain without it, too.
    expect(await behind(domain.path, 'folder')).toBe(other.root)
    expect(await behind(domain.path, 'file')).toBe(404)
  })

  test.each(['[]', '{', '{"/a/":1}', '{"/a/":"/b/"}', '{"/a/":"b"}'])(
    'with linked_files=%s is refused, and nothing is there',
    async files => {
      const path = newPath()
      expectRefusal(await upload(path, small, `&linked_files=${encodeURIComponent(files)}`), 400)
      expect(await isThere(path)).toBe(false)
    },
  )

  test('whose values are cut off is a domain whose file lacks them, if that is asked for', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({
      type: 'H5T_STD_I32LE',
      shape: [30_000],
      link: { id: domain.root, name: 'cut, ä' },
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: new Array(30_000).fill(7) })
    const file = await download(domain)
    const path = newPath()
    const created = await upload(path, file.subarray(0, file.length - 50_000))
    expect(created.status, created.story).toBe(201)
    const target = `/?format=hdf5&domain=${encodeURIComponent(path)}`
    const refused = await send('GET', target, undefined, { user: USER1 })
    expectRefusal(refused, 501)
    expect(refused.json()).toMatchObject({
      code: 'values-unreadable',
      message: expect.stringContaining('/cut, ä: '),
    })
    const rest = await send('GET', `${target}&skip_unreadable=1`, undefined, { user: USER1 })
    expect(rest.status, rest.story).toBe(200)
    expect(rest.headers['x-left-out']).toBe('/cut%2C%20%C3%A4')
  })

  test('replaces a domain with replace=1 in one step; its owner and list stay', async () => {
    const domain = await filledDomain()
    await domain.want(201, 'PUT', `/acls/${USER2}`, { read: true })
    expectRefusal(await upload(domain.path, small), 409)
    expectRefusal(await upload(domain.path, small, '&replace=1', { user: USER2 }), 403)
    const replaced = await upload(domain.path, small, '&replace=1', { user: ADMIN })
    expect(replaced.status, replaced.story).toBe(201)
    const { root, owner, acls } = replaced.json<{ root: string; owner: string; acls: Fields }>()
    expect(owner).toBe(USER1)
    expect(acls).toHaveProperty(USER2)
    expect(root).not.toBe(domain.root)
    const shown = await domain.want(200, 'GET', '/', undefined, { user: USER2 })
    expect(shown.root).toBe(root)
  })

  test('is created if nothing is there, with If-None-Match: *', async () => {
    const path = newPath()
    const headers = { 'If-None-Match': '*' }
    expect((await upload(path, small, '', { headers })).status).toBe(201)
    expectRefusal(await upload(path, small, '&replace=1', { headers }), 412)
  })
})

describe('a body that does not become a domain', () => {
  test.each<[string, () => Uint8Array, string]>([
    ['nothing', () => new Uint8Array(0), 'not-hdf5'],
    ['text', () => Buffer.from('{"folder": 1}'), 'not-hdf5'],
    ['zeros', () => new Uint8Array(100_000), 'not-hdf5'],
    ['a signature', () => small.subarray(0, 8), 'file-unreadable'],
    ['half a superblock', () => small.subarray(0, 20), 'file-unreadable'],
    ['a root group that is cut off', () => small.subarray(0, 100), 'file-unreadable'],
  ])('%s', async (_, bytes, code) => {
    const path = newPath()
    const refused = await upload(path, bytes())
    expectRefusal(refused, 400)
    expect(refused.json()).toMatchObject({ code })
    expect(await isThere(path)).toBe(false)
  })

  test('damage anywhere is no failure of the service', async () => {
    const file = await download(await filledDomain())
    const path = newPath()
    for (let at = 8; at < 3000; at += 97) {
      const damaged = Buffer.from(file)
      damaged[at] ^= 0xff
      const reply = await upload(path, damaged, '&replace=1')
      expect([201, 400, 501], reply.story).toContain(reply.status)
    }
  })

  test('a file where a domain cannot be', async () => {
    expectRefusal(await upload(`${newPath()}/x.h5`, small), 404)
    const options = { user: ADMIN, headers: { 'content-type': FILE } }
    expectRefusal(await send('PUT', `/?domain=${HOME}`, small, options), 409)
    expectRefusal(await send('PUT', `/?domain=${HOME}&replace=1`, small, options), 409)
    expectRefusal(await send('PUT', '/?domain=/', small, options), 400)
    const domain = await newDomain()
    expectRefusal(await upload(`${domain.path}/x.h5`, small), 400)
    for (const flag of ['folder', 'flush', 'rescan'])
      expectRefusal(await upload(newPath(), small, `&${flag}=1`), 400)
  })

  test('a file of a caller that may not create there', async () => {
    const path = newPath()
    expectRefusal(await upload(path, small, '', { user: USER2 }), 403)
    const target = `/?domain=${encodeURIComponent(path)}`
    expectRefusal(await send('PUT', target, small, { headers: { 'content-type': FILE } }), 401)
    expect(await isThere(path)).toBe(false)
  })

  test('a file at the top level, where only administrators create domains', async () => {
    const path = `/${newPath().split('/').at(-1)}`
    for (const query of ['', '&replace=1']) expectRefusal(await upload(path, small, query), 403)
    expect(await isThere(path)).toBe(false)
    const created = await upload(path, small, '', { user: ADMIN })
    expect(created.status, created.story).toBe(201)
    expectRefusal(await upload(path, small, '&replace=1'), 403)
  })

  /** Begins an upload that announces more than it sends. */
  function begin(path: string, headers: Readonly<Record<string, string>>): RawConnection {
    const all = { Host: 'x', Authorization: basic(USER1), 'Content-Type': FILE, ...headers }
    const connection = new RawConnection(inject('address'))
    onTestFinished(() => connection.leave())
    const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
    connection.send(`PUT /?domain=${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`)
    return connection
  }

  test('a caller that may not create there is refused before the file comes', async () => {
    const target = newPath('/home/test_user2_has_none')
    const answer = await begin(target, { 'Content-Length': '100000000', Expect: '100-continue' }).answer()
    expect([403, 404]).toContain(answer?.status)
    const taken = await newDomain()
    const second = await begin(taken.path, { 'Content-Length': '100000000', Expect: '100-continue' }).answer()
    expect(second?.status).toBe(409)
  })

  test('a file whose client leaves in the middle', async () => {
    const path = newPath()
    const connection = begin(path, { 'Content-Length': String(8 << 20) })
    connection.socket.write(small)
    connection.socket.write(new Uint8Array(6 << 20))
    await once(connection.socket, 'drain')
    await connection.leave()
    // Whatever is left of it, the same name is free.
    await vi.waitFor(async () => expect((await upload(path, small)).status).toBe(201), { timeout: 60_000 })
  })
})

describe('chunks that went through a filter that the service does not have', () => {
  const FIRST = Buffer.from('RAWBYTES-ONE')
  const EDGE = Buffer.from('edge chunk, unknown')

  async function uploaded(): Promise<{
    readonly path: string
    readonly ids: Readonly<Record<string, string>>
  }> {
    const path = newPath()
    const reply = await upload(path, await readFile(UNKNOWN_FILTER))
    expect([reply.status, reply.json().warnings], reply.story).toEqual([201, []])
    const ids: Record<string, string> = {}
    for (const name of ['plain', 'mixed']) {
      const found = await send('GET', `/?h5path=/${name}&domain=${encodeURIComponent(path)}`, undefined, {
        user: USER1,
      })
      ids[name] = found.json<{ id: string }>().id
    }
    return { path, ids }
  }

  test('are in a download as they were, and reading their values is an error that names the filter', async () => {
    const { path, ids } = await uploaded()
    const file = await send('GET', `/?format=hdf5&repack=1&domain=${encodeURIComponent(path)}`, undefined, {
      user: USER1,
    })
    expect(file.status, file.story).toBe(200)
    expect([FIRST, EDGE].map(bytes => file.bytes.includes(bytes))).toEqual([true, true])
    const again = newPath()
    expect((await upload(again, file.bytes)).json().warnings).toEqual([])
    for (const id of Object.values(ids)) {
      const value = await send('GET', `/datasets/${id}/value?domain=${encodeURIComponent(path)}`, undefined, {
        user: USER1,
      })
      expect([value.status, value.json().code]).toEqual([501, 'values-unreadable'])
      expect(value.json().message).toContain('its filter 65001 is not available')
    }
    const sound = `/datasets/${ids.mixed}/value?select=[10:13]&domain=${encodeURIComponent(path)}`
    expect((await send('GET', sound, undefined, { user: USER1 })).json().value).toEqual([0, 1, 2])
    const shown = await send('GET', `/datasets/${ids.plain}?domain=${encodeURIComponent(path)}`, undefined, {
      user: USER1,
    })
    expect(shown.json()).toMatchObject({
      creationProperties: { filters: [{ id: 65001, parameters: [7, 8, 9] }] },
    })
  })

  test('cannot be changed in part, which changes nothing; a whole one can be replaced', async () => {
    const { path, ids } = await uploaded()
    const target = `/datasets/${ids.plain}/value?domain=${encodeURIComponent(path)}`
    const part = await send('PUT', target, { start: [2], stop: [3], value: [7] }, { user: USER1 })
    expect([part.status, part.json().code], part.story).toEqual([501, 'values-unreadable'])
    const whole = { start: [10], stop: [20], value: Array.from({ length: 10 }, (_, i) => i) }
    expect((await send('PUT', target, whole, { user: USER1 })).status).toBe(200)
    const value = await send('GET', `${target}&select=[10:20]`, undefined, { user: USER1 })
    expect(value.json().value).toEqual(whole.value)
    expect((await download({ path })).includes(FIRST)).toBe(true)
  })
})

describe('at its plain address', () => {
  const put = (path: string, body: Uint8Array | string, options: Options = {}) =>
    send('PUT', `/h5${path}`, body, { user: USER1, ...options })

  test('a file is put, replaced, guarded by its tag, and deleted, whatever its content type is', async () => {
    const path = newPath()
    onTestFinished(() => removeDomain(path))
    const created = await put(path, small, { headers: { 'if-none-match': '*' } })
    expect(created.status, created.story).toBe(201)
    expect(created.json()).toMatchObject({ domain: path, warnings: expect.any(Array) })
    expectRefusal(await put(path, small, { headers: { 'if-none-match': '*' } }), 412)
    const { etag } = (await send('HEAD', `/h5${path}`, undefined, { user: USER1 })).headers
    expect((await put(path, small, { headers: { 'if-match': `${etag}` } })).status).toBe(201)
    expect((await put(path, small)).status).toBe(201)
    const got = await send('GET', `/h5${path}`, undefined, { user: USER1 })
    expect(got.bytes.subarray(1, 4).toString()).toBe('HDF')
    expect((await send('DELETE', `/h5${path}`, undefined, { user: USER1 })).status).toBe(204)
    expect(await isThere(path)).toBe(false)
    expectRefusal(await send('DELETE', `/h5${path}`, undefined, { user: USER1 }), 410)
  })

  test('what is no file, a folder, a state, and callers without permission are refused', async () => {
    const path = newPath()
    onTestFinished(() => removeDomain(path))
    expectRefusal(await put(path, 'no file'), 400)
    expect(await isThere(path)).toBe(false)
    expectRefusal(await put(`${newPath()}/x.h5`, small), 404)
    expectRefusal(await put(`${path}/`, small), 400)
    expectRefusal(await put(`/~${'0'.repeat(32)}${path}`, small), 400)
    expectRefusal(await put(path, small, { user: USER2 }), 403)
    expectRefusal(await put(path, small, { user: undefined }), 401)
    expect((await put(path, small)).status).toBe(201)
    expectRefusal(await put(path, small, { user: USER2 }), 403)
    expectRefusal(await send('DELETE', `/h5${path}`, undefined, { user: USER2 }), 403)
    expectRefusal(await send('DELETE', `/h5${path}/`, undefined, { user: USER1 }), 400)
  })
})
