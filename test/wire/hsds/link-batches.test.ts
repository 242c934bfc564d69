// Links of several groups, or several links, in one request (hsds-objects 11.5 to 11.8).

import { beforeAll, describe, expect, test } from 'vitest'
import { BASE_DOMAIN, send, USER1, USER2, uniqueName } from '../client.ts'
import { type Domain, HOME, makeHome, newDomain } from './domain.ts'

beforeAll(makeHome)

const NOWHERE = { h5path: '/nowhere' }

interface Item {
  readonly title: string
  readonly created: number
  readonly [name: string]: unknown
}
type Links = readonly Item[] | Readonly<Record<string, readonly Item[]>>

/** The titles, in their order, of a list or of a map from groups. */
function titlesOf(links: Links): unknown {
  const titles = (items: readonly Item[]) => items.map(item => item.title)
  if (Array.isArray(links)) return titles(links)
  return Object.fromEntries(Object.entries(links).map(([group, items]) => [group, titles(items)]))
}

async function linksOf(domain: Domain, group = domain.root, query = ''): Promise<readonly Item[]> {
  const body = await domain.want<{ links: Item[] }>(200, 'GET', `/groups/${group}/links${query}`)
  return body.links
}

async function titlesIn(domain: Domain, group = domain.root, query = ''): Promise<unknown> {
  return titlesOf(await linksOf(domain, group, query))
}

/** root: a, b -> A, d -> dataset; A: back -> root, c -> C, x; C: empty. */
async function tree(path?: string) {
  const domain = await newDomain(path)
  const A = await domain.group('b')
  const C = await domain.group('c', A)
  const dataset = await domain.dataset({ type: 'H5T_STD_I8LE', link: { id: domain.root, name: 'd' } })
  const links = { back: { id: domain.root }, x: NOWHERE }
  await domain.want(201, 'PUT', `/groups/${domain.root}/links`, {
    grp_ids: { [domain.root]: { links: { a: NOWHERE } }, [A]: { links } },
  })
  return { domain, root: domain.root, A, C, dataset }
}

describe('GET links', () => {
  test('in the order of creation, whatever the titles', async () => {
    const domain = await newDomain()
    for (const title of ['z', 'a', '名']) {
      await domain.want(201, 'PUT', `/groups/${domain.root}/links/${encodeURIComponent(title)}`, NOWHERE)
    }
    expect(await titlesIn(domain, domain.root, '?CreateOrder=1')).toEqual(['z', 'a', '名'])
    expect(await titlesIn(domain, domain.root, '?CreateOrder=0')).toEqual(['a', 'z', '名'])
    expect(await titlesIn(domain, domain.root, '?CreateOrder=1&Marker=z&Limit=1')).toEqual(['a'])
  })

  test.each<[string, unknown]>([
    ['pattern=dset*', ['dset1', 'dset2', 'dset3']],
    ['pattern=*1', ['dset1', 'ext1']],
    ['pattern=dset[1-2]', ['dset1', 'dset2']],
    ['pattern=?set2', ['dset2']],
    ['pattern=dset*&Limit=2', ['dset1', 'dset2']],
    ['pattern=dset*&Limit=2&Marker=dset1', ['dset2', 'dset3']],
    ['pattern=dset*&Marker=a', ['dset1', 'dset2', 'dset3']],
    ['pattern=ext*&Marker=dset2', ['ext1']],
    ['pattern=a*&Marker=dset2', []],
    ['pattern=dset*&CreateOrder=1', ['dset3', 'dset1', 'dset2']],
    ['pattern=dset*&CreateOrder=1&Limit=1&Marker=dset3', ['dset1']],
    ['pattern=', ['a', 'dset1', 'dset2', 'dset3', 'ext1']],
    ['pattern=nosuch', []],
  ])('%s', async (query, titles) => {
    const domain = await newDomain()
    const order = ['dset3', 'ext1', 'dset1', 'a', 'dset2']
    for (const title of order) await domain.want(201, 'PUT', `/groups/${domain.root}/links/${title}`, NOWHERE)
    expect(await titlesIn(domain, domain.root, `?${query}`)).toEqual(titles)
  })

  test.each(['a**', '*a*', '[', 'a]', '[z-a]'])('pattern=%s is 400', async pattern => {
    const domain = await newDomain()
    await domain.refuse(400, 'GET', `/groups/${domain.root}/links?pattern=${encodeURIComponent(pattern)}`)
  })

  test.each(['links', 'attributes'])(
    '%s go on after a marker that was deleted meanwhile',
    async collection => {
      const domain = await newDomain()
      const path = `/groups/${domain.root}/${collection}`
      const body = collection === 'links' ? NOWHERE : { type: 'H5T_STD_I8LE', value: 1 }
      const list = async (query: string) => {
        const items = (await domain.want(200, 'GET', `${path}?${query}`))[collection]
        return (items as { title?: string; name?: string }[]).map(item => item.title ?? item.name)
      }
      for (const name of ['d', 'b', 'é', 'a', 'c']) {
        await domain.want(201, 'PUT', `${path}/${encodeURIComponent(name)}`, body)
      }
      for (const name of ['b', 'é']) await domain.want(200, 'DELETE', `${path}/${encodeURIComponent(name)}`)
      expect(await list('Marker=b')).toEqual(['c', 'd'])
      expect(await list('Marker=b&Limit=1')).toEqual(['c'])
      expect(await list('Marker=b&pattern=d*')).toEqual(['d'])
      expect(await list(`Marker=${encodeURIComponent('é')}`)).toEqual([])
      expect(await list('CreateOrder=1&Marker=b')).toEqual(['a', 'c'])
      await domain.refuse(404, 'GET', `${path}?Marker=bb`)
      await domain.want(201, 'PUT', `${path}/b`, body)
      expect(await list('Marker=b')).toEqual(['c', 'd'])
    },
  )

  test('a marker that never was there is 404, with a pattern too', async () => {
    const domain = await newDomain()
    await domain.refuse(404, 'GET', `/groups/${domain.root}/links?pattern=a*&Marker=a`)
  })

  describe('follow_links', () => {
    const follow = async (domain: Domain, group: string, query = '') =>
      (await domain.want<{ links: Links }>(200, 'GET', `/groups/${group}/links?follow_links=1${query}`)).links

    test('every group that hard links reach, each once, also the empty one', async () => {
      const { domain, root, A, C } = await tree()
      expect(titlesOf(await follow(domain, root))).toEqual({
        [root]: ['a', 'b', 'd'],
        [A]: ['back', 'c', 'x'],
        [C]: [],
      })
      expect(titlesOf(await follow(domain, C))).toEqual({ [C]: [] })
      expect(Object.keys(await follow(domain, A))).toEqual([A, root, C])
    })

    test('a pattern filters the lists and not the walk; Limit is that of all', async () => {
      const { domain, root, A, C } = await tree()
      expect(titlesOf(await follow(domain, root, '&pattern=x'))).toEqual({ [root]: [], [A]: ['x'], [C]: [] })
      expect(titlesOf(await follow(domain, root, '&Limit=4'))).toEqual({
        [root]: ['a', 'b', 'd'],
        [A]: ['back'],
        [C]: [],
      })
      expect(titlesOf(await follow(domain, root, '&pattern=?&Limit=4&Marker=b'))).toEqual({
        [root]: ['a', 'b', 'd'],
        [A]: ['c'],
        [C]: [],
      })
      const byCreation = { [root]: ['b', 'd', 'a'], [A]: ['c', 'back', 'x'], [C]: [] }
      expect(titlesOf(await follow(domain, root, '&CreateOrder=1'))).toEqual(byCreation)
    })

    test('links are described as in a list', async () => {
      const { domain, root, A, dataset } = await tree()
      const links = (await follow(domain, root)) as Record<string, readonly Item[]>
      expect(links[root][2]).toMatchObject({ class: 'H5L_TYPE_HARD', id: dataset, collection: 'datasets' })
      expect(links[A]).toEqual(await linksOf(domain, A))
    })

    test('links to what was deleted lead nowhere', async () => {
      const { domain, root, A, C } = await tree()
      await domain.want(200, 'DELETE', `/groups/${A}`)
      expect(titlesOf(await follow(domain, root))).toEqual({ [root]: ['a', 'b', 'd'] })
      await domain.refuse(410, 'GET', `/groups/${A}/links?follow_links=1`)
      expect(titlesOf(await follow(domain, C))).toEqual({ [C]: [] })
    })
  })
})

describe('POST links', () => {
  const read = async (domain: Domain, body: unknown, query = '', status = 200) =>
    titlesOf(
      (await domain.want<{ links: Links }>(status, 'POST', `/groups/${domain.root}/links${query}`, body))
        .links,
    )

  test('titles: in the order asked; none: all', async () => {
    const { domain, root, dataset } = await tree()
    expect(await read(domain, { titles: ['d', 'a'] })).toEqual(['d', 'a'])
    expect(await read(domain, { titles: [] })).toEqual(['a', 'b', 'd'])
    expect(await read(domain, { titles: [] }, '?Limit=1&CreateOrder=1')).toEqual(['b'])
    const body = await domain.want<{ links: Item[] }>(200, 'POST', `/groups/${root}/links`, { titles: ['d'] })
    expect(Object.keys(body)).toEqual(['links'])
    const [link] = body.links
    expect(link).toMatchObject({
      title: 'd',
      id: dataset,
      collection: 'datasets',
      created: expect.any(Number),
    })
  })

  test('grp_ids: a list of one group, a map of several', async () => {
    const { domain, root, A, C } = await tree()
    expect(await read(domain, { grp_ids: [A] })).toEqual(['back', 'c', 'x'])
    expect(await read(domain, { grp_ids: [A, A] })).toEqual(['back', 'c', 'x'])
    expect(await read(domain, { grp_ids: [C] })).toEqual([])
    expect(await read(domain, { grp_ids: [A, C] })).toEqual({ [A]: ['back', 'c', 'x'], [C]: [] })
    expect(await read(domain, { grp_ids: { [A]: ['x'], [root]: ['b', 'a'] } })).toEqual({
      [A]: ['x'],
      [root]: ['b', 'a'],
    })
    expect(await read(domain, { grp_ids: { [A]: ['x'] } })).toEqual(['x'])
    expect(await read(domain, { grp_ids: { [A]: [], [root]: ['a'] } })).toEqual({
      [A]: ['back', 'c', 'x'],
      [root]: ['a'],
    })
  })

  test('grp_ids with titles: those of each (35, F12)', async () => {
    const { domain, root, A } = await tree()
    await domain.want(201, 'PUT', `/groups/${A}/links/a`, NOWHERE)
    expect(await read(domain, { grp_ids: [A], titles: ['a'] })).toEqual(['a'])
    expect(await read(domain, { grp_ids: [A, root], titles: ['a'] })).toEqual({ [A]: ['a'], [root]: ['a'] })
  })

  test('pattern, Limit, CreateOrder and follow_links', async () => {
    const { domain, root, A, C } = await tree()
    expect(await read(domain, { titles: ['d', 'a'] }, '?pattern=a')).toEqual(['a'])
    expect(await read(domain, { titles: ['d', 'a'] }, '?CreateOrder=0&Limit=0')).toEqual(['d', 'a'])
    expect(await read(domain, { grp_ids: [root, A] }, '?Limit=4')).toEqual({
      [root]: ['a', 'b', 'd'],
      [A]: ['back'],
    })
    expect(await read(domain, { grp_ids: [root] }, '?pattern=?&CreateOrder=1')).toEqual(['b', 'd', 'a'])
    const below = { [A]: ['back', 'c', 'x'], [root]: ['a', 'b', 'd'], [C]: [] }
    expect(await read(domain, { grp_ids: [A] }, '?follow_links=1')).toEqual(below)
    expect(await read(domain, { grp_ids: [C] }, '?follow_links=1')).toEqual({ [C]: [] })
    expect(await read(domain, { grp_ids: [C, root, A] }, '?follow_links=1')).toEqual(below)
  })

  test('a title that is not there is 404, one that was deleted 410, in every form', async () => {
    const { domain, root, A } = await tree()
    await domain.want(200, 'DELETE', `/groups/${A}/links/x`)
    for (const [status, title] of [
      [404, 'nosuch'],
      [410, 'x'],
    ] as const) {
      await domain.refuse(status, 'POST', `/groups/${A}/links`, { titles: [title] })
      for (const body of [{ grp_ids: [A], titles: [title] }, { grp_ids: { [root]: ['a'], [A]: [title] } }]) {
        await domain.refuse(status, 'POST', `/groups/${root}/links`, body)
      }
    }
  })

  test('what contradicts itself is 400', async () => {
    const { domain, root, A, dataset } = await tree()
    const path = `/groups/${root}/links`
    const bodies: unknown[] = [
      undefined,
      'null',
      [],
      {},
      { titles: 'a' },
      { titles: null },
      { titles: [1] },
      { titles: ['a/b'] },
      { titles: [''] },
      { grp_ids: [] },
      { grp_ids: {} },
      { grp_ids: null },
      { grp_ids: A },
      { grp_ids: ['foobar'] },
      { grp_ids: [dataset] },
      { grp_ids: [1] },
      { grp_ids: { foobar: ['a'] } },
      { grp_ids: { [A]: 'x' } },
      { grp_ids: { [A]: null } },
      { grp_ids: { [A]: ['x'] }, titles: ['x'] },
    ]
    for (const body of bodies) await domain.refuse(400, 'POST', path, body)
    for (const option of ['follow_links=1', 'Limit=1', 'CreateOrder=1']) {
      await domain.refuse(400, 'POST', `${path}?${option}`, { titles: ['a'] })
      await domain.refuse(400, 'POST', `${path}?${option}`, { grp_ids: { [A]: ['x'] } })
    }
    await domain.refuse(400, 'POST', `${path}?pattern=**`, { titles: ['a'] })
    await domain.refuse(400, 'POST', `${path}?Limit=-1`, { grp_ids: [A] })
  })

  test('groups of another domain are 400, unknown ones 404, deleted ones 410, without read permission 403 (35, F11)', async () => {
    const { domain, root, A, C } = await tree()
    const path = `/groups/${root}/links`
    const other = await newDomain()
    await domain.want(200, 'DELETE', `/groups/${C}`)
    const unknown = `${root.slice(0, 20)}0000-000000-000000`
    for (const [status, id] of [
      [400, other.root],
      [404, unknown],
      [410, C],
    ] as const) {
      await domain.refuse(status, 'POST', path, { grp_ids: [A, id] })
      await domain.refuse(status, 'POST', `${path}?follow_links=1`, { grp_ids: [A, id] })
      await domain.refuse(status, 'PUT', path, { grp_ids: [A, id], links: { n: NOWHERE } })
      await domain.refuse(status, 'PUT', path, { grp_ids: { [A]: { links: {} }, [id]: { links: {} } } })
      await domain.refuse(status, 'POST', `/groups/${id}/links`, { grp_ids: [A] })
    }
    expect(await titlesIn(domain, A)).toEqual(['back', 'c', 'x'])
    await domain.refuse(403, 'POST', path, { grp_ids: [A] }, { user: USER2 })
    await domain.refuse(403, 'PUT', path, { links: { n: NOWHERE } }, { user: USER2 })
    await domain.refuse(403, 'DELETE', `${path}?titles=a`, undefined, { user: USER2 })
    await domain.refuse(401, 'PUT', path, { links: { n: NOWHERE } }, { user: undefined })
  })
})

describe('PUT links', () => {
  test('201 if one is new, 200 if all are there, {} in any case', async () => {
    const { domain, root, A, C } = await tree()
    const links = { one: { id: A }, two: { h5path: 'p' }, three: { h5path: 'p', file: 'f.h5' } }
    expect(await domain.want(201, 'PUT', `/groups/${root}/links`, { links })).toEqual({})
    expect(await domain.want(200, 'PUT', `/groups/${root}/links`, { links })).toEqual({})
    expect(await domain.want(201, 'PUT', `/groups/${root}/links`, { links, grp_ids: [root, C] })).toEqual({})
    expect(await titlesIn(domain, C)).toEqual(['one', 'three', 'two'])
    expect(await domain.want(200, 'PUT', `/groups/${root}/links`, { links: {} })).toEqual({})
    const [, three] = await linksOf(domain, C)
    expect(three).toMatchObject({ class: 'H5L_TYPE_EXTERNAL', file: 'f.h5', h5domain: 'f.h5' })
    expect((await domain.want(200, 'GET', `/groups/${C}`)).linkCount).toBe(3)
  })

  test('grp_ids without the group of the path leaves that alone', async () => {
    const { domain, root, C } = await tree()
    await domain.want(201, 'PUT', `/groups/${root}/links`, { links: { n: NOWHERE }, grp_ids: [C] })
    expect(await titlesIn(domain, root)).toEqual(['a', 'b', 'd'])
    expect(await titlesIn(domain, C)).toEqual(['n'])
  })

  test('the order of the body is that of creation, whatever the titles look like', async () => {
    const domain = await newDomain()
    const titles = [
      'z',
      '10',
      '9',
      '__proto__',
      'constructor',
      '#link1#',
      '{x} %41?',
      ' ',
      '名前',
      '😀',
      'a\\b',
    ]
    const members = titles.map(title => `${JSON.stringify(title)}: {"h5path": "/x"}`)
    await domain.want(201, 'PUT', `/groups/${domain.root}/links`, `{"links": {${members.join()}}}`)
    const links = await linksOf(domain, domain.root, '?CreateOrder=1')
    expect(titlesOf(links)).toEqual(titles)
    const times = links.map(link => link.created)
    expect(times).toEqual([...new Set(times)].sort((a, b) => a - b))
    for (const title of titles) {
      const path = `/groups/${domain.root}/links/${encodeURIComponent(title)}`
      expect((await domain.want<{ link: Item }>(200, 'GET', path)).link.title).toBe(title)
    }
    expect(
      titlesOf(
        (await domain.want<{ links: Links }>(200, 'POST', `/groups/${domain.root}/links`, { titles })).links,
      ),
    ).toEqual(titles)
  })

  test('created tells the order; what is equal keeps that of the body; what is far off is now', async () => {
    const domain = await newDomain()
    const now = Math.floor(Date.now() / 1000)
    await domain.want(201, 'PUT', `/groups/${domain.root}/links`, {
      links: {
        late: { ...NOWHERE, created: now + 2 },
        y: { ...NOWHERE, created: now - 5 },
        x: { ...NOWHERE, created: now - 5 },
        early: { ...NOWHERE, created: now - 200 },
        odd: { ...NOWHERE, created: 999 },
      },
    })
    const links = await linksOf(domain, domain.root, '?CreateOrder=1')
    expect(titlesOf(links)).toEqual(['early', 'y', 'x', 'odd', 'late'])
    expect(links.map(({ created }) => Math.round(created - now))).toEqual([
      -200,
      -5,
      -5,
      expect.any(Number),
      2,
    ])
    expect(links[0].created).toBe(now - 200)
    expect(links[1].created).toBe(now - 5)
    expect(Math.abs(links[3].created - now)).toBeLessThan(60)
  })

  test('another link of that title is 409, or replaced and still as old', async () => {
    const { domain, root, A } = await tree()
    const path = `/groups/${root}/links`
    const before = await linksOf(domain, root)
    const links = { n: NOWHERE, a: { id: A } }
    await domain.refuse(409, 'PUT', path, { links })
    await domain.refuse(409, 'PUT', path, { links, grp_ids: [A, root] })
    await domain.refuse(409, 'PUT', `${path}?replace=0`, { links })
    expect(await linksOf(domain, root)).toEqual(before)
    expect(await titlesIn(domain, A)).toEqual(['back', 'c', 'x'])
    await domain.want(201, 'PUT', `${path}?replace=1`, {
      links: { a: { id: A, created: Date.now() / 1000 } },
    })
    const [after] = await linksOf(domain, root)
    expect(after).toMatchObject({ title: 'a', class: 'H5L_TYPE_HARD', id: A, created: before[0].created })
    await domain.want(200, 'PUT', `${path}?replace=1`, { links: { a: { id: A } } })
    expect((await domain.want(200, 'GET', `/groups/${root}`)).linkCount).toBe(3)
  })

  test('one bad item or target, and nothing is written', async () => {
    const { domain, root, A, C } = await tree()
    const other = await newDomain()
    const unknown = `${root.slice(0, 20)}0000-000000-000000`
    const cases: [number, unknown][] = [
      [404, { id: unknown }],
      [400, { id: other.root }],
      [400, { id: 'foobar' }],
      [400, { id: A, h5path: '/x' }],
      [400, { h5path: '' }],
      [400, { h5domain: '/x.h5' }],
      [400, { h5path: '/x', file: 'a', h5domain: 'b' }],
      [400, { class: 'H5L_TYPE_SOFT', id: A }],
      [400, {}],
      [400, null],
      [400, 'x'],
      [400, []],
    ]
    for (const [status, bad] of cases) {
      const links = { n: NOWHERE, bad }
      await domain.refuse(status, 'PUT', `/groups/${root}/links`, { links })
      await domain.refuse(status, 'PUT', `/groups/${root}/links`, {
        grp_ids: { [C]: { links: { n: NOWHERE } }, [A]: { links } },
      })
    }
    expect(await titlesIn(domain)).toEqual(['a', 'b', 'd'])
    expect(await titlesIn(domain, C)).toEqual([])
  })

  test('what is no batch is 400', async () => {
    const { domain, root, A } = await tree()
    const bodies: unknown[] = [
      undefined,
      'null',
      '{"links": ',
      [],
      {},
      { links: [] },
      { links: null },
      { links: { 'a/b': NOWHERE } },
      { links: { '': NOWHERE } },
      { grp_ids: [A] },
      { grp_ids: [], links: { n: NOWHERE } },
      { grp_ids: {}, links: { n: NOWHERE } },
      { grp_ids: {} },
      { grp_ids: ['foobar'], links: { n: NOWHERE } },
      { grp_ids: { foobar: { links: { n: NOWHERE } } } },
      { grp_ids: { [A]: { links: { n: NOWHERE } } }, links: { n: NOWHERE } },
      { grp_ids: { [A]: {} } },
      { grp_ids: { [A]: { n: NOWHERE } } },
      { grp_ids: { [A]: [] } },
    ]
    for (const body of bodies) await domain.refuse(400, 'PUT', `/groups/${root}/links`, body)
    expect(await titlesIn(domain)).toEqual(['a', 'b', 'd'])
  })
})

describe('DELETE links', () => {
  test('those that are there; 410 afterwards; they can be made again', async () => {
    const { domain, root, A } = await tree()
    const path = `/groups/${root}/links`
    expect(await domain.want(200, 'DELETE', `${path}?titles=a/nosuch/b`)).toEqual({})
    expect(await titlesIn(domain)).toEqual(['d'])
    await domain.refuse(410, 'GET', `${path}/a`)
    await domain.refuse(410, 'POST', path, { titles: ['b'] })
    await domain.want(200, 'GET', `/groups/${A}`)
    await domain.want(200, 'DELETE', `${path}?titles=a`)
    await domain.want(201, 'PUT', path, { links: { a: NOWHERE } })
    expect(await titlesIn(domain)).toEqual(['a', 'd'])
  })

  test('with a separator, and titles in several parameters', async () => {
    const domain = await newDomain()
    const path = `/groups/${domain.root}/links`
    const titles = ['a:b', 'c', '#1#', 'e f', '名', '%41', 'g']
    await domain.want(201, 'PUT', path, { links: Object.fromEntries(titles.map(title => [title, NOWHERE])) })
    await domain.want(200, 'DELETE', `${path}?titles=${encodeURIComponent('a:b|#1#|名')}&separator=|`)
    expect(await titlesIn(domain)).toEqual(['%41', 'c', 'e f', 'g'])
    await domain.want(200, 'DELETE', `${path}?titles=c/g&titles=e%20f/%2541`)
    expect(await titlesIn(domain)).toEqual([])
  })

  test.each(['', '?titles=', '?titles=a//b', '?titles=a/b&separator=:'])('%s is 400', async query => {
    const domain = await newDomain()
    await domain.want(201, 'PUT', `/groups/${domain.root}/links`, { links: { a: NOWHERE, b: NOWHERE } })
    await domain.refuse(400, 'DELETE', `/groups/${domain.root}/links${query}`)
    expect(await titlesIn(domain)).toEqual(['a', 'b'])
  })
})

describe('the list of each object that a batch touches counts', () => {
  const plain = (id: string) =>
    id
      .slice(2)
      .replaceAll('-', '')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')

  /** The tree, in which the other user may do nothing with A; objects get lists of their own in the classic dialect. */
  async function closed() {
    const path = `${HOME}/${uniqueName()}`
    const made = await tree(path)
    const host = `${path.split('/').reverse().slice(0, -1).join('.')}.${BASE_DOMAIN}`
    const all = { create: true, read: true, update: true, delete: true, readACL: false, updateACL: false }
    const none = { ...all, create: false, read: false, update: false, delete: false }
    for (const [id, acl] of [
      [made.root, all],
      [made.A, none],
    ] as const) {
      const target = `/groups/${plain(id)}/acls/${USER2}`
      const reply = await send('PUT', target, acl, { user: USER1, headers: { host } })
      expect([200, 201], reply.story).toContain(reply.status)
    }
    return made
  }

  test('reading and writing are refused as a whole, following leaves links out and tells 403 in the place of attributes', async () => {
    const { domain, root, A, C } = await closed()
    const other = { user: USER2 }
    await domain.want(200, 'GET', `/groups/${root}/links`, undefined, other)
    for (const grp_ids of [[root, A], { [root]: ['a'], [A]: ['x'] }]) {
      await domain.refuse(403, 'POST', `/groups/${root}/links`, { grp_ids }, other)
    }
    await domain.refuse(403, 'POST', `/groups/${root}/links?follow_links=1`, { grp_ids: [C, A] }, other)
    await domain.refuse(403, 'POST', `/groups/${root}/attributes`, { obj_ids: [root, A] }, other)
    const links = { n: NOWHERE }
    await domain.refuse(403, 'PUT', `/groups/${root}/links`, { links, grp_ids: [root, A] }, other)
    await domain.refuse(403, 'PUT', `/groups/${A}/links`, { links, grp_ids: [root] }, other)
    const attributes = { n: { type: 'H5T_STD_I8LE', value: 1 } }
    await domain.refuse(403, 'PUT', `/groups/${root}/attributes`, { attributes, obj_ids: [root, A] }, other)
    await domain.refuse(403, 'DELETE', `/groups/${A}/links?titles=x`, undefined, other)
    expect(await titlesIn(domain)).toEqual(['a', 'b', 'd'])

    const followed = await domain.want(200, 'GET', `/groups/${root}/links?follow_links=1`, undefined, other)
    expect(followed.links).toEqual({ [root]: await linksOf(domain) })
    const below = await domain.want(200, 'GET', `/groups/${root}/attributes?follow_links=1`, undefined, other)
    expect(below.attributes).toMatchObject({ [root]: [], [A]: { status: 403 } })
    expect(below.attributes).not.toHaveProperty(C)
  })
})

test('a list of many links is whole, in its order, also when it is sent in pieces', async () => {
  const domain = await newDomain()
  const path = `/groups/${domain.root}/links`
  const titles = Array.from({ length: 2500 }, (_, i) => `${'x'.repeat(i % 90)} ${i} "é😀`)
  await domain.want(201, 'PUT', path, { links: Object.fromEntries(titles.map(title => [title, NOWHERE])) })
  const { links, hrefs } = await domain.want<{ links: Item[]; hrefs: unknown[] }>(200, 'GET', path)
  const byBytes = [...titles].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
  expect(titlesOf(links)).toEqual(byBytes)
  for (const target of [path, `${path}?follow_links=1`]) {
    const { etag } = (await domain.send('GET', target)).headers
    const known = await domain.send('GET', target, undefined, { headers: { 'if-none-match': `${etag}` } })
    expect(known.status, known.story).toBe(304)
  }
  expect(hrefs).toHaveLength(3)
  expect(await titlesIn(domain, domain.root, '?CreateOrder=1')).toEqual(titles)
  const read = await domain.want<{ links: Item[] }>(200, 'POST', path, { titles })
  expect(titlesOf(read.links)).toEqual(titles)
  const followed = await domain.want<{ links: Record<string, Item[]> }>(200, 'GET', `${path}?follow_links=1`)
  expect(followed.links).toEqual({ [domain.root]: links })
  const page = await domain.want<{ links: Item[] }>(200, 'GET', `${path}?Limit=501`)
  expect(page.links).toEqual(links.slice(0, 501))
  await domain.want(200, 'DELETE', `${path}?titles=${encodeURIComponent(titles.slice(0, 50).join('/'))}`)
  expect(await linksOf(domain)).toHaveLength(2450)
})

test('a few links for many groups, more than can be held at once, are 413', async () => {
  const { domain, root, C } = await tree()
  // 251 titles for each of 1,000 groups, which need not be there for that.
  const ids = Array.from(
    { length: 1000 },
    (_, i) => `${root.slice(0, 20)}0000-000000-${`${i}`.padStart(6, '0')}`,
  )
  const titles = Array.from({ length: 251 }, (_, i) => `t${i}`)
  const links = Object.fromEntries(titles.map(title => [title, NOWHERE]))
  await domain.refuse(413, 'PUT', `/groups/${root}/links`, { links, grp_ids: [C, ...ids] })
  await domain.refuse(413, 'POST', `/groups/${root}/links`, { titles, grp_ids: [C, ...ids] })
  expect(await titlesIn(domain, C)).toEqual([])
})
