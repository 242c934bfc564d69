// The statistics of a domain, as `verbose` returns them, exact after every change (hsds-objects 8.12).

import { beforeAll, describe, expect, test } from 'vitest'
import { send, USER1 } from '../client.ts'
import { type Domain, expectRefusal, HOME, makeHome, newDomain, OCTETS } from './domain.ts'

beforeAll(makeHome)

interface Statistics {
  readonly num_groups: number
  readonly num_datasets: number
  readonly num_chunks: number
  readonly allocated_bytes: number
  readonly metadata_bytes: number
  readonly total_size: number
  readonly lastModified: number
  readonly scan_info: {
    readonly datasets?: Readonly<Record<string, object>>
    readonly scan_start: number
    readonly scan_complete: number
  }
}

const scan = (domain: Domain) => domain.want<Statistics>(200, 'GET', '/?verbose=1')

/** The first scan that is over later than at that time: the clock of the answer ticks in milliseconds. */
async function laterScan(domain: Domain, time: number): Promise<Statistics> {
  for (;;) {
    const found = await scan(domain)
    expect(found.scan_info.scan_complete).toBeGreaterThanOrEqual(time)
    if (found.scan_info.scan_complete > time) return found
  }
}

const write = (domain: Domain, id: string, length: number, query = '') =>
  domain.want(200, 'PUT', `/datasets/${id}/value${query}`, new Uint8Array(length), {
    headers: { 'content-type': OCTETS },
  })

const TEXT = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

const COUNTS = ['num_groups', 'num_datasets', 'num_datatypes', 'num_chunks', 'num_linked_chunks'] as const
const MEMBERS = [
  ...COUNTS,
  ...[
    'num_objects',
    'allocated_bytes',
    'linked_bytes',
    'metadata_bytes',
    'total_size',
    'md5_sum',
    'scan_info',
  ],
]
const SCAN_MEMBERS = [
  ...['lastModified', 'num_groups', 'num_datatypes', 'datasets', 'num_chunks', 'allocated_bytes'],
  ...['metadata_bytes', 'num_linked_chunks', 'linked_bytes', 'logical_bytes', 'bucket', 'scan_start'],
  ...['md5_sum', 'scan_complete'],
]

describe('hsds-objects 8.12: verbose', () => {
  test('adds its members to those of the domain; a new one holds its root group', async () => {
    const domain = await newDomain()
    const plain = await domain.want(200, 'GET', '/?verbose=0')
    for (const member of MEMBERS) expect(plain).not.toHaveProperty(member)
    const body = await scan(domain)
    expect(Object.keys(body).sort()).toEqual([...Object.keys(plain), ...MEMBERS].sort())
    expect(Object.keys(body.scan_info)).toEqual(SCAN_MEMBERS)
    expect(body).toMatchObject({
      num_groups: 1,
      num_datasets: 0,
      num_datatypes: 0,
      num_chunks: 0,
      num_linked_chunks: 0,
      num_objects: 1,
      allocated_bytes: 0,
      linked_bytes: 0,
      scan_info: { datasets: {}, logical_bytes: 0 },
    })
    expect(body.total_size).toBeGreaterThan(100)
    expect(body.total_size).toBeLessThan(600)
  })

  test('on a folder it adds nothing', async () => {
    const of = async (query: string) =>
      (await send('GET', `/?domain=${HOME}${query}`, undefined, { user: USER1 })).json()
    expect(await of('&verbose=1')).toEqual(await of(''))
  })

  test('what is not there, not readable or no domain is refused as without it', async () => {
    const domain = await newDomain()
    await domain.refuse(403, 'GET', '/?verbose=1', undefined, { user: 'test_user2' })
    await domain.want(200, 'DELETE', '/')
    await domain.refuse(410, 'GET', '/?verbose=1')
    expectRefusal(await send('GET', `/?domain=${HOME}/none&verbose=1`, undefined, { user: USER1 }), 404)
  })

  test('is exact after every change, of linked objects and others', async () => {
    const domain = await newDomain()
    const group = await domain.group('g')
    await domain.group()
    const type = await domain.datatype({ type: 'H5T_STD_I8LE' })
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape: [10, 10], maxdims: [0, 10] })
    const other = await domain.dataset({ type: TEXT })
    const counts = { num_groups: 3, num_datasets: 2, num_datatypes: 1, num_chunks: 0, allocated_bytes: 0 }
    expect(await scan(domain)).toMatchObject({ ...counts, num_objects: 6 })

    await write(domain, id, 400)
    expect(await scan(domain)).toMatchObject({
      ...counts,
      num_objects: 7,
      num_chunks: 1,
      allocated_bytes: 400,
    })
    await write(domain, id, 4, '?select=[3:4,3:4]')
    await domain.want(200, 'PUT', `/datasets/${other}/value`, { value: 'phrase' })
    const { scan_info, ...both } = await scan(domain)
    expect(both).toMatchObject({ num_groups: 3, num_datasets: 2, num_objects: 8, num_chunks: 2 })
    expect(both.allocated_bytes).toBeGreaterThan(405)
    const dataset = { num_chunks: 1, linked_bytes: 0, num_linked_chunks: 0, lastModified: expect.any(Number) }
    expect(scan_info.datasets).toEqual({
      [id]: { ...dataset, allocated_bytes: 400, logical_bytes: 400 },
      [other]: {
        ...dataset,
        allocated_bytes: both.allocated_bytes - 400,
        logical_bytes: expect.any(Number),
      },
    })

    await domain.want(201, 'PUT', `/datasets/${id}/shape`, { shape: [0, 10] })
    expect(await scan(domain)).toMatchObject({ num_chunks: 1, allocated_bytes: both.allocated_bytes - 400 })
    await domain.want(200, 'DELETE', `/datasets/${other}`)
    await domain.want(200, 'DELETE', `/datatypes/${type}`)
    await domain.want(200, 'DELETE', `/groups/${group}`)
    expect(await scan(domain)).toMatchObject({
      num_groups: 2,
      num_datasets: 1,
      num_datatypes: 0,
      num_objects: 3,
      num_chunks: 0,
      allocated_bytes: 0,
    })
  })

  test('metadata_bytes grows and shrinks with links, attributes and objects', async () => {
    const domain = await newDomain()
    const { metadata_bytes: before } = await scan(domain)
    const grows = async (target: string, body: object, status = 201) => {
      const { metadata_bytes } = await scan(domain)
      await domain.want(status, 'PUT', target, body)
      expect((await scan(domain)).metadata_bytes, target).toBeGreaterThan(metadata_bytes)
    }
    await grows(`/groups/${domain.root}/links/soft`, { h5path: '/x' })
    await grows(`/groups/${domain.root}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    await grows(`/groups/${domain.root}/attributes/a?replace=1`, {
      type: 'H5T_STD_I8LE',
      shape: [9],
      value: [1, 2, 3, 4, 5, 6, 7, 8, 9],
    })
    const group = await domain.group()
    await grows(`/groups/${group}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 })
    await domain.want(200, 'DELETE', `/groups/${group}`)
    await domain.want(200, 'DELETE', `/groups/${domain.root}/links/soft`)
    await domain.want(200, 'DELETE', `/groups/${domain.root}/attributes/a`)
    expect((await scan(domain)).metadata_bytes).toBe(before)
  })

  test('lastModified is that of the latest change of anything', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: 'H5T_STD_I8LE', shape: [4] })
    let last = (await scan(domain)).lastModified
    const changes = [
      () => write(domain, id, 4),
      () => domain.want(201, 'PUT', `/datasets/${id}/attributes/a`, { type: 'H5T_STD_I8LE', value: 1 }),
      () => domain.want(200, 'DELETE', `/datasets/${id}/attributes/a`),
      () => domain.want(200, 'DELETE', `/datasets/${id}`),
    ]
    for (const change of changes) {
      await change()
      const { lastModified, scan_info } = await scan(domain)
      expect(lastModified).toBeGreaterThan(last)
      expect(scan_info).toMatchObject({ lastModified })
      last = lastModified
    }
  })

  test('the scan is always just over', async () => {
    const domain = await newDomain()
    const first = (await scan(domain)).scan_info
    expect((await domain.send('PUT', '/?rescan=1')).status).toBe(204)
    const second = (await laterScan(domain, first.scan_complete)).scan_info
    expect(Math.abs(second.scan_start - Date.now() / 1000)).toBeLessThan(60)
    expect(second.scan_complete).toBeGreaterThanOrEqual(second.scan_start)
  })

  test('... also where nothing else of the answer changes', async () => {
    const domain = await newDomain()
    const items = Array.from({ length: 1001 }, () => ({ type: 'H5T_STD_I8LE' }))
    await domain.want(201, 'POST', '/datasets', items)
    const first = await scan(domain)
    const second = await laterScan(domain, first.scan_info.scan_complete)
    expect(second.num_datasets).toBe(1001)
  })

  test('writers of one chunk at once leave it counted once', async () => {
    const domain = await newDomain()
    const id = await domain.dataset({ type: TEXT, shape: [3] })
    const texts = Array.from({ length: 30 }, (_, i) => 'x'.repeat(i))
    await Promise.all(
      texts.map(text => domain.want(200, 'PUT', `/datasets/${id}/value`, { value: [text, '', text] })),
    )
    const { num_chunks, allocated_bytes } = await scan(domain)
    expect(await domain.want(200, 'GET', `/datasets/${id}?verbose=1`)).toMatchObject({
      num_chunks: 1,
      allocated_size: allocated_bytes,
    })
    await domain.want(200, 'PUT', `/datasets/${id}/value`, { value: ['', '', ''] })
    const empty = await scan(domain)
    expect([num_chunks, empty.num_chunks]).toEqual([1, 1])
    const length = String(await domain.value(id)).length
    expect(length).toBe(2)
    await domain.want(200, 'DELETE', `/datasets/${id}`)
    expect(await scan(domain)).toMatchObject({ num_chunks: 0, allocated_bytes: 0 })
  })

  test('of more than 1,000 datasets only the sums are reported', async () => {
    const domain = await newDomain()
    const item = { type: 'H5T_STD_I8LE', shape: [2] }
    await domain.want(201, 'POST', '/datasets', new Array(1000).fill(item))
    expect(Object.keys((await scan(domain)).scan_info.datasets ?? {})).toHaveLength(1000)
    await domain.dataset(item)
    const body = await scan(domain)
    expect(body).toMatchObject({ num_datasets: 1001, scan_info: { logical_bytes: 2002 } })
    expect(body.scan_info).not.toHaveProperty('datasets')
  })
})
