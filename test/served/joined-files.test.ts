// A service with NcML documents in a mounted folder: joined files beside a naive concatenation, through each door, and
// while files arrive, change, vanish and are damaged.

import { readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import h5wasm, { type Dataset, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { day, type Member, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Reply, sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

const NAMESPACE = 'http://www.unidata.ucar.edu/namespaces/netcdf/ncml-2.2'
const SOON = { timeout: 60_000 }

let directory: string
let files: string
let server: ServedHere

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  files = join(directory, 'files')
  await mkdir(files)
  server = await serveHere({ mount: [`${files}=/f`] }, { users: ACCOUNTS })
})

afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const get = (target: string, headers = {}): Promise<Reply> =>
  sendTo(server.address, 'GET', target, undefined, { user: ADMIN, headers })

async function value(domain: string, path: string, select = ''): Promise<unknown> {
  const reply = await get(`/value?domain=/f/${domain}&h5path=${path}${select && `&select=${select}`}`)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ value: unknown }>().value
}

/** A moment after a change a file that cannot be read counts as not complete yet, which is 503. */
const age = (path: string) => utimesSync(path, 1e9, 1e9)

async function newFolder(name: string): Promise<string> {
  const folder = join(files, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  return folder
}

function writeDocument(path: string, inner: string, attributes = 'dimName="time" type="joinExisting"'): void {
  writeFileSync(
    path,
    `<netcdf xmlns="${NAMESPACE}"><aggregation ${attributes}>${inner}</aggregation></netcdf>`,
  )
}

describe('joined files', () => {
  const member = fc.record({
    count: fc.integer({ min: 0, max: 5 }),
    gap: fc.integer({ min: 0, max: 3 }),
    isChunked: fc.boolean(),
    type: fc.constantFrom<Member['type'][]>('<h', '<i', '<d'),
  })
  const family = fc.record({
    members: fc.array(member, { minLength: 1, maxLength: 6 }),
    width: fc.integer({ min: 1, max: 4 }),
    axis: fc.constantFrom(0 as const, 1 as const),
    picks: fc.array(fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 })), { maxLength: 3 }),
  })

  it('have the values of their files one after another (random families and selections)', async () => {
    let number = 0
    const check = async ({
      members,
      width,
      axis,
      picks,
    }: typeof family extends fc.Arbitrary<infer T> ? T : never) => {
      const name = `family-${number++}`
      const folder = await newFolder(name)
      let next = 0
      const written = members.map(({ gap, ...rest }, i): Member => {
        const one = { ...rest, first: next + gap, width, axis }
        next = one.first + one.count
        writeMember(join(folder, `run_${i}.nc`), one)
        return one
      })
      writeDocument(join(files, `${name}.ncml`), `<scan location="${name}" suffix=".nc" />`)
      const times = written.flatMap(({ first, count }) => Array.from({ length: count }, (_, i) => first + i))
      expect(await value(`${name}.ncml`, '/time')).toEqual(times)
      const at = (time: number, place: number) => times[time] * 10 + place
      const rows = (list: readonly number[]) =>
        axis === 0
          ? list.map(time => Array.from({ length: width }, (_, place) => at(time, place)))
          : Array.from({ length: width }, (_, place) => list.map(time => at(time, place)))
      const all = times.map((_, time) => time)
      expect(await value(`${name}.ncml`, '/g/d')).toEqual(rows(all))
      for (const [a, b, step] of picks) {
        const [from, to] = [a % (times.length + 1), b % (times.length + 1)].sort((x, y) => x - y)
        if (from === to) continue
        const range = `${from}:${to}:${step}`
        const picked = all.slice(from, to).filter((_, i) => i % step === 0)
        const select = axis === 0 ? `[${range},:]` : `[:,${range}]`
        expect(await value(`${name}.ncml`, '/g/d', select), select).toEqual(rows(picked))
      }
    }
    await fc.assert(fc.asyncProperty(family, check), { numRuns: 25 })
  })

  it('are one file to all doors: links, attributes, Zarr, HDF5 written anew', async () => {
    const folder = await newFolder('doors')
    writeMember(join(folder, 'b.nc'), day(3, 2))
    writeMember(join(folder, 'a.nc'), day(0, 3))
    writeDocument(join(files, 'doors.ncml'), '<scan location="doors" />')
    expect(await value('doors.ncml', '/still')).toEqual([1, 2])
    const list = await get('/domains?domain=/f/')
    expect(list.text).toContain('/f/doors.ncml')
    const array = await get('/zarr/v3/f/doors.ncml/g/d/zarr.json')
    expect(array.json()).toMatchObject({ shape: [5, 2], dimension_names: ['time', expect.any(String)] })
    // The files have chunks of four times: one request for each of them would take too long.
    expect((await get('/zarr/v2/f/doors.ncml/time/.zarray')).json()).toMatchObject({ chunks: [8192] })
    const whole = await get('/h5/f/doors.ncml')
    expect(whole.status, whole.story).toBe(200)
    writeFileSync(join(directory, 'whole.h5'), whole.bytes)
    const file = new h5wasm.File(join(directory, 'whole.h5'), 'r')
    const dataset = file.get('g/d') as Dataset
    expect(dataset.shape).toEqual([5, 2])
    expect([...(dataset.value as Int32Array)]).toEqual([0, 1, 10, 11, 20, 21, 30, 31, 40, 41])
    file.close()
    // There is no file whose bytes it is.
    const anyway = await get('/h5/f/doors.ncml?repack=0')
    expect(anyway.bytes.equals(whole.bytes), anyway.story).toBe(true)
    const refused = await sendTo(server.address, 'PUT', '/groups?domain=/f/doors.ncml', {}, { user: ADMIN })
    expect(refused.status).toBeGreaterThanOrEqual(400)
  })

  it('give the stored chunks of their files to Zarr where these are whole', async () => {
    const folder = await newFolder('whole')
    const write = (name: string, first: number, count: number) =>
      writeMember(join(folder, name), day(first, count, { width: 200, isWide: true }))
    write('a.nc', 0, 4)
    write('b.nc', 4, 2)
    write('c.nc', 6, 3)
    writeDocument(join(files, 'whole.ncml'), '<scan location="whole" />')
    const chunk = async (domain: string, key: string) => {
      const reply = await get(`/zarr/v2/f/${domain}/g/d/${key}`)
      expect(reply.status, reply.story).toBe(200)
      return reply.bytes.toString('hex')
    }
    const pairs = [
      ['0.0', 'whole/a.nc', '0.0'],
      ['1.0', 'whole/a.nc', '1.0'],
      ['2.0', 'whole/b.nc', '0.0'],
      ['3.0', 'whole/c.nc', '0.0'],
      ['4.0', 'whole/c.nc', '1.0'],
    ]
    for (const [key, file, own] of pairs)
      expect(await chunk('whole.ncml', key), key).toBe(await chunk(file, own))
    // The last chunk of c.nc is no longer the last one of the grid.
    write('d.nc', 9, 2)
    const times = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]
    await vi.waitFor(async () => expect(await value('whole.ncml', '/time')).toEqual(times), SOON)
    expect(await chunk('whole.ncml', '0.0')).not.toBe(await chunk('whole/a.nc', '0.0'))
    expect(await value('whole.ncml', '/g/d', '[7:10,1]')).toEqual([[71], [81], [91]])
  })

  it('list files in the order of the document, with their lengths', async () => {
    const folder = await newFolder('listed')
    writeMember(join(folder, 'x.nc'), day(5, 2))
    writeMember(join(folder, 'y.nc'), day(0, 1))
    const list = (ncoords: number) =>
      `<netcdf location="listed/x.nc" ncoords="${ncoords}" /><netcdf location="./listed/../listed/y.nc" />`
    writeDocument(join(files, 'listed.ncml'), list(2))
    expect(await value('listed.ncml', '/time')).toEqual([5, 6, 0])
    writeDocument(join(files, 'listed.ncml'), list(3))
    for (const name of ['listed.ncml', 'listed/x.nc', 'listed/y.nc']) age(join(files, name))
    await vi.waitFor(async () => {
      const reply = await get('/value?domain=/f/listed.ncml&h5path=/time')
      expect([reply.status, reply.text]).toEqual([
        501,
        expect.stringContaining('listed/x.nc: time has the length 2, and its ncoords is 3'),
      ])
    }, SOON)
  })
})

describe('a joined file while its files change', () => {
  it('has files that arrive, grow and go, with other entity tags and an event', async () => {
    const folder = await newFolder('live')
    writeMember(join(folder, 'run_9.nc'), day(0, 2))
    writeDocument(join(files, 'live.ncml'), '<scan location="live" />')
    const times = () => value('live.ncml', '/time')
    const tag = async () => (await get('/h5/f/live.ncml')).headers.etag
    expect(await times()).toEqual([0, 1])
    const before = await tag()
    type Page = { events: { domain: string }[]; next: string }
    const page = async (rest: string) => (await get(`/events?domain=/f/live.ncml&wait=0${rest}`)).json<Page>()
    const { next } = await page('')
    writeMember(join(folder, 'run_10.nc'), day(2, 1))
    await vi.waitFor(async () => expect(await times()).toEqual([0, 1, 2]), SOON)
    expect(await tag()).not.toBe(before)
    const seen = async () => (await page(`&since=${next}`)).events.map(({ domain }) => domain)
    await vi.waitFor(async () => expect(await seen()).toContain('/f/live.ncml'), SOON)
    writeMember(join(folder, 'run_9.nc.tmp'), day(-1, 3))
    await rename(join(folder, 'run_9.nc.tmp'), join(folder, 'run_9.nc'))
    await vi.waitFor(async () => expect(await times()).toEqual([-1, 0, 1, 2]), SOON)
    await rm(join(folder, 'run_9.nc'))
    await vi.waitFor(async () => expect(await times()).toEqual([2]), SOON)
  })

  it('waits for the last file of a scan while it is written, and names it when it stays damaged', async () => {
    const folder = await newFolder('writing')
    writeMember(join(folder, 'a.nc'), day(0, 2))
    writeMember(join(directory, 'b.nc'), day(2, 2))
    const whole = readFileSync(join(directory, 'b.nc'))
    writeFileSync(join(folder, 'b.nc'), whole.subarray(0, 700))
    writeDocument(join(files, 'writing.ncml'), '<scan location="writing" />')
    expect(await value('writing.ncml', '/time')).toEqual([0, 1])
    for (const name of ['writing.ncml', 'writing/a.nc', 'writing/b.nc']) age(join(files, name))
    await vi.waitFor(async () => {
      const reply = await get('/value?domain=/f/writing.ncml&h5path=/time')
      expect([reply.status, reply.text]).toEqual([501, expect.stringContaining('writing/b.nc: ')])
    }, SOON)
    writeFileSync(join(folder, 'b.nc'), whole)
    await vi.waitFor(async () => expect(await value('writing.ncml', '/time')).toEqual([0, 1, 2, 3]), SOON)
  })

  it.each([
    [
      'overlap',
      [day(0, 3), day(2, 3)],
      'of 0.nc (2026-01-01 to 2026-01-01 02:00) and 1.nc (2026-01-01 02:00 to 2026-01-01 04:00) overlap',
    ],
    ['width', [day(0, 3), day(5, 3, { width: 3 })], '/g/d has the extents [3,2] in 0.nc and [3,3] in 1.nc'],
  ])('is refused where its files do not agree: %s', async (name, members, reason) => {
    const folder = await newFolder(name)
    for (const [i, one] of members.entries()) {
      writeMember(join(folder, `${i}.nc`), one)
      age(join(folder, `${i}.nc`))
    }
    writeDocument(join(folder, 'all.ncml'), '<scan location="." suffix=".nc" />')
    age(join(folder, 'all.ncml'))
    const reply = await get(`/?domain=/f/${name}/all.ncml`)
    const group = await get(`/value?domain=/f/${name}/all.ncml&h5path=/time`)
    expect([group.status, group.text], reply.story).toEqual([501, expect.stringContaining(reason)])
  })

  it.each([
    ['<netcdf location="/etc/hosts" />', 'must be relative to the document'],
    ['<netcdf location="../../outside.nc" />', 'is outside of the mounted folder'],
    ['<netcdf location="none.nc" />', 'there is no HDF5 file, and no stored domain, none.nc'],
    ['<netcdf location="itself.ncml" />', 'there is no HDF5 file, and no stored domain, itself.ncml'],
    ['<scan location="nowhere" />', 'there is no HDF5 file in nowhere'],
    ['<scan location="." regExp=".*" />', 'the attribute regExp of <scan> is not supported'],
  ])('says in the list what is wrong with its document: %s', async (inner, reason) => {
    const folder = await newFolder('wrong')
    writeDocument(join(folder, 'itself.ncml'), inner)
    age(join(folder, 'itself.ncml'))
    const list = await get('/domains?domain=/f/wrong/')
    const [domain] = list.json<{ domains: { damage: string }[] }>().domains
    expect(domain.damage).toContain(reason)
    expect((await get('/?domain=/f/wrong/itself.ncml')).status).toBe(501)
    await rm(folder, { recursive: true })
  })
})
