// Imports into a store against h5py: every sample file, and the files of make-files.py, read back from the store.

import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openHttpTarget } from '../../src/cli/remote-target.ts'
import { extentsOf } from '../../src/hdf5/dataspace.ts'
import { formatDnsName, parseDomainPath } from '../../src/hdf5/domain-path.ts'
import type { JsonObject, JsonValue } from '../../src/hdf5/json.ts'
import type { ObjectId } from '../../src/hdf5/object-id.ts'
import { resolveSelection } from '../../src/hdf5/selection/resolve.ts'
import { ElementsBuilder } from '../../src/hdf5/values/copy.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import { ALL_PERMISSIONS } from '../../src/service/access/access.ts'
import type { Dataset, HdfObject, Link, Reader } from '../../src/storage/store.ts'
import { openFileSource } from '../../src/transfer/file-source.ts'
import { importFile } from '../../src/transfer/import-file.ts'
import { openStoreTarget } from '../../src/transfer/store-target.ts'
import type { ImportTarget } from '../../src/transfer/target.ts'
import { wholeValue } from '../conformance/sample-objects.ts'
import { openMemoryStore, serverOf } from '../fixtures/server.ts'
import { openH5wasmReader } from '../h5wasm/reader.ts'
import { compareValue } from './compare.ts'
import { asObject, describeFiles, isMissing, makeFiles, PYTHON, SAMPLE_FILES } from './h5py.ts'

const DOMAIN = parseDomainPath('/test/imported.h5')

/** Left out by the importer, with a warning: the link, or the values. */
const LEFT_OUT = new Set(['/long double'])
const WITHOUT_VALUES = new Set(['/lzf', '/virtual missing', '/virtual unknown', '/chunks'])

async function importInto(
  file: string,
  openTarget: (time: number) => Promise<ImportTarget>,
): Promise<readonly string[]> {
  const source = openFileSource(file)
  try {
    const reader = await openH5wasmReader(file, source)
    const target = await openTarget(source.lastModified)
    const signal = new AbortController().signal
    const requireUnchanged = () => source.requireUnchanged()
    const { warnings } = await importFile(reader, target, { signal, progress: () => {}, requireUnchanged })
    await reader.close()
    return warnings.map(({ path, message }) => `${path}: ${message}`)
  } finally {
    source.close()
  }
}

function linkJson({ target }: Link, addresses: ReadonlyMap<ObjectId, string>): readonly unknown[] {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return ['hard', addresses.get(target.id)]
    case 'H5L_TYPE_SOFT':
      return ['soft', target.h5path]
    case 'H5L_TYPE_EXTERNAL':
      return ['external', target.h5path, target.h5domain]
    case 'H5L_TYPE_USER_DEFINED':
      return ['user-defined']
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

async function readAll(reader: Reader, dataset: Dataset): Promise<Elements | undefined> {
  if (dataset.space.class === 'H5S_NULL') return undefined
  const pieces = await all(reader.readValues(dataset, resolveSelection({ kind: 'all' }, dataset.space)))
  const copy = new ElementsBuilder(
    dataset.type,
    pieces.reduce((count, piece) => count + piece.count, 0),
  )
  let at = 0
  for (const piece of pieces) {
    copy.copy(piece, 0, at, piece.count)
    at += piece.count
  }
  return copy.finish()
}

/** Goes along the links of the store and of h5py's description at the same time. */
async function compareDomain(
  reader: Reader,
  objects: JsonObject,
  rootAddress: string,
  time: number | undefined,
): Promise<void> {
  const entry = await reader.domain(DOMAIN)
  if (!entry?.root) throw new Error('there is no domain')
  if (time !== undefined) expect([entry.created, entry.lastModified]).toEqual([time, time])
  const found = new Map<ObjectId, { path: string; address: string }>([
    [entry.root, { path: '', address: rootAddress }],
  ])
  for (const [id, { path, address }] of found) {
    const expected = asObject(asObject(objects.get(address)).get('links') ?? new Map())
    for (const link of await all(reader.links(id))) {
      const [, to] = (expected.get(link.title) ?? []) as readonly string[]
      if (link.target.class !== 'H5L_TYPE_HARD' || found.has(link.target.id)) continue
      found.set(link.target.id, { path: `${path}/${link.title}`, address: String(to) })
    }
  }
  const addresses = new Map([...found].map(([id, { address }]) => [id, address]))
  for (const [id, { path, address }] of found) {
    const object = await reader.object(id)
    if (!object) throw new Error(`there is no object ${path}`)
    await compareObject(reader, object, path, asObject(objects.get(address)), addresses, time)
  }
  const missing = [...objects.keys()].filter(address => ![...addresses.values()].includes(address))
  expect(missing.length).toBe([...objects.values()].filter(json => isLeftOut(objects, asObject(json))).length)
}

/** h5py describes the long doubles, which are in no domain. */
function isLeftOut(objects: JsonObject, object: JsonObject): boolean {
  const links = [...objects.values()].flatMap(json => [...asObject(asObject(json).get('links') ?? new Map())])
  return links.some(([title, link]) => {
    const [, to] = link as readonly string[]
    return LEFT_OUT.has(`/${title}`) && objects.get(String(to)) === object
  })
}

async function compareObject(
  reader: Reader,
  object: HdfObject,
  path: string,
  expected: JsonObject,
  addresses: ReadonlyMap<ObjectId, string>,
  time: number | undefined,
): Promise<void> {
  const addressOf = (id: ObjectId) => addresses.get(id) ?? `unknown ${id}`
  expect(object.kind).toBe(expected.get('kind'))
  if (time !== undefined) {
    const { lastModified } = await reader.status(object.id)
    expect([object.created, lastModified], `times of ${path}`).toEqual([time, time])
  }
  const attributes = await all(reader.attributes(object.id))
  const described = asObject(expected.get('attributes'))
  expect(attributes.map(({ name }) => name).sort()).toEqual([...described.keys()].sort())
  for (const { name, type, space, value, committedType } of attributes) {
    const attribute = asObject(described.get(name))
    expect(committedType ? addressOf(committedType) : null).toBe(attribute.get('committed'))
    compareValue(attribute, type, extentsOf(space), await wholeValue(type, value), addressOf)
  }
  if (object.kind === 'group') {
    const links = (await all(reader.links(object.id))).map(link => [link.title, linkJson(link, addresses)])
    // No request makes user-defined links.
    const isLeftOver = (link: JsonValue) =>
      time === undefined && Array.isArray(link) && link[0] === 'user-defined'
    const expectedLinks = [...asObject(expected.get('links'))].filter(
      ([title, link]) => !LEFT_OUT.has(`${path}/${title}`) && !isLeftOver(link),
    )
    expect(Object.fromEntries(links)).toEqual(Object.fromEntries(expectedLinks))
  }
  if (object.kind !== 'dataset') return
  const isReadable = !WITHOUT_VALUES.has(path) && !String(expected.get('unreadable')).includes('external raw')
  expect(object.unreadable === undefined, `values of ${path}`).toBe(isReadable)
  if (!isReadable) return
  expect(object.committedType ? addressOf(object.committedType) : null).toBe(expected.get('committed'))
  compareValue(expected, object.type, extentsOf(object.space), await readAll(reader, object), addressOf)
}

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-h5py-'))
const store = openMemoryStore()
const server = serverOf(store, { http: { maxJsonBody: 2 ** 28 } })

afterAll(async () => {
  rmSync(folder, { recursive: true, force: true })
  await server.close()
  await store.close()
})

/** Files that show how objects, values and references are written over HTTP. */
const OVER_HTTP =
  /^((compounds|enums|links|numbers|references|sequences|text|bits)-earliest|tall_with_udlink|committed_type|dim_scale|null_space_attr|null_space_dset|opaque_dset|resizable)\.h5$/

const EXPECTED_WARNINGS = /long double|lzf|external raw|no link leads to|is missing$|filter returned failure/

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('import', () => {
  if (PYTHON === undefined) return
  makeFiles(folder)
  isMissing('the folder of sample files', SAMPLE_FILES.length > 0)
  const files = [...readdirSync(folder).map(name => join(folder, name)), ...SAMPLE_FILES]
  const descriptions = describeFiles(files)
  const cases = files.map((file, index) => ({ name: basename(file), file, expected: descriptions[index] }))

  it.each(cases)('puts $name into the store as h5py reads it', async ({ file, expected }) => {
    const openTarget = (time: number) =>
      openStoreTarget(store, {
        path: DOMAIN,
        file: { size: 0, lastModified: time },
        readOnly: false,
        replace: true,
        access: { defaultAcl: ALL_PERMISSIONS },
      })
    if (expected.has('error')) {
      await expect(importInto(file, openTarget)).rejects.toThrow('is not an HDF5 file')
      return
    }
    const warnings = await importInto(file, openTarget)
    const time = Math.floor(statSync(file).mtimeMs * 1000)
    const root = String(expected.get('root'))
    await store.read(reader => compareDomain(reader, asObject(expected.get('objects')), root, time))
    expect(warnings.filter(text => !EXPECTED_WARNINGS.test(text))).toEqual([])
  })

  const overHttp = cases.filter(({ name }) => OVER_HTTP.test(name))
  it.each(overHttp)('puts $name over HTTP as h5py reads it', async ({ file, expected }) => {
    const endpoint = `http://127.0.0.1:${(port ??= await server.listen('127.0.0.1', 0))}`
    const dnsName = formatDnsName(DOMAIN, 'example.org')
    await store.write(async writer => {
      if (await writer.domain(DOMAIN)) await writer.deleteDomain(DOMAIN)
    })
    const warnings = await importInto(file, () => openHttpTarget({ endpoint, dnsName, path: DOMAIN }))
    const root = String(expected.get('root'))
    await store.read(reader => compareDomain(reader, asObject(expected.get('objects')), root, undefined))
    expect(warnings.filter(text => !EXPECTED_WARNINGS.test(text) && !text.includes('USER_DEFINED'))).toEqual(
      [],
    )
  })
})

let port: number | undefined
