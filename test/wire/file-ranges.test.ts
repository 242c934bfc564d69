// Domains as files of which ranges are read, at the paths of a file server and by format=hdf5 (common 13): the ranges
// put together are the whole, and those of another state are noticed. FILE_RANGES_SEED repeats a run; a failure tells
// its seed.

import { beforeAll, describe, expect, test } from 'vitest'
import { type Options, type Reply, send, USER1, USER2 } from './client.ts'
import { type Domain, HOME, makeHome, newDomain, newPath } from './hsds/domain.ts'

const SEED = Number(process.env.FILE_RANGES_SEED ?? Math.floor(Math.random() * 2 ** 32))

beforeAll(makeHome)

/** Numbers below a bound, which the seed decides. */
function numbersFrom(seed: number): (below: number) => number {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

function ask(path: string, headers: Options['headers'] = {}, options: Options = {}): Promise<Reply> {
  return send('GET', `/h5${path}`, undefined, { user: USER1, headers, ...options })
}

/** Every way in which values are in files: in the header, contiguous, in chunks, filtered or not, in the heap. */
async function fill(domain: Domain): Promise<Record<string, string>> {
  const put = async (name: string, creation: object, value?: unknown) => {
    const id = await domain.dataset({ ...creation, link: { id: domain.root, name } })
    if (value !== undefined) await domain.want(200, 'PUT', `/datasets/${id}/value`, { value })
    return id
  }
  const numbers = Array.from({ length: 5000 }, (_, i) => (i * 7919) % 1000)
  const strings = Array.from({ length: 3000 }, (_, i) => 'x'.repeat(i % 50) + i)
  const TEXT = {
    class: 'H5T_STRING',
    charSet: 'H5T_CSET_UTF8',
    strPad: 'H5T_STR_NULLTERM',
    length: 'H5T_VARIABLE',
  }
  const chunks = (dims: number[], filters: object[] = []) => ({
    creationProperties: { layout: { class: 'H5D_CHUNKED', dims }, filters },
  })
  const gzip = [{ class: 'H5Z_FILTER_DEFLATE', id: 1, level: 6 }]
  const type = 'H5T_STD_I32LE'
  const ids = {
    whole: await put(
      'contiguous',
      { type, shape: [50, 100] },
      numbers.map((_, i) => numbers.slice(100 * i, 100 * i + 100)).slice(0, 50),
    ),
    chunked: await put('chunked', { type, shape: [5000], maxdims: [0], ...chunks([512]) }, numbers),
    filtered: await put('filtered', { type, shape: [5000], ...chunks([700], gzip) }, numbers),
    strings: await put('strings', { type: TEXT, shape: [3000] }, strings),
    chunkedStrings: await put('strings in chunks', { type: TEXT, shape: [3000], ...chunks([400]) }, strings),
    empty: await put('empty', { type, shape: [5000], ...chunks([512]) }),
    one: await put('one', { type }, 5),
  }
  await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/title`, { type: TEXT, value: 'é' })
  return ids
}

describe('a stored domain', () => {
  test('is the same file at its path and by format=hdf5, with a tag and a length, also for HEAD', async () => {
    const domain = await newDomain()
    await fill(domain)
    const whole = await ask(domain.path)
    expect(whole.status, whole.story).toBe(200)
    expect(whole.headers['content-type']).toBe('application/x-hdf5')
    expect(whole.headers['accept-ranges']).toBe('bytes')
    const other = await domain.send('GET', '/?format=hdf5')
    expect(other.bytes.equals(whole.bytes)).toBe(true)
    expect(other.headers.etag).toBe(whole.headers.etag)
    const head = await send('HEAD', `/h5${domain.path}`, undefined, { user: USER1 })
    expect([head.status, head.headers['content-length'], head.headers.etag]).toEqual([
      200,
      String(whole.bytes.length),
      whole.headers.etag,
    ])
  })

  test('has ranges that are parts of the whole', async () => {
    const domain = await newDomain()
    await fill(domain)
    const { bytes, headers } = await ask(domain.path)
    const random = numbersFrom(SEED)
    const { length } = bytes
    const ranges = Array.from({ length: 150 }, () => {
      const first = random(length)
      return [first, Math.min(length - 1, first + random([10, 5000, length][random(3)]))]
    })
    for (let first = 0; first < length; first += 10_007)
      ranges.push([first, Math.min(length, first + 10_007) - 1])
    for (const [first, last] of ranges) {
      const part = await ask(domain.path, { Range: `bytes=${first}-${last}` })
      expect(part.status, part.story).toBe(206)
      expect(part.headers.etag).toBe(headers.etag)
      const isEqual = part.bytes.equals(bytes.subarray(first, last + 1))
      expect(isEqual, `bytes ${first} to ${last} of ${length}, seed ${SEED}`).toBe(true)
    }
  })

  test('has the time of the last change, and caches ask whether it is still right', async () => {
    const domain = await newDomain()
    const times: number[] = []
    for (let i = 0; i < 2; i++) {
      const { lastModified } = await domain.want<{ lastModified: number }>(200, 'GET', '/')
      const { headers } = await ask(domain.path)
      times.push(Date.parse(String(headers['last-modified'])) - Math.floor(lastModified) * 1000)
      expect(headers['cache-control']).toContain('no-cache')
      await domain.want(201, 'PUT', `/groups/${domain.root}/attributes/a${i}`, {
        type: 'H5T_STD_I8LE',
        value: 1,
      })
    }
    expect(times).toEqual([0, 0])
  })

  test('has another tag after each change, and If-Range and If-Match notice it', async () => {
    const domain = await newDomain()
    const { filtered } = await fill(domain)
    const Range = 'bytes=0-99'
    const seen = new Set<unknown>()
    for (let i = 0; i < 3; i++) {
      const { headers, bytes } = await ask(domain.path)
      const tag = String(headers.etag)
      expect(seen.has(tag)).toBe(false)
      seen.add(tag)
      expect((await ask(domain.path, { Range, 'If-Range': tag })).status).toBe(206)
      expect((await ask(domain.path, { 'If-None-Match': tag })).status).toBe(304)
      await domain.want(200, 'PUT', `/datasets/${filtered}/value`, { start: [i], stop: [i + 1], value: [-1] })
      const whole = await ask(domain.path, { Range, 'If-Range': tag })
      expect([whole.status, whole.bytes.equals(bytes)]).toEqual([200, false])
      expect((await ask(domain.path, { Range, 'If-Match': tag })).status).toBe(412)
    }
  })

  test('is 403 or 401, never 404, for a caller without the permission', async () => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', '/acls/default', { read: false })
    expect((await ask(domain.path, {}, { user: USER2 })).status).toBe(403)
    expect((await ask(domain.path, { Range: 'bytes=0-1' }, { user: USER2 })).status).toBe(403)
    expect([401, 403]).toContain((await ask(domain.path, {}, { user: undefined })).status)
  })

  test.each([
    [`${HOME}/no.such.h5`, 404],
    ['', 400],
    ['//x', 400],
  ])('there is no file at /h5%s', async (path, status) => {
    const reply = await ask(path)
    expect(reply.status, reply.story).toBe(status)
  })

  test('is not a folder: a slash at the end is 404, as file servers have it', async () => {
    const domain = await newDomain()
    const reply = await ask(`${domain.path}/`)
    expect([reply.status, reply.json().code]).toEqual([404, 'folder-not-found'])
    expect(reply.json().message).toContain('without the slash')
  })

  test('a name in any script, with blanks and signs, is percent-encoded', async () => {
    const domain = await newDomain(`${HOME}/läuf 7 + 50% 日本 ${Date.now()}.h5`)
    const reply = await ask(domain.path.split('/').map(encodeURIComponent).join('/'))
    expect(reply.status, reply.story).toBe(200)
  })
})

describe('a file that was uploaded', () => {
  test('comes back byte by byte until the domain changes, and is written anew with repack=1', async () => {
    const source = await newDomain()
    const id = await source.dataset({
      type: 'H5T_STD_I32LE',
      shape: [1_500_000],
      link: { id: source.root, name: 'd' },
    })
    const numbers = Buffer.from(Int32Array.from({ length: 1_500_000 }, (_, i) => i).buffer)
    const octets = { headers: { 'content-type': 'application/octet-stream' } }
    await source.want(200, 'PUT', `/datasets/${id}/value`, numbers, octets)
    // A user block makes it another file than the one that is written of the domain.
    const file = Buffer.concat([Buffer.alloc(512, 'u'), (await ask(source.path)).bytes])
    const path = newPath()
    const headers = { 'content-type': 'application/x-hdf5' }
    const put = await send('PUT', `/?domain=${path}`, file, { user: USER1, headers })
    expect(put.status, put.story).toBe(201)

    const whole = await ask(path)
    expect(whole.bytes.equals(file)).toBe(true)
    const part = await ask(path, { Range: `bytes=${file.length - 1000}-` })
    expect(part.bytes.equals(file.subarray(file.length - 1000))).toBe(true)
    const anew = await ask(`${path}?repack=1`)
    expect([anew.status, anew.bytes.equals(file)]).toEqual([200, false])
    expect(anew.headers.etag).not.toBe(whole.headers.etag)

    const { root } = put.json<{ root: string }>()
    const change = await send(
      'PUT',
      `/groups/${root}/attributes/a?domain=${path}`,
      { type: 'H5T_STD_I8LE', value: 1 },
      { user: USER1 },
    )
    expect(change.status, change.story).toBe(201)
    const changed = await ask(path)
    expect(changed.bytes.equals(file)).toBe(false)
    expect(changed.headers.etag).not.toBe(whole.headers.etag)
    expect((await ask(path, { Range: 'bytes=0-9', 'If-Range': String(whole.headers.etag) })).status).toBe(200)
    await send('DELETE', `/?domain=${path}`, undefined, { user: USER1 })
  })
})

describe('a folder', () => {
  const hrefs = ({ text }: Reply) => [...text.matchAll(/<a href="([^"]*)"/g)].map(([, href]) => href)

  test('is a page of links that lead to its files and folders, in pages, and JSON on request', async () => {
    const folder = newPath()
    await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
    const names = ['a b&<c>', 'b%41', 'c"é']
    for (const name of names) {
      const domain = encodeURIComponent(`${folder}/${name}`)
      const made = await send('PUT', `/?domain=${domain}`, undefined, { user: USER1 })
      expect(made.status, made.story).toBe(201)
    }
    await send('PUT', `/?domain=${folder}/z`, { folder: true }, { user: USER1 })
    const page = await ask(`${folder}/`)
    expect(page.headers['content-type']).toContain('text/html')
    expect(page.text).not.toContain('<c>')
    expect(page.text).toContain(`<title>Index of /h5${folder}/</title>`)
    expect(page.text).toMatch(/<\/a> \d\d-[A-Z][a-z]{2}-\d{4} \d\d:\d\d -\n/)
    const encoded = names.map(encodeURIComponent)
    expect(hrefs(page)).toEqual(['../', ...encoded, 'z/'])
    for (const name of encoded)
      expect((await ask(`${folder}/${name}`)).bytes.subarray(1, 4).toString()).toBe('HDF')
    const seen: string[] = []
    for (let query: string | undefined = '?Limit=2'; query !== undefined; ) {
      const part: Reply = await ask(`${folder}/${query}`)
      seen.push(...hrefs(part).filter(href => href !== '../' && !href.startsWith('?')))
      const next: string | undefined = hrefs(part).find(href => href.startsWith('?'))
      expect(part.headers.link).toBe(next && `<${next}>; rel="next"`)
      query = next && `${next}&Limit=2`
    }
    expect(seen).toEqual([...encoded, 'z/'])
    // In both dialects.
    for (const query of ['', `?domain=${folder}`]) {
      const json = await ask(`${folder}/${query}`, { Accept: 'application/json' })
      const { domains } = json.json<{ domains: { name: string }[] }>()
      expect(domains.map(({ name }) => name)).toEqual([...names, 'z'].map(name => `${folder}/${name}`))
    }
  })

  test('without a slash leads to the one with it; another user does not learn of it', async () => {
    const folder = newPath()
    await send('PUT', `/?domain=${folder}`, { folder: true }, { user: USER1 })
    const moved = await ask(`${folder}?Limit=1`)
    const last = folder.slice(folder.lastIndexOf('/') + 1)
    expect([moved.status, moved.headers.location]).toEqual([308, `${last}/?Limit=1`])
    const none = {
      create: false,
      read: false,
      update: false,
      delete: false,
      readACL: false,
      updateACL: false,
    }
    const closed = await send('PUT', `/acls/default?domain=${folder}`, none, { user: USER1 })
    expect(closed.status, closed.story).toBe(201)
    for (const path of [folder, `${folder}/`]) {
      expect((await ask(path, {}, { user: USER2 })).status).toBe(403)
    }
    expect((await ask(`${folder}-none/`)).status).toBe(404)
  })
})
