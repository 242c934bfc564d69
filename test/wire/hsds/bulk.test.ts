// All objects of a domain in one answer, `GET /?getobjs=1` (hsds-objects 8.1 and 8.11; clients 3.4).

import { beforeAll, describe, expect, test } from 'vitest'
import { type Fields, send, USER1 } from '../client.ts'
import { type Domain, HOME, makeHome, newDomain } from './domain.ts'

const I32 = 'H5T_STD_I32LE'
const INTEGER = { class: 'H5T_INTEGER', base: I32 }

beforeAll(makeHome)

type Objects = Readonly<Record<string, Fields>>

async function objectsOf(domain: Domain, query = ''): Promise<Objects> {
  return (await domain.want<{ domain_objs: Objects }>(200, 'GET', `/?getobjs=1${query}`)).domain_objs
}

async function idsInOrder(domain: Domain): Promise<string[]> {
  const { text } = await domain.send('GET', '/?getobjs=T')
  return Array.from(text.matchAll(/"([gdt]-[0-9a-f-]{36})":\{"id":"\1"/g), ([, id]) => id)
}

describe('the answer', () => {
  test('the domain as always and, only when asked for, its objects', async () => {
    const domain = await newDomain()
    const { hrefs, ...plain } = await domain.want(200, 'GET', '/')
    for (const flag of ['getobjs=0', 'getobjs=', 'getobjs=false']) {
      expect(await domain.want(200, 'GET', `/?${flag}`)).not.toHaveProperty('domain_objs')
    }
    const { domain_objs, ...full } = await domain.want(200, 'GET', '/?getobjs=T&getdnids=1&include_attrs=T')
    expect(full).toMatchObject(plain)
    expect(full.hrefs).toHaveLength((hrefs as unknown[]).length)
    expect(domain_objs).toEqual({
      [domain.root]: {
        id: domain.root,
        root: domain.root,
        created: expect.any(Number),
        lastModified: expect.any(Number),
        linkCount: 0,
        attributeCount: 0,
        links: {},
        attributes: {},
      },
    })
  })

  test('of a folder there is none', async () => {
    const reply = await send('GET', `/?domain=${HOME}&getobjs=1`, undefined, { user: USER1 })
    expect(reply.status, reply.story).toBe(200)
    expect(reply.json()).not.toHaveProperty('domain_objs')
  })

  test('every kind of object as on its own, with links, attributes and small values', async () => {
    const domain = await newDomain()
    const attributes = {
      z: { type: I32, value: 5 },
      '10': { type: 'H5T_IEEE_F32LE', shape: [2], value: [0.1, 2] },
    }
    const group = await domain.group('g')
    const t = { type: I32, attributes, link: { id: group, name: 't' } }
    const datatype = await domain.datatype(t)
    const value = [
      [1, 2],
      [3, 4],
    ]
    const dataset = await domain.dataset({
      type: datatype,
      shape: [2, 2],
      maxdims: [0, 2],
      value,
      attributes,
      link: { id: domain.root, name: 'd' },
    })
    await domain.want(201, 'PUT', `/groups/${group}/links/soft`, { h5path: 'x' })
    await domain.want(201, 'PUT', `/groups/${group}/links/ext`, { h5path: 'x', file: 'y.h5' })
    const objects = await objectsOf(domain)
    expect(Object.keys(objects).sort()).toEqual([domain.root, group, datatype, dataset].sort())
    for (const [id, object] of Object.entries(objects)) {
      const collection = { g: 'groups', d: 'datasets', t: 'datatypes' }[id[0]]
      const flags = collection === 'groups' ? 'include_attrs=1&include_links=1' : 'include_attrs=1'
      const alone = await domain.want(200, 'GET', `/${collection}/${id}?${flags}`)
      // Maps tell no names inside here.
      const {
        hrefs: _,
        domain: __,
        bucket: ___,
        ...members
      } = JSON.parse(
        JSON.stringify(alone, (key, item) => {
          return ['links', 'attributes'].includes(key) ? withoutNames(item) : item
        }),
      )
      const { value: small, ...told } = object
      expect(told).toEqual(members)
      expect(small).toEqual(id === dataset ? value : undefined)
    }
    expect(objects[group].links).toEqual({
      t: { class: 'H5L_TYPE_HARD', id: datatype, created: expect.any(Number) },
      soft: { class: 'H5L_TYPE_SOFT', h5path: 'x', created: expect.any(Number) },
      ext: {
        class: 'H5L_TYPE_EXTERNAL',
        h5path: 'x',
        h5domain: 'y.h5',
        file: 'y.h5',
        created: expect.any(Number),
      },
    })
    expect(objects[dataset].type).toEqual({ ...INTEGER, id: datatype })
  })

  test.each<[string, Fields, unknown]>([
    ['a scalar', { type: I32, value: 7 }, 7],
    ['never written', { type: I32, shape: [2], creationProperties: { fillValue: 3 } }, [3, 3]],
    ['without elements', { type: I32, shape: [0, 2] }, []],
    ['null', { type: I32, shape: 'H5S_NULL' }, undefined],
    ['4096 bytes', { type: 'H5T_STD_U8LE', shape: [4096] }, Array(4096).fill(0)],
    ['4097 bytes', { type: 'H5T_STD_U8LE', shape: [4097] }, undefined],
    ['filtered', { type: I32, shape: [2], value: [1, 2], creationProperties: { filters: ['gzip'] } }, [1, 2]],
    [
      'variable text',
      {
        type: { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' },
        shape: [2],
        value: ['é', ''],
      },
      ['é', ''],
    ],
    [
      'long variable text',
      {
        type: { class: 'H5T_STRING', charSet: 'H5T_CSET_UTF8', length: 'H5T_VARIABLE' },
        value: 'x'.repeat(5000),
      },
      undefined,
    ],
    ['opaque', { type: { class: 'H5T_OPAQUE', size: 3 }, shape: [1] }, ['AAAA']],
  ])('the value of a dataset: %s', async (_, body, value) => {
    const domain = await newDomain()
    const id = await domain.dataset({ ...body, link: { id: domain.root, name: 'd' } })
    const objects = await objectsOf(domain)
    if (value === undefined) expect(objects[id]).not.toHaveProperty('value')
    else expect(objects[id].value).toEqual(value)
  })

  test('text that is not UTF-8 is left to requests for the value', async () => {
    const domain = await newDomain()
    const type = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', length: 2, strPad: 'H5T_STR_NULLPAD' }
    const id = await domain.dataset({ type, link: { id: domain.root, name: 'd' } })
    const headers = { 'content-type': 'application/octet-stream' }
    const written = await domain.send('PUT', `/datasets/${id}/value`, Buffer.from([0xff, 0xfe]), { headers })
    expect(written.status, written.story).toBe(200)
    expect((await objectsOf(domain))[id]).not.toHaveProperty('value')
  })

  test('NaN and infinities as the client wants them', async () => {
    const domain = await newDomain()
    const body = `{"type": "H5T_IEEE_F32LE", "shape": [2], "value": [NaN, -Infinity], "link": {"id": "${domain.root}", "name": "d"}}`
    expect((await domain.send('POST', '/datasets', body)).status).toBe(201)
    const text = async () => (await domain.send('GET', '/?getobjs=1')).text
    expect(await text()).toContain('"value":["NaN","-Infinity"]')
    expect((await domain.send('GET', '/?getobjs=1&ignore_nan=1')).text).toContain('"value":[null,null]')
  })
})

describe('which objects, and in which order', () => {
  test('what hard links reach from the root, once; nothing that was deleted', async () => {
    const domain = await newDomain()
    const outer = await domain.group('outer')
    const inner = await domain.group('inner', outer)
    await domain.group()
    const gone = await domain.group('gone')
    const below = await domain.group('below', gone)
    await domain.want(200, 'DELETE', `/groups/${gone}`)
    await domain.want(201, 'PUT', `/groups/${inner}/links/circle`, { id: outer })
    await domain.want(201, 'PUT', `/groups/${inner}/links/root`, { id: domain.root })
    await domain.want(201, 'PUT', `/groups/${domain.root}/links/again`, { id: inner })
    const ids = await idsInOrder(domain)
    expect(ids.toSorted()).toEqual([domain.root, outer, inner].toSorted())
    expect(ids).not.toContain(below)
  })

  test('as the paths are walked: by name, or by creation in a group that keeps track of it', async () => {
    const domain = await newDomain()
    const tracked = (
      await domain.want<{ id: string }>(201, 'POST', '/groups', {
        creationProperties: { CreateOrder: true },
        link: { id: domain.root, name: 'm' },
      })
    ).id
    const names = ['z', 'a', '10', '9', '__proto__']
    const inTracked: string[] = []
    for (const name of names) inTracked.push(await domain.group(name, tracked))
    const first = await domain.group('a')
    const inFirst = new Map<string, string>()
    for (const name of names) inFirst.set(name, await domain.group(name, first))
    const last = await domain.group('z')
    const byName = ['10', '9', '__proto__', 'a', 'z'].map(name => inFirst.get(name))
    expect(await idsInOrder(domain)).toEqual([domain.root, first, ...byName, tracked, ...inTracked, last])
    const linksOf = async (id: string, query = '') => {
      const { text } = await domain.send('GET', `/?getobjs=1${query}`)
      return Array.from(
        text.slice(text.indexOf(`"${id}":{"id"`)).matchAll(/"([^"]+)":\{"class":"H5L_TYPE_HARD"/g),
        ([, name]) => name,
      ).slice(0, 5)
    }
    expect(await linksOf(tracked)).toEqual(names)
    expect(await linksOf(first)).toEqual(['10', '9', '__proto__', 'a', 'z'])
    expect(await linksOf(first, '&CreateOrder=1')).toEqual(names)
  })

  test('thousands of objects come whole', async () => {
    const domain = await newDomain()
    const parents = Array.from({ length: 3 }, (_, i) => ({ link: { id: domain.root, name: `p${i}` } }))
    const { objects } = await domain.want<{ objects: { id: string }[] }>(201, 'POST', '/groups', parents)
    for (const { id } of objects) {
      const items = Array.from({ length: 1000 }, (_, i) => ({
        type: I32,
        value: i,
        link: { id, name: `d${i}` },
      }))
      await domain.want(201, 'POST', '/datasets', items)
    }
    const reply = await domain.send('GET', '/?getobjs=1')
    const all = reply.json<{ domain_objs: Objects }>().domain_objs
    expect(Object.keys(all)).toHaveLength(3004)
    const values = Object.values(all).flatMap(object => object.value ?? [])
    expect(values).toHaveLength(3000)
    expect(Object.keys(all[objects[0].id].links as object)).toHaveLength(1000)
  })

  test('a short answer tells its length', async () => {
    const domain = await newDomain()
    const reply = await domain.send('GET', '/?getobjs=1')
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length))
  })
})

function withoutNames(map: Readonly<Record<string, Fields>>): Fields {
  return Object.fromEntries(Object.entries(map).map(([key, { title: _, name: __, ...item }]) => [key, item]))
}
