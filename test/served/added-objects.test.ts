// Joined domains with objects of files that are not the first one: datasets that begin in the middle of a series, and
// unions, through each door, and while files arrive, vanish and contradict each other.

import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { type Dataset, type File, type Group, ready } from 'h5wasm/node'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { day, writeMember } from '../fixtures/join-members.ts'
import { ACCOUNTS, type ServedHere, serveHere } from '../fixtures/served.ts'
import { ADMIN, type Fields, type Reply, sendTo } from '../wire/client.ts'
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
  expect((await send('PUT', '/?domain=/home', { folder: true })).status).toBe(201)
})

afterAll(async () => {
  expect(await server.findings()).toEqual([])
  await server.end()
  await rm(directory, { recursive: true, force: true })
})

const send = (method: 'GET' | 'PUT', target: string, body?: Fields): Promise<Reply> =>
  sendTo(server.address, method, target, body, { user: ADMIN })
const get = (target: string) => send('GET', target)

async function value(domain: string, path: string): Promise<unknown> {
  const reply = await get(`/value?domain=${domain}&h5path=${path}`)
  expect(reply.status, reply.story).toBe(200)
  return JSON.parse(reply.text.replaceAll('NaN', 'null')).value
}

/** A moment after a change a file that cannot be read counts as not complete yet, which is 503. */
const age = (path: string) => utimesSync(path, 1e9, 1e9)

async function newFolder(name: string): Promise<string> {
  const folder = join(files, name)
  await mkdir(folder)
  return folder
}

function writeDocument(name: string, aggregation: string, inner: string): void {
  const text = `<netcdf xmlns="${NAMESPACE}"><aggregation ${aggregation}>${inner}</aggregation></netcdf>`
  writeFileSync(join(files, name), text)
}

async function openWhole(domain: string): Promise<File> {
  const whole = await get(`/h5${domain}`)
  expect(whole.status, whole.story).toBe(200)
  const path = join(directory, 'whole.h5')
  writeFileSync(path, whole.bytes)
  return new h5wasm.File(path, 'r')
}

async function idOf(domain: string, path: string): Promise<string> {
  const reply = await get(`/?domain=${domain}&h5path=${path}`)
  expect(reply.status, reply.story).toBe(200)
  return reply.json<{ id: string }>().id
}

describe('a dataset that the first file lacks', () => {
  const domain = '/f/series.ncml'

  it('begins where a file has it, for all doors', async () => {
    const folder = await newFolder('series')
    writeMember(join(folder, 'a.nc'), day(0, 2))
    writeDocument('series.ncml', 'dimName="time" type="joinExisting"', '<scan location="series" />')
    expect((await get(`/value?domain=${domain}&h5path=/sensor/wind`)).status).toBe(404)
    writeMember(join(folder, 'b.nc'), day(2, 2, { hasSensor: true }))
    writeMember(join(folder, 'c.nc'), day(4, 2))
    writeMember(join(folder, 'd.nc'), day(6, 1, { hasSensor: true }))
    const nothing = [null, null]
    const rows = [nothing, nothing, [20, 21], [30, 31], nothing, nothing, [60, 61]]
    await vi.waitFor(async () => expect(await value(domain, '/sensor/wind')).toEqual(rows), SOON)
    expect(await value(domain, '/height')).toEqual([2, 10])
    const group = await idOf(domain, '/sensor')
    const attribute = await get(`/groups/${group}/attributes/maker?domain=${domain}`)
    expect(attribute.json()).toMatchObject({ value: 'one' })
    const array = await get(`/zarr/v3${domain}/sensor/wind/zarr.json`)
    expect(array.json()).toMatchObject({
      shape: [7, 2],
      dimension_names: ['time', 'height'],
      fill_value: 'NaN',
    })
    const file = await openWhole(domain)
    const wind = file.get('sensor/wind') as Dataset
    const numbers = rows.flat().map(number => number ?? Number.NaN)
    expect([...(wind.value as Float32Array)]).toEqual(numbers)
    expect([0, 1].map(axis => wind.get_attached_scales(axis))).toEqual([['/time'], ['/height']])
    file.close()
  })

  it('keeps its id while files come and go, and is gone with the last file that has it', async () => {
    const before = await idOf(domain, '/sensor/wind')
    writeMember(join(files, 'series/e.nc'), day(7, 1, { hasSensor: true }))
    const times = (count: number) => Array.from({ length: count }, (_, i) => i)
    await vi.waitFor(async () => expect(await value(domain, '/time')).toEqual(times(8)), SOON)
    rmSync(join(files, 'series/b.nc'))
    await vi.waitFor(async () => expect(await value(domain, '/time')).toHaveLength(6), SOON)
    expect(await idOf(domain, '/sensor/wind')).toBe(before)
    const read = await get(`/datasets/${before}/value?domain=${domain}&select=[4:6,:]`)
    expect(read.json()).toMatchObject({
      value: [
        [60, 61],
        [70, 71],
      ],
    })
    for (const name of ['d.nc', 'e.nc']) rmSync(join(files, 'series', name))
    await vi.waitFor(async () => expect(await value(domain, '/time')).toHaveLength(4), SOON)
    expect((await get(`/?domain=${domain}&h5path=/sensor`)).status).toBe(404)
  })

  it('is a conflict where the first file has another object in its place', async () => {
    const folder = await newFolder('clash')
    const first = new h5wasm.File(join(folder, 'a.nc'), 'w')
    first.create_dataset({ name: 'time', data: Int32Array.of(0), shape: [1] }).make_scale('time')
    first.create_dataset({ name: 'sensor', data: Int32Array.of(1), shape: [1] })
    first.close()
    writeMember(join(folder, 'b.nc'), day(1, 1, { hasSensor: true }))
    const definition = { sources: '/f/clash/*.nc', along: 'time' }
    const review = await send('PUT', '/?domain=/home/clash.nc', { join: definition, dry_run: true })
    expect(review.json()).toMatchObject({
      conflicts: expect.arrayContaining([
        {
          files: ['/f/clash/a.nc', '/f/clash/b.nc'],
          object: '/sensor/wind',
          reason: '/f/clash/b.nc has the dataset /sensor/wind, and /f/clash/a.nc another object in its place',
        },
      ]),
    })
    const reply = await send('PUT', '/?domain=/home/clash.nc', { join: definition })
    expect([reply.status, reply.json()], reply.story).toMatchObject([409, { code: 'files-differ' }])
  })
})

describe('a union', () => {
  const write = (name: string, fill: (file: File) => void) => {
    const file = new h5wasm.File(join(files, 'union', name), 'w')
    fill(file)
    file.close()
  }
  const writeAir = () =>
    write('air.nc', file => {
      file.create_attribute('title', 'air')
      file.create_dataset({ name: 'x', data: Int32Array.of(1, 2, 3), shape: [3] }).make_scale('x')
      const data = Float32Array.of(1, 2, 3)
      file.create_dataset({ name: 'temp', data, shape: [3] }).attach_scale(0, '/x')
    })
  const writeSea = (width = 3) =>
    write('sea.nc', file => {
      file.create_attribute('title', 'sea')
      file.create_attribute('ship', 'one')
      const x = Int32Array.from({ length: width }, (_, i) => i)
      file.create_dataset({ name: 'x', data: x, shape: [width] }).make_scale('x')
      const group = file.create_group('deep')
      const data = Float32Array.from({ length: 200 * width }, (_, i) => i)
      const shape = [200, width]
      const salt = group.create_dataset({ name: 'salt', data, shape, chunks: shape, compression: 'gzip' })
      salt.attach_scale(1, '/x')
      file.create_dataset({ name: 'temp', data: Float32Array.of(9), shape: [1] })
    })
  const LIST = '<netcdf location="union/air.nc" /><netcdf location="union/sea.nc" />'

  it('has the objects of all files, for all doors', async () => {
    await newFolder('union')
    writeAir()
    writeSea()
    writeDocument('union.ncml', 'type="union"', LIST)
    const domain = '/f/union.ncml'
    expect(await value(domain, '/temp')).toEqual([1, 2, 3])
    expect(await value(domain, '/x')).toEqual([1, 2, 3])
    const own = await get('/zarr/v2/f/union/sea.nc/deep/salt/0.0')
    const chunk = await get(`/zarr/v2${domain}/deep/salt/0.0`)
    expect(chunk.bytes.equals(own.bytes), chunk.story).toBe(true)
    const array = await get(`/zarr/v3${domain}/deep/salt/zarr.json`)
    expect(array.json()).toMatchObject({ shape: [200, 3], dimension_names: [expect.any(String), 'x'] })
    const file = await openWhole(domain)
    expect(file.keys().sort()).toEqual(['deep', 'temp', 'x'])
    expect(Object.keys(file.attrs).sort()).toEqual(['ship', 'title'])
    expect(file.attrs.title.value).toBe('air')
    expect((file.get('deep') as Group).keys()).toEqual(['salt'])
    expect((file.get('deep/salt') as Dataset).get_attached_scales(1)).toEqual(['/x'])
    file.close()
    expect((await get(`/datasets?domain=${domain}`)).json<{ datasets: unknown[] }>().datasets).toHaveLength(3)
  })

  it('follows its files, and names those that contradict each other or are gone', async () => {
    const refused = async (reason: string) => {
      for (const name of ['union.ncml', 'union/air.nc']) age(join(files, name))
      await vi.waitFor(async () => {
        const reply = await get('/value?domain=/f/union.ncml&h5path=/temp')
        expect([reply.status, reply.text], reply.story).toEqual([501, expect.stringContaining(reason)])
      }, SOON)
    }
    writeSea(4)
    age(join(files, 'union/sea.nc'))
    await refused('the dimension scale /x has the length 3 in union/air.nc and 4 in union/sea.nc')
    rmSync(join(files, 'union/sea.nc'))
    await refused('there is no HDF5 file, and no stored domain, union/sea.nc')
    writeSea()
    await vi.waitFor(async () => expect(await value('/f/union.ncml', '/deep/salt')).toHaveLength(200), SOON)
    writeFileSync(join(files, 'union/sea.nc'), readFileSync(join(files, 'union/sea.nc')).subarray(0, 500))
    age(join(files, 'union/sea.nc'))
    await refused('union/sea.nc: ')
    writeSea()
  })

  it('can be a definition in the store', async () => {
    const definition = { sources: ['/f/union/air.nc', '/f/union/*.nc'], union: true }
    const review = await send('PUT', '/?domain=/home/union.nc', { join: definition, dry_run: true })
    expect(review.json(), review.story).toEqual({
      files: 2,
      names: ['/f/union/air.nc', '/f/union/sea.nc'],
      length: 0,
      datasets: [],
      conflicts: [],
      warnings: [],
    })
    expect((await send('PUT', '/?domain=/home/union.nc', { join: definition })).status).toBe(201)
    const shown = await get('/?domain=/home/union.nc')
    expect(shown.json(), shown.story).toMatchObject({ joined: true, num_files: 2, join: definition })
    expect(await value('/home/union.nc', '/deep/salt')).toHaveLength(200)
    write('air2.nc', file => file.create_dataset({ name: 'late', data: Int32Array.of(7), shape: [1] }))
    await vi.waitFor(async () => expect(await value('/home/union.nc', '/late')).toEqual([7]), SOON)
    const wrong = await send('PUT', '/?domain=/home/wrong.nc', { join: { ...definition, along: 'x' } })
    expect([wrong.status, wrong.text]).toEqual([400, expect.stringContaining('join.along must be absent')])
    writeSea(4)
    const differs = await send('PUT', '/?domain=/home/wrong.nc', { join: definition })
    expect([differs.status, differs.text]).toEqual([
      409,
      expect.stringContaining('/x has the length 3 in /f/union/air.nc and 4 in /f/union/sea.nc'),
    ])
  })
})
