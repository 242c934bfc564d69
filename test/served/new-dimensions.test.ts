// A service with NcML documents that give the datasets of files a new dimension (joinNew): values beside a naive
// stacking, coordinates, each door, and files that arrive.

import { utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import fc from 'fast-check'
import h5wasm, { type Dataset, type File, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
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

const get = (target: string): Promise<Reply> =>
  sendTo(server.address, 'GET', target, undefined, { user: ADMIN })

async function value(domain: string, path: string, select = ''): Promise<unknown> {
  const reply = await get(`/value?domain=/f/${domain}&h5path=${path}${select && `&select=${select}`}`)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ value: unknown }>().value
}

/** The first element of `image` of each file. */
async function firsts(domain: string): Promise<readonly number[]> {
  const rows = (await value(domain, '/g/image', '[:,0]')) as number[][]
  return rows.flat()
}

async function newFolder(name: string): Promise<string> {
  const folder = join(files, name)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder)
  return folder
}

/** A moment after a change a file that cannot be read counts as not complete yet, which is 503. */
const age = (path: string) => utimesSync(path, 1e9, 1e9)

function writeDocument(name: string, inner: string): void {
  const path = join(files, `${name}.ncml`)
  const aggregation = `<aggregation dimName="run" type="joinNew">${inner}</aggregation>`
  writeFileSync(path, `<netcdf xmlns="${NAMESPACE}">${aggregation}</netcdf>`)
  age(path)
}

function writeFileAt(path: string, write: (file: File) => void): void {
  const file = new h5wasm.File(path, 'w')
  write(file)
  file.close()
  age(path)
}

/** Elements of `image` begin with ten times the number of the file. */
function writeRun(path: string, number: number, write: (file: File) => void = () => undefined): void {
  writeFileAt(path, file => {
    file.create_dataset({ name: 'x', data: Float64Array.of(0, 1), shape: [2] }).make_scale('x')
    const group = file.create_group('g')
    const image = { name: 'image', data: Int32Array.of(10 * number, 10 * number + 1), shape: [2] }
    group.create_dataset(image).attach_scale(0, '/x')
    group.create_dataset({ name: 'plain', data: Int32Array.of(number, number), shape: [2] })
    file.create_dataset({ name: 'label', data: `run ${number}` })
    write(file)
  })
}

describe('datasets with a new dimension', () => {
  it('have the values of their files (random families and selections)', async () => {
    const family = fc.record({
      shape: fc.array(fc.integer({ min: 1, max: 4 }), { maxLength: 2 }),
      numbers: fc.uniqueArray(fc.integer({ min: 0, max: 2000 }), { minLength: 1, maxLength: 6 }),
      isChunked: fc.boolean(),
      pick: fc.tuple(fc.nat(), fc.nat(), fc.integer({ min: 1, max: 3 })),
    })
    let count = 0
    const check = async ({
      shape,
      numbers,
      isChunked,
      pick,
    }: typeof family extends fc.Arbitrary<infer T> ? T : never) => {
      const name = `family-${count++}`
      const folder = await newFolder(name)
      const size = shape.reduce((a, b) => a * b, 1)
      const rest = isChunked && shape.length > 0 ? { chunks: shape.map(n => Math.min(n, 2)) } : {}
      for (const number of numbers) {
        writeFileAt(join(folder, `run_${number}.h5`), file => {
          const data = Float32Array.from({ length: size }, (_, i) => number + i / 8)
          const given = shape.length === 0 ? data[0] : data
          file.create_dataset({ name: 'd', data: given, shape, dtype: '<f4', ...rest })
        })
      }
      writeDocument(name, `<scan location="${name}" />`)
      const ordered = numbers.toSorted((a, b) => a - b)
      const nested = (number: number, dims: readonly number[], offset: number): unknown =>
        dims.length === 0
          ? number + offset / 8
          : Array.from({ length: dims[0] }, (_, i) => nested(number, dims.slice(1), offset * dims[0] + i))
      const expected = ordered.map(number => nested(number, shape, 0))
      expect(await value(`${name}.ncml`, '/run')).toEqual(ordered.map(number => `run_${number}.h5`))
      expect(await value(`${name}.ncml`, '/d')).toEqual(expected)
      const [from, to] = [pick[0] % ordered.length, pick[1] % ordered.length].sort((a, b) => a - b)
      const select = `[${[`${from}:${to + 1}:${pick[2]}`, ...shape.map(() => ':')].join()}]`
      const picked = expected.slice(from, to + 1).filter((_, i) => i % pick[2] === 0)
      expect(await value(`${name}.ncml`, '/d', select), select).toEqual(picked)
    }
    await fc.assert(fc.asyncProperty(family, check), { numRuns: 20 })
  })

  it('are in all doors, with the dimension scale', async () => {
    const folder = await newFolder('doors')
    for (const number of [2, 1]) writeRun(join(folder, `run_${number}.h5`), number)
    writeDocument('doors', '<scan location="doors" />')
    const root = (await get('/?domain=/f/doors.ncml')).json<{ root: string }>().root
    const titles = async (group: string) =>
      (await get(`/groups/${group}/links?domain=/f/doors.ncml`))
        .json<{ links: { title: string }[] }>()
        .links.map(({ title }) => title)
    expect((await titles(root)).toSorted()).toEqual(['g', 'label', 'run', 'x'])
    const ids = (await get('/datasets?domain=/f/doors.ncml')).json<{ datasets: string[] }>().datasets
    expect(ids).toHaveLength(5)
    expect(await value('doors.ncml', '/g/image')).toEqual([
      [10, 11],
      [20, 21],
    ])
    expect(await value('doors.ncml', '/label')).toEqual(['run 1', 'run 2'])
    const names = async (path: string) =>
      (await get(`/zarr/v3/f/doors.ncml/${path}/zarr.json`)).json<{ dimension_names: string[] }>()
        .dimension_names
    expect(await names('g/image')).toEqual(['run', 'x'])
    expect(await names('g/plain')).toEqual(['run', 'phony_dim_2'])
    expect(await names('run')).toEqual(['run'])
    const whole = await get('/h5/f/doors.ncml')
    expect(whole.status, whole.story).toBe(200)
    const path = join(directory, 'whole.h5')
    writeFileSync(path, whole.bytes)
    const file = new h5wasm.File(path, 'r')
    const image = file.get('g/image') as Dataset
    expect(image.shape).toEqual([2, 2])
    expect([...(image.value as Int32Array)]).toEqual([10, 11, 20, 21])
    expect(image.get_attached_scales(0)).toEqual(['/run'])
    expect(image.get_attached_scales(1)).toEqual(['/x'])
    expect((file.get('run') as Dataset).value).toEqual(['run_1.h5', 'run_2.h5'])
    file.close()
  })

  it('have the coordinates of the document, in its order', async () => {
    const folder = await newFolder('given')
    for (const number of [1, 2]) writeRun(join(folder, `${number}.h5`), number)
    const one = (number: number, coordinate: string) =>
      `<netcdf location="given/${number}.h5" coordValue="${coordinate}" />`
    writeDocument('given', `<variableAgg name="g/image" />${one(2, '0.5')}${one(1, '-7')}`)
    expect(await value('given.ncml', '/run')).toEqual([0.5, -7])
    expect(await firsts('given.ncml')).toEqual([20, 10])
    expect(await value('given.ncml', '/g/plain')).toEqual([2, 2])
  })

  it('have times of the names of the files', async () => {
    const folder = await newFolder('dated')
    for (const day of ['03', '01']) writeRun(join(folder, `a_2026-01-${day}_raw.h5`), Number(day))
    writeDocument('dated', '<scan location="dated" dateFormatMark="a_#yyyy-MM-dd" />')
    expect(await value('dated.ncml', '/run')).toEqual([1_767_225_600, 1_767_398_400])
    const attributes = (await get('/zarr/v2/f/dated.ncml/run/.zattrs')).json()
    expect(attributes).toMatchObject({ units: 'seconds since 1970-01-01', calendar: 'proleptic_gregorian' })
  })

  it('have a scalar of the files as the coordinate', async () => {
    const folder = await newFolder('scalar')
    for (const [name, number] of [['a', 5] as const, ['b', 4] as const])
      writeRun(join(folder, `${name}.h5`), number, file =>
        file
          .create_dataset({ name: 'run', data: number, shape: [], dtype: '<i2' })
          .create_attribute('units', 'K'),
      )
    writeDocument('scalar', '<scan location="scalar" />')
    expect(await value('scalar.ncml', '/run')).toEqual([4, 5])
    expect(await firsts('scalar.ncml')).toEqual([40, 50])
    const array = (await get('/zarr/v3/f/scalar.ncml/g/image/zarr.json')).json()
    expect(array).toMatchObject({ dimension_names: ['run', 'x'] })
    expect((await get('/zarr/v2/f/scalar.ncml/run/.zattrs')).json()).toMatchObject({ units: 'K' })
  })

  it.each([
    [
      'same',
      '<netcdf location="same/1.h5" coordValue="1" /><netcdf location="same/2.h5" coordValue="1.0" />',
    ],
    ['name', '<scan location="name" dateFormatMark="#yyyyMMdd" />'],
    ['taken', '<scan location="taken" />'],
    ['absent', '<variableAgg name="none" /><scan location="absent" />'],
    ['length', '<netcdf location="length/1.h5" ncoords="2" />'],
  ])('are refused, with the names of the files: %s', async (name, inner) => {
    const reasons: Record<string, string> = {
      same: 'same/1.h5 and same/2.h5 have the same run: 1',
      name: '.h5 has no coordinate of the form {date:%Y%m%d}*',
      taken: 'taken/1.h5 has the object /run, which is not the coordinate',
      absent: 'it has no dataset /none',
      length: 'length/1.h5: run has the length 1, and its ncoords is 2',
    }
    const folder = await newFolder(name)
    for (const number of [1, 2])
      writeRun(join(folder, `${number}.h5`), number, file => {
        if (name === 'taken') file.create_group('run')
      })
    writeDocument(name, inner)
    const reply = await get(`/value?domain=/f/${name}.ncml&h5path=/run`)
    expect([reply.status, reply.text]).toEqual([501, expect.stringContaining(reasons[name])])
  })
})

describe('a new dimension while files arrive', () => {
  it('has them at the place of their coordinate, with an event', async () => {
    const folder = await newFolder('live')
    for (const number of [1, 10]) writeRun(join(folder, `run_${number}.h5`), number)
    writeDocument('live', '<scan location="live" suffix=".h5" />')
    const images = () => firsts('live.ncml')
    expect(await images()).toEqual([10, 100])
    type Page = { events: { domain: string }[]; next: string }
    const page = async (rest: string) => (await get(`/events?domain=/f/live.ncml&wait=0${rest}`)).json<Page>()
    const { next } = await page('')
    writeRun(join(folder, 'run_9.tmp'), 9)
    await rename(join(folder, 'run_9.tmp'), join(folder, 'run_9.h5'))
    await vi.waitFor(async () => expect(await images()).toEqual([10, 90, 100]), SOON)
    expect(await value('live.ncml', '/run')).toEqual(['run_1.h5', 'run_9.h5', 'run_10.h5'])
    const seen = async () => (await page(`&since=${next}`)).events.map(({ domain }) => domain)
    await vi.waitFor(async () => expect(await seen()).toContain('/f/live.ncml'), SOON)
    await rm(join(folder, 'run_1.h5'))
    await vi.waitFor(async () => expect(await images()).toEqual([90, 100]), SOON)
  })
})
