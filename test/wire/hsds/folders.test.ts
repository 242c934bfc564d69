// Listing folders (hsds-objects 8.5, 8.6 and 8.8; hsds-values 11.2): `GET /domains`, and `GET /` without a domain.

import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { ADMIN, type Fields, type Options, ownHost, send, USER1, USER2, uniqueName } from '../client.ts'
import { expectRefusal, HOME, makeHome, newDomain, relsOf, removeDomain } from './domain.ts'

interface Item extends Fields {
  readonly name: string
}

interface Listing {
  readonly domains: readonly Item[]
}

beforeAll(makeHome)

async function list(query: string, options: Options = {}): Promise<Listing['domains']> {
  const reply = await send('GET', `/domains?${query}`, undefined, options)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<Listing>().domains
}

async function namesIn(folder: string, options: Readonly<Record<string, string>> = {}): Promise<string[]> {
  const query = new URLSearchParams({ domain: `${folder}/`, ...options })
  return (await list(`${query}`, { user: USER1 })).map(({ name }) => name.slice(folder.length + 1))
}

async function refuses(status: number, query: string, user?: string): Promise<string> {
  const reply = await send('GET', `/domains?${query}`, undefined, { user })
  expectRefusal(reply, status)
  return reply.json<{ code: string }>().code
}

async function newFolder(owner = USER1): Promise<string> {
  const path = `${HOME}/${uniqueName()}`
  const made = await send('PUT', `/?domain=${path}`, { folder: true, owner }, { user: ADMIN })
  expect(made.status, made.story).toBe(201)
  onTestFinished(() => removeDomain(path))
  return path
}

/** A folder that holds domains of these names; a name that ends with a slash is a folder's. */
async function folderOf(names: readonly string[]): Promise<string> {
  const folder = await newFolder()
  for (const name of names) {
    if (!name.endsWith('/')) {
      await newDomain(`${folder}/${name}`)
      continue
    }
    const path = `${folder}/${name.slice(0, -1)}`
    const made = await send('PUT', `/?domain=${path}`, { folder: true }, { user: USER1 })
    expect(made.status, made.story).toBe(201)
    onTestFinished(() => removeDomain(path))
  }
  return folder
}

describe('what is listed', () => {
  test('the children by name in code point order, with or without a slash behind the folder', async () => {
    // U+FF5E comes before U+1F600, though not in UTF-16.
    const names = ['10', '9', 'B', 'a b', 'a&b=c', 'b.h5', 'sub', 'ü', '\uff5e', '\u{1f600}']
    const folder = await folderOf([...names.filter(name => name !== 'sub').reverse(), 'sub/'])
    await newDomain(`${folder}/sub/deeper.h5`)
    expect(await namesIn(folder)).toEqual(names)
    for (const spelling of [folder, encodeURIComponent(folder), `hdf5:/${folder}/`, `hdf5:/${folder}`]) {
      expect((await list(`domain=${spelling}`)).map(({ name }) => name)).toEqual(
        names.map(name => `${folder}/${name}`),
      )
    }
    const headers = { 'x-hdf-domain': `${folder}/` }
    expect(await list('', { headers })).toHaveLength(names.length)
    expect(await list('Limit=3', { headers })).toHaveLength(3)
  })

  test('a domain and a folder, with these members and no others', async () => {
    const folder = await folderOf(['sub/'])
    const { path, root } = await newDomain(`${folder}/d.h5`)
    const [domain, sub] = await list(`domain=${folder}/`)
    const times = { created: expect.any(Number), lastModified: expect.any(Number) }
    const href = (of: string) => [{ rel: 'domain', href: `http://${ownHost()}/?domain=${of}` }]
    expect(domain).toEqual({
      ...{ name: path, class: 'domain', root, owner: USER1 },
      ...times,
      hrefs: href(path),
    })
    expect(sub).toEqual({
      ...{ name: `${folder}/sub`, class: 'folder', owner: USER1 },
      ...times,
      hrefs: href(`${folder}/sub`),
    })
    const reply = await send('GET', `/domains?domain=${folder}/`)
    expect(reply.json().hrefs).toEqual([])
  })

  test('the top level without a domain, by /domains and by /, whichever dialect the options look like', async () => {
    const names = (await list('')).map(({ name }) => name)
    expect(names).toContain('/home')
    for (const target of ['/', '', '/?domain=', '/domains?domain=/', '/?Limit=0']) {
      const reply = await send('GET', target)
      expect(reply.status, reply.story).toBe(200)
      expect(reply.json<Listing>().domains.map(({ name }) => name)).toEqual(names)
    }
    expect(relsOf((await send('GET', '/')).json())).toEqual([
      ...['self', 'database', 'groupbase', 'typebase', 'root'],
    ])
    const at = async (target: string, headers = {}) =>
      (await send('GET', target, undefined, { headers })).json<Listing>().domains.map(({ name }) => name)
    for (const headers of [{}, { 'x-hdf-domain': '' }]) {
      expect(await at('/?pattern=/home', headers)).toEqual([])
      expect(await at('/?pattern=hom[e]', headers)).toEqual(['/home'])
      expect(await at(`/?Marker=/home&pattern=h*e`, headers)).toEqual([])
      expect(await at(`/?query=a==1`, headers)).toEqual([])
      expectRefusal(
        await send('GET', '/?pattern=**', undefined, { headers: { ...headers, 'x-hdf-domain': '' } }),
        400,
      )
    }
  })

  test('nothing for a domain; 404 for what never was, 410 for what was deleted, 400 for what is no path', async () => {
    const domain = await newDomain()
    expect(await list(`domain=${domain.path}/`)).toEqual([])
    expect(await list(`domain=${domain.path}&pattern=*&query=a==1&verbose=1`)).toEqual([])
    const never = `${HOME}/${uniqueName()}`
    expect(await refuses(404, `domain=${never}/`)).toBe('domain-not-found')
    expect(await refuses(404, `domain=${never}/below`, USER1)).toBe('domain-not-found')
    const folder = await newFolder()
    expect((await send('DELETE', `/?domain=${folder}`, undefined, { user: USER1 })).status).toBe(200)
    expect(await refuses(410, `domain=${folder}/`)).toBe('domain-deleted')
    for (const name of ['home', 'user.home', '/home//', '//', '/home/../', '/home/./x/', '/a%00b']) {
      expect(await refuses(400, `domain=${name}`)).toBe('malformed-domain')
    }
    expect(await refuses(404, 'domain=home/')).toBe('bucket-not-found')
  })

  test('elsewhere a path does not end with a slash', async () => {
    for (const target of [`/?domain=${HOME}/`, `/acls?domain=${HOME}/`]) {
      expectRefusal(await send('GET', target, undefined, { user: USER1 }), 400)
    }
    expectRefusal(await send('PUT', `/?domain=${HOME}/x/`, { folder: true }, { user: USER1 }), 400)
  })

  test('a caller that may read the folder sees all that lies in it; others do not', async () => {
    const folder = await newFolder(USER2)
    const path = `${folder}/secret.h5`
    expect((await send('PUT', `/?domain=${path}`, undefined, { user: USER2 })).status).toBe(201)
    onTestFinished(() => removeDomain(path))
    for (const user of [undefined, USER1, USER2, ADMIN]) {
      expect((await list(`domain=${folder}/`, { user })).map(({ name }) => name)).toEqual([path])
    }
    const denied = { read: false, create: false, update: false, delete: false }
    const put = await send('PUT', `/acls/default?domain=${folder}`, denied, { user: USER2 })
    expect(put.status, put.story).toBe(201)
    expectRefusal(await send('GET', `/domains?domain=${folder}/`), 403)
    expect(await list(`domain=${folder}/`, { user: USER2 })).toHaveLength(1)
    const wrong = { headers: { authorization: `Basic ${Buffer.from('test_user1:no').toString('base64')}` } }
    expect((await send('GET', `/domains?domain=${HOME}/`, undefined, wrong)).status).toBe(401)
  })
})

describe('pattern', () => {
  test.each([
    ['domain_*.h5', ['domain_0.h5', 'domain_1.h5', 'domain_4.h5']],
    ['domain_[0-3].h5', ['domain_0.h5', 'domain_1.h5']],
    ['domain_?.h5', ['domain_0.h5', 'domain_1.h5', 'domain_4.h5']],
    ['*', ['Other', 'domain_0.h5', 'domain_1.h5', 'domain_4.h5', 'sub', '\u{1f600}']],
    ['*b', ['sub']],
    ['?', ['\u{1f600}']],
    ['o*', []],
    ['sub', ['sub']],
    ['su', []],
    ['', ['Other', 'domain_0.h5', 'domain_1.h5', 'domain_4.h5', 'sub', '\u{1f600}']],
  ])('%j', async (pattern, names) => {
    const folder = await folderOf(['domain_4.h5', 'domain_1.h5', 'domain_0.h5', 'Other', 'sub/', '\u{1f600}'])
    expect(await namesIn(folder, { pattern })).toEqual(names)
  })

  test.each(['**', 'a*b*', '[', '[a', '[]', 'a]', '[b-a]', '[abc]'])('%s is malformed', async pattern => {
    const query = new URLSearchParams({ domain: `${HOME}/`, pattern })
    expect(await refuses(400, `${query}`)).toBe('malformed-pattern')
  })

  test('means the name, not the path, and nothing to the answer about one domain', async () => {
    const domain = await newDomain()
    expect((await domain.want(200, 'GET', '/?pattern=**&query=(&Limit=x&parent_id=x')).root).toBe(domain.root)
    expect(await namesIn(HOME, { pattern: '/home*' })).toEqual([])
  })
})

describe('pages', () => {
  const all = ['a1', 'a2', 'b1', 'b2', 'b3', 'c1']

  test('go on behind the last name, until one is short', async () => {
    const folder = await folderOf(all)
    for (const size of [1, 2, 4, 6, 7]) {
      const pages: string[][] = []
      let marker = ''
      do {
        const page = await namesIn(folder, {
          Limit: `${size}`,
          ...(marker && { Marker: `${folder}/${marker}` }),
        })
        pages.push(page)
        marker = page.length === size ? (page.at(-1) ?? '') : ''
      } while (marker !== '')
      expect(pages.flat()).toEqual(all)
      expect(pages.slice(0, -1).every(page => page.length === size)).toBe(true)
    }
  })

  test('a marker is passed over by order, there or not, fitting the pattern or not', async () => {
    const folder = await folderOf(all)
    const behind = (marker: string, more = {}) => namesIn(folder, { Marker: `${folder}/${marker}`, ...more })
    expect(await behind('b2')).toEqual(['b3', 'c1'])
    expect(await behind('b')).toEqual(['b1', 'b2', 'b3', 'c1'])
    expect(await behind('b21')).toEqual(['b3', 'c1'])
    expect(await behind('z')).toEqual([])
    expect(await behind('a2', { pattern: 'b*' })).toEqual(['b1', 'b2', 'b3'])
    expect(await behind('b2', { pattern: 'b*' })).toEqual(['b3'])
    expect(await behind('c1', { pattern: 'b*' })).toEqual([])
    expect(await behind('0', { pattern: '*1', Limit: '2' })).toEqual(['a1', 'b1'])
    expect(await behind('b1', { pattern: '*1', Limit: '2' })).toEqual(['c1'])
    await removeDomain(`${folder}/b2`)
    expect(await behind('b2')).toEqual(['b3', 'c1'])
  })

  test('a limit counts what the pattern and the query leave; 0 is none', async () => {
    const folder = await folderOf(all)
    expect(await namesIn(folder, { pattern: '*1', Limit: '2' })).toEqual(['a1', 'b1'])
    expect(await namesIn(folder, { Limit: '0' })).toEqual(all)
    expect(await namesIn(folder, { Limit: '' })).toEqual(all)
    for (const limit of ['-1', 'abc', '1.5', '1e3']) {
      expect(await refuses(400, `domain=${folder}/&Limit=${limit}`)).toBe('malformed-parameter')
    }
    // Only the exact spelling is known (hsds-objects 1.3), and the first of several counts.
    const others = `limit=1&marker=${folder}/b2&Pattern=c*`
    const unknown = await list(`domain=${folder}/&${others}`, { user: USER1, undeclared: true })
    expect(unknown.map(({ name }) => name)).toEqual(all.map(name => `${folder}/${name}`))
    expect(await list(`domain=${folder}/&Limit=1&Limit=2`)).toHaveLength(1)
  })
})

describe('query', () => {
  const INTEGER = 'H5T_STD_I32LE'
  const FIXED = { class: 'H5T_STRING', length: 8, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
  const VARIABLE = { ...FIXED, length: 'H5T_VARIABLE', charSet: 'H5T_CSET_UTF8' }

  async function domainWith(folder: string, name: string, attributes: Readonly<Record<string, Fields>>) {
    const domain = await newDomain(`${folder}/${name}`)
    for (const [attribute, body] of Object.entries(attributes)) {
      const target = `/groups/${domain.root}/attributes/${encodeURIComponent(attribute)}`
      await domain.want(201, 'PUT', target, body)
    }
  }

  async function missions(): Promise<string> {
    const folder = await folderOf(['folder/', 'none'])
    const text = (value: string, type: Fields = FIXED) => ({ type, value })
    await domainWith(folder, 'a', { n: { type: INTEGER, value: 1 }, mission: text('apollo') })
    await domainWith(folder, 'b', { n: { type: INTEGER, value: 2 }, mission: text('gemini', VARIABLE) })
    await domainWith(folder, 'c', {
      n: { type: 'H5T_IEEE_F64LE', value: 2.5 },
      mission: text('apollo', VARIABLE),
    })
    await domainWith(folder, 'd', {
      n: { type: 'H5T_STD_U64BE', value: 3 },
      'of 2': { type: INTEGER, value: 7 },
    })
    await domainWith(folder, 'e', { n: text('2'), mission: text('Größe', VARIABLE) })
    await domainWith(folder, 'f', { n: { type: INTEGER, shape: [2], value: [2, 2] } })
    await domainWith(folder, 'g', { n: { type: INTEGER, shape: 'H5S_NULL' } })
    return folder
  }

  test('finds the domains of which it holds', async () => {
    const folder = await missions()
    for (const [query, names] of [
      ['n == 2', ['b']],
      ['n > 1', ['b', 'c', 'd']],
      ['n >= 1 AND n < 3', ['a', 'b', 'c']],
      ['1 < n', ['b', 'c', 'd']],
      ["mission == 'apollo'", ['a', 'c']],
      ["mission=='apollo'", ['a', 'c']],
      ['mission == "apollo"', ['a', 'c']],
      ["mission == b'apollo'", ['a', 'c']],
      ["mission != 'apollo'", ['b', 'e']],
      ["mission > 'b'", ['b']],
      ["mission == 'Größe'", ['e']],
      ["mission == 'apollo' & n > 1", ['c']],
      ["n > 1 AND (mission == 'apollo' OR mission == 'gemini')", ['b', 'c']],
      ['n == 1 OR n == 3', ['a', 'd']],
      ['n == 1 | n == 3', ['a', 'd']],
      // All attributes that are named have to be there.
      ["n == 3 OR mission == 'apollo'", ['a', 'c']],
      ["mission IN ('gemini', 'x')", ['b']],
      ['mission IN (gemini, apollo)', ['a', 'b', 'c']],
      ['NOT n == 2', ['a', 'c', 'd']],
      ["n == 1 XOR mission == 'apollo'", ['c']],
      ["n == '2'", ['e']],
      ["'of 2' == 7", ['d']],
      ['of 2 == 7', ['d']],
      ['nothing == 1', []],
      ["n > 0 where mission in ('apollo')", ['a', 'c']],
    ] as const) {
      expect(await namesIn(folder, { query }), query).toEqual(names)
    }
  })

  test('goes with the other options, and its limit counts what it finds', async () => {
    const folder = await missions()
    expect(await namesIn(folder, { query: 'n > 0', Limit: '2' })).toEqual(['a', 'b'])
    expect(await namesIn(folder, { query: 'n > 0', Limit: '2', Marker: `${folder}/b` })).toEqual(['c', 'd'])
    expect(await namesIn(folder, { query: 'n > 0', pattern: '[b-c]' })).toEqual(['b', 'c'])
    expect(await namesIn(folder, { query: '' })).toHaveLength(9)
  })

  test.each([
    'n > 2 AND',
    'n = 2',
    'n',
    '(n > 2',
    'n > 2)',
    "n == 'a",
    'n > 2 m > 3',
    'AND',
    '1 == 2',
    'n ~ 2',
  ])('%s is malformed, also where nothing is searched', async query => {
    const folder = await newFolder()
    const parameters = new URLSearchParams({ domain: folder, query })
    expect(await refuses(400, `${parameters}`, USER1)).toBe('malformed-query')
  })

  test('tells nothing of domains that the caller may not read', async () => {
    const folder = await missions()
    const count = async (user: string | undefined) =>
      (await list(`domain=${folder}/&query=n==2`, { user })).length
    expect(await count(USER1)).toBe(1)
    expect(await count(ADMIN)).toBe(1)
    expect(await count(USER2)).toBe(0)
    expect(await count(undefined)).toBe(0)
  })
})

describe('verbose', () => {
  test('tells of each domain what GET / tells with it, and nothing of folders', async () => {
    const folder = await folderOf(['sub/'])
    const domain = await newDomain(`${folder}/d.h5`)
    const before = (await list(`domain=${folder}/`, { user: USER1 }))[0] ?? {}
    await domain.group('g')
    const dataset = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10] })
    await domain.want(200, 'PUT', `/datasets/${dataset}/value`, { value: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] })
    const [listed, sub] = await list(`domain=${folder}/&verbose=1`, { user: USER1 })
    const { num_groups, num_datasets, num_chunks, allocated_bytes, total_size, lastModified } =
      await domain.want(200, 'GET', '/?verbose=1')
    expect(listed).toMatchObject({
      num_groups,
      num_datasets,
      num_chunks,
      allocated_bytes,
      total_size,
      lastModified,
    })
    expect([num_groups, num_datasets, num_chunks, allocated_bytes]).toEqual([2, 1, 1, 40])
    expect(lastModified).toBeGreaterThan(Number(before.lastModified))
    for (const item of [listed, sub, before]) {
      for (const member of ['size', 'limits', 'compressors', 'version'])
        expect(item).not.toHaveProperty(member)
    }
    expect(Object.keys(sub ?? {})).toEqual(['name', 'class', 'owner', 'created', 'lastModified', 'hrefs'])
    for (const value of ['0', 'false', '']) {
      expect((await list(`domain=${folder}/&verbose=${value}`, { user: USER1 }))[0]).toEqual({
        ...before,
        lastModified: expect.any(Number),
      })
    }
    const at = await send('GET', '/?verbose=1')
    expect(at.json<Listing>().domains.find(({ name }) => name === '/home')).not.toHaveProperty('num_groups')
  })

  test('and only to callers that may read the domain', async () => {
    const folder = await newFolder()
    await newDomain(`${folder}/d.h5`)
    const [shown] = await list(`domain=${folder}/&verbose=1`, { user: USER2 })
    expect(shown).toMatchObject({ class: 'domain', owner: USER1 })
    expect(shown).not.toHaveProperty('num_groups')
  })
})
