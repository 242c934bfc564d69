import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openH5File } from '@hyperslab/h5/reader'
import { parseDomainPath } from '@hyperslab/model/names'
import type { Page } from '@hyperslab/store/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { collect } from '../../../../test/fixtures/file-of-structures.ts'
import { type RangeServer, startRangeServer } from '../../../../test/fixtures/range-server.ts'
import type { Mount, MountedFile } from '../mount.ts'
import { isRemoteSource, openRemoteMount } from './open-remote-mount.ts'

const SIGNATURE = Buffer.from('\x89HDF\r\n\x1a\n', 'latin1')

/** A file that mounts take for an HDF5 file: they look at the signature only. */
function fileOf(length: number, userBlock = 0): Buffer {
  const bytes = Buffer.alloc(length, 7)
  SIGNATURE.copy(bytes, userBlock)
  return bytes
}

let server: RangeServer
let folder: string
let warnings: string[]
const open: Mount[] = []

beforeEach(async () => {
  warnings = []
  server = await startRangeServer()
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-remote-'))
})

afterEach(async () => {
  for (const mount of open.splice(0)) await mount.close()
  await server.close()
  rmSync(folder, { recursive: true })
})

function mountOf(source: string, path: string, maxAge = 60_000): Mount {
  const mount = openRemoteMount(source, parseDomainPath(path), {
    maxAge,
    timeout: 2000,
    warn: message => warnings.push(message),
  })
  open.push(mount)
  return mount
}

function mountList(lines: readonly string[], maxAge?: number): Mount {
  const list = join(folder, 'list.txt')
  writeFileSync(list, lines.join('\n'))
  return mountOf(list, '/lab', maxAge)
}

async function find(mount: Mount, path: string): Promise<MountedFile> {
  const found = await mount.find(parseDomainPath(path))
  if (found?.kind !== 'file') throw new Error(`${path} is ${found?.kind}`)
  return found
}

async function childrenOf(mount: Mount, path: string, page?: Page): Promise<string[]> {
  const children: string[] = []
  for await (const { kind, path: child } of mount.children(parseDomainPath(path), page))
    children.push(`${kind} ${child}`)
  return children
}

describe('a mount of one address', () => {
  it('finds the file by one request, which gives its first bytes too', async () => {
    const bytes = fileOf(5000)
    const lastModified = 'Wed, 21 Oct 2015 07:28:00 GMT'
    server.files.set('/data/a.h5', { bytes, etag: '"one"', lastModified })
    const mount = mountOf(`${server.address}/data/a.h5`, '/lab/run.h5')
    expect(mount.path).toBe('/lab')
    const file = await find(mount, '/lab/run.h5')
    expect(file).toMatchObject({
      size: 5000,
      stamp: '"one" 5000',
      lastModified: Date.parse(lastModified) * 1000,
    })
    const { source, isUnchanged } = await file.open()
    const pieces = await source.read([{ position: 4000, length: 2000 }])
    expect(Buffer.compare(pieces[0], bytes.subarray(4000))).toBe(0)
    expect(await isUnchanged()).toBe(true)
    expect(await mount.find(parseDomainPath('/lab/other.h5'))).toBeUndefined()
    expect(await mount.find(parseDomainPath('/lab'))).toMatchObject({ kind: 'folder' })
    expect(await childrenOf(mount, '/lab')).toEqual(['file /lab/run.h5'])
    expect(server.requests).toEqual(['GET /data/a.h5 bytes=0-1048575'])
  })

  it('looks at the file again, and sees a change, a deletion and its return', async () => {
    server.files.set('/a.h5', { bytes: fileOf(5000) })
    const mount = mountOf(`${server.address}/a.h5`, '/a.h5', 0)
    const first = await find(mount, '/a.h5')
    expect((await find(mount, '/a.h5')).stamp).toBe(first.stamp)
    expect(server.requests.at(-1)).toBe('GET /a.h5 bytes=0-7')
    server.files.set('/a.h5', { bytes: fileOf(6000) })
    expect((await find(mount, '/a.h5')).size).toBe(6000)
    await expect(first.open()).resolves.toMatchObject({ source: { size: 5000 } })
    server.files.delete('/a.h5')
    expect(await mount.find(parseDomainPath('/a.h5'))).toBeUndefined()
    server.files.set('/a.h5', { bytes: fileOf(7000) })
    expect((await find(mount, '/a.h5')).size).toBe(7000)
  })

  it('gives the new state at once after a read has met it', async () => {
    server.files.set('/a.h5', { bytes: fileOf(2 ** 20 + 100) })
    const mount = mountOf(`${server.address}/a.h5`, '/a.h5')
    const { source, isUnchanged } = await (await find(mount, '/a.h5')).open()
    server.files.set('/a.h5', { bytes: fileOf(2 ** 20 + 200) })
    await expect(source.read([{ position: 2 ** 20, length: 10 }])).rejects.toMatchObject({
      code: 'file-changed',
    })
    expect(await isUnchanged()).toBe(false)
    expect((await find(mount, '/a.h5')).size).toBe(2 ** 20 + 200)
  })

  it.each([
    ['gives no ranges', 'its server sends it only as a whole: it must support range requests'],
    [
      'gives no validators',
      'its server sends neither ETag nor Last-Modified, so changes could not be noticed',
    ],
    ['refuses', 'its server answers 403'],
    [
      'redirects to another host',
      /^.*its server redirects to other\.example, and redirects are followed on the same host only/,
    ],
    ['redirects for ever', 'its server redirects more than 5 times'],
  ])('says why when the server %s', async (fault, reason) => {
    server.files.set('/a.h5', { bytes: fileOf(5000), ...(fault === 'gives no validators' && { etag: null }) })
    server.ignoresRanges = fault === 'gives no ranges'
    server.intercept = (_request, response) => {
      if (fault === 'refuses') response.writeHead(403).end()
      else if (fault.startsWith('redirects')) {
        const location = fault === 'redirects for ever' ? '/a.h5' : 'http://other.example/a.h5'
        response.writeHead(302, { location }).end()
      } else return false
      return true
    }
    const mount = mountOf(`${server.address}/a.h5`, '/lab/a.h5')
    await expect(find(mount, '/lab/a.h5')).rejects.toMatchObject({
      code: 'file-unreadable',
      message:
        typeof reason === 'string' ? `/lab/a.h5 cannot be read: ${reason}` : expect.stringMatching(reason),
    })
    expect(await childrenOf(mount, '/lab')).toEqual([])
  })

  it('follows redirects on the same host, for later ranges too', async () => {
    server.files.set('/real.h5', { bytes: fileOf(2 ** 20 + 100) })
    server.intercept = (request, response) => {
      if (request.url !== '/a.h5') return false
      response.writeHead(302, { location: 'real.h5' }).end()
      return true
    }
    const { source } = await (await find(mountOf(`${server.address}/a.h5`, '/a.h5'), '/a.h5')).open()
    await source.read([{ position: 2 ** 20, length: 10 }])
    expect(server.requests).toEqual([
      'GET /a.h5 bytes=0-1048575',
      'GET /real.h5 bytes=0-1048575',
      'GET /real.h5 bytes=1048576-1048585',
    ])
  })

  it('answers when the server does not, and tries again later', async () => {
    server.intercept = (_request, response) => {
      response.writeHead(500).end()
      return true
    }
    const mount = mountOf(`${server.address}/a.h5`, '/a.h5')
    for (let attempt = 0; attempt < 2; attempt++) {
      await expect(find(mount, '/a.h5')).rejects.toMatchObject({ code: 'file-unavailable', kind: 'busy' })
    }
    expect(server.requests).toHaveLength(3)
  })

  it.each([
    ['nothing', Buffer.alloc(0), false],
    ['one byte', Buffer.alloc(1), false],
    ['another format', Buffer.alloc(3000, 'GIF89a'), false],
    ['a user block of 512 bytes', fileOf(3000, 512), true],
    ['a user block of 64 KiB', fileOf(100_000, 64 * 1024), true],
    ['the signature where none may be', fileOf(3000, 600), false],
  ])('knows HDF5 files by their signature: %s', async (_name, bytes, isFile) => {
    server.files.set('/a', { bytes })
    const mount = mountOf(`${server.address}/a`, '/lab/a')
    expect(await childrenOf(mount, '/lab')).toEqual(isFile ? ['file /lab/a'] : [])
    expect((await mount.find(parseDomainPath('/lab/a')))?.kind).toBe(isFile ? 'file' : undefined)
  })
})

describe('a mount of a list of addresses', () => {
  it('has a domain for each, in folders and scripts of any name', async () => {
    for (const name of ['a.h5', '%E6%97%A5%E6%9C%AC.h5', 'b.h5', 'c%20d.h5', 'e.h5']) {
      server.files.set(`/x/${name}`, { bytes: fileOf(600) })
    }
    const mount = mountList([
      '# files of the lab',
      `${server.address}/x/a.h5`,
      '',
      `${server.address}/x/日本.h5`,
      `${server.address}/x/b.h5 \u{1f600} runs/uno.h5`,
      `${server.address}/x/e.h5?token=secret \uffee.h5`,
      `  ${server.address}/x/c%20d.h5\r`,
      `${server.address}/x/gone.h5`,
    ])
    const names = [
      'file /lab/a.h5',
      'file /lab/c d.h5',
      'file /lab/日本.h5',
      'file /lab/\uffee.h5',
      'folder /lab/\u{1f600} runs',
    ]
    expect(await childrenOf(mount, '/lab')).toEqual(names)
    expect(await childrenOf(mount, '/lab', { marker: 'c d.h5', limit: 2 })).toEqual(names.slice(2, 4))
    expect(await childrenOf(mount, '/lab', { marker: '/lab/c', limit: 1 })).toEqual(names.slice(1, 2))
    expect(await childrenOf(mount, '/lab', { limit: 0 })).toEqual([])
    expect(await childrenOf(mount, '/lab/\u{1f600} runs')).toEqual(['file /lab/\u{1f600} runs/uno.h5'])
    expect(await childrenOf(mount, '/lab/none')).toEqual([])
    expect((await find(mount, '/lab/\u{1f600} runs/uno.h5')).size).toBe(600)
    expect((await mount.find(parseDomainPath('/lab/\u{1f600} runs')))?.kind).toBe('folder')
  })

  it('reads no more of a file for a listing than its superblock, once for each state', async () => {
    const lines = Array.from({ length: 40 }, (_, index) => {
      server.files.set(`/${index}.h5`, { bytes: fileOf(100_000) })
      return `${server.address}/${index}.h5`
    })
    const mount = mountList(lines, 0)
    expect(await childrenOf(mount, '/lab', { limit: 10 })).toHaveLength(10)
    expect(server.requests).toHaveLength(10)
    expect(new Set(server.requests.map(request => request.split(' ')[2]))).toEqual(new Set(['bytes=0-99']))
    expect(await childrenOf(mount, '/lab')).toHaveLength(40)
    expect(server.requests).toHaveLength(50)
  })

  it('leaves out a file that cannot be read', async () => {
    server.files.set('/a.h5', { bytes: fileOf(600) })
    const mount = mountList([`${server.address}/a.h5`, 'http://127.0.0.1:1/b.h5'])
    for (let listing = 0; listing < 2; listing++) {
      expect(await childrenOf(mount, '/lab')).toEqual(['file /lab/a.h5'])
    }
    expect(warnings).toEqual([
      '/lab/b.h5 cannot be read from its server now: the connection failed (ECONNREFUSED)',
    ])
    await expect(find(mount, '/lab/b.h5')).rejects.toMatchObject({
      code: 'file-unavailable',
      message: '/lab/b.h5 cannot be read from its server now: the connection failed (ECONNREFUSED)',
    })
  })

  it('opens siblings that are in the list, by their addresses', async () => {
    server.files.set('/x/a.h5', { bytes: fileOf(600) })
    server.files.set('/x/raw%20%231.bin', { bytes: Buffer.from('raw') })
    server.files.set('/secret.bin', { bytes: Buffer.from('secret') })
    const mount = mountList([`${server.address}/x/a.h5`, `${server.address}/x/raw%20%231.bin`])
    const { openSibling, isUnchanged } = await (await find(mount, '/lab/a.h5')).open()
    const sibling = await openSibling('raw #1.bin')
    expect(
      Buffer.from((await sibling?.source.read([{ position: 0, length: 9 }]))?.[0] ?? []).toString(),
    ).toBe('raw')
    expect(await sibling?.openSibling('../x/a.h5')).toBeDefined()
    for (const name of ['../secret.bin', '/secret.bin', `${server.address}/x/a.h5`, '//x', '', '?', '..']) {
      expect(await openSibling(name)).toBeUndefined()
    }
    expect(server.requests.filter(request => request.includes('secret'))).toEqual([])
    expect(await openSibling('/beamline/a.h5')).toBeDefined()
    expect(await openSibling('/beamline/raw #1.bin')).toBeDefined()
    expect(await isUnchanged()).toBe(true)
  })

  it('locates the domains of files that a file names, by their addresses', async () => {
    const mount = mountList([
      `${server.address}/x/m.h5`,
      `${server.address}/x/raw/R%C3%B6ntgen%201.h5?token=a other.h5`,
      `${server.address}/n.h5`,
    ])
    const locate = (name: string) => mount.locate(parseDomainPath('/lab/m.h5'), name)
    expect(await locate('raw/Röntgen 1.h5')).toBe('/lab/other.h5')
    expect(await locate('../n.h5')).toBe('/lab/n.h5')
    expect(await locate('m.h5')).toBe('/lab/m.h5')
    for (const name of ['other.h5', '/x/m.h5', '', '..']) expect(await locate(name)).toBeUndefined()
    expect(await mount.locate(parseDomainPath('/lab/none.h5'), 'm.h5')).toBeUndefined()
  })

  it('sees that a sibling changes, appears, disappears or cannot be read', async () => {
    const set = (name: string, text: string) => server.files.set(`/x/${name}`, { bytes: Buffer.from(text) })
    server.files.set('/x/a.h5', { bytes: fileOf(600) })
    set('raw', 'raw')
    const mount = mountList(
      ['a.h5', 'raw', 'new'].map(name => `${server.address}/x/${name}`),
      0,
    )
    const changes: readonly [boolean, () => unknown][] = [
      [true, () => undefined],
      [false, () => set('raw', 'changed')],
      [false, () => set('new', 'new')],
      [false, () => server.files.delete('/x/new')],
      [false, () => server.close()],
    ]
    for (const [number, [expected, change]] of changes.entries()) {
      const { openSibling, areSiblingsCurrent } = await (await find(mount, '/lab/a.h5')).open()
      expect(await areSiblingsCurrent()).toBe(true)
      for (const name of ['raw', 'new', 'none']) await openSibling(name)
      expect(await areSiblingsCurrent()).toBe(true)
      await change()
      expect([number, await areSiblingsCurrent()]).toEqual([number, expected])
    }
  })

  it.each([
    ['ftp://host/a.h5', 'line 1: it must be an address that begins with http:// or https://'],
    [
      'http://host/a.h5\nhttp://other/a.h5',
      'line 2: /lab/a.h5 is already the domain of another address: write a name after it',
    ],
    [
      'http://host/',
      'line 1: the name of its domain does not fit: the domain "" is malformed: no component of it may be empty',
    ],
    [
      'http://host/a ../b',
      'line 1: the name of its domain does not fit: the domain ".." is malformed: no component of it may be ".."',
    ],
  ])('refuses the list %j', (lines, message) => {
    expect(() => mountList([lines])).toThrow(`${folder}/list.txt: ${message}`)
  })
})

describe('the source of a mount', () => {
  it('is remote by its scheme, or a list in a file', () => {
    const list = join(folder, 'list.txt')
    writeFileSync(list, '')
    const remote = ['http://host/a.h5', 'https://host/a.h5', 's3://bucket', 's3://bucket/prefix', list]
    expect(remote.filter(isRemoteSource)).toEqual(remote)
    expect([folder, '/data/http', join(folder, 'none.txt'), 'ftp://host/a'].filter(isRemoteSource)).toEqual(
      [],
    )
  })

  it.each([
    ['http://', 'the mount /lab/a: it must be an address that begins with http:// or https://'],
    ['s3://', 's3:// must be s3:// and the name of a bucket, and may go on with / and a prefix'],
    ['s3://a?b', 's3://a?b must be s3:// and the name of a bucket, and may go on with / and a prefix'],
  ])('is refused when it is %j', (source, message) => {
    expect(() => mountOf(source, '/lab/a')).toThrow(message)
  })
})

describe('a file over HTTP', () => {
  it('takes at most 8 requests for a listing of its root and a slice', async () => {
    const { default: h5wasm } = await import('h5wasm/node')
    await h5wasm.ready
    const path = join(folder, 'made.h5')
    const made = new h5wasm.File(path, 'w')
    for (let index = 0; index < 5; index++) {
      const data = new Float64Array(40_000).fill(index)
      made.create_dataset({ name: `d${index}`, data, shape: [200, 200], chunks: [10, 200] })
    }
    const large = new Float64Array(100_000).map((_, index) => index)
    made.create_dataset({ name: 'large', data: large, shape: [1000, 100], chunks: [10, 100] })
    made.close()
    const bytes = readFileSync(path)
    expect(bytes.length).toBeGreaterThan(2 * 2 ** 20)
    server.files.set('/made.h5', { bytes })
    const file = await find(mountOf(`${server.address}/made.h5`, '/made.h5'), '/made.h5')
    const { source, openSibling } = await file.open()
    const reader = await openH5File(source, file.path, { openSibling })
    const links = await collect(reader.links(reader.root))
    const addresses = links.flatMap(link => (link.class === 'H5L_TYPE_HARD' ? [link.address] : []))
    await Promise.all(addresses.map(address => reader.object(address)))
    const values = await reader.readValues(addresses.at(-1) ?? '', [500, 0], [20, 100], () => undefined)
    expect(Buffer.from(values.data).readDoubleLE(0)).toBe(50_000)
    expect(server.requests.length).toBeLessThanOrEqual(8)
  })
})
