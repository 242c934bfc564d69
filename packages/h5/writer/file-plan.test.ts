// Domains made of random objects, written to a file and read by our reader: what was written comes back. Other cases
// are those that random domains seldom have.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Filter } from '@hyperslab/model/dataset'
import { type Datatype, mapType } from '@hyperslab/model/datatype'
import {
  elementsFromJson,
  elementsToJson,
  isJsonList,
  type JsonValue,
  stringifyJson,
} from '@hyperslab/model/json'
import { isRoot, type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import {
  type Elements,
  hasReferences,
  type Piece,
  PREFIXED_REFERENCES,
  singlePiece,
  type ValueStyle,
} from '@hyperslab/model/values'
import type { Dataset, HdfObject, Reader, Writer } from '@hyperslab/store/store'
import fc from 'fast-check'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { datatype } from '../../../test/arbitraries/datatype.ts'
import { elementJson, nested } from '../../../test/arbitraries/values.ts'
import {
  attribute,
  box,
  dataset,
  domain,
  group,
  hardLink,
  int32s,
  newId,
  newRoot,
  numbersOf,
  SHUFFLE_DEFLATE,
  simple,
  softLink,
  TEXT,
  texts,
} from '../../../test/conformance/sample-objects.ts'
import { seededNumbers } from '../../../test/engines/clock.ts'
import { collect, sourceOf } from '../../../test/fixtures/file-of-structures.ts'
import { openMemoryStore } from '../../../test/fixtures/server.ts'
import { SELECT_ALL } from '../../server/service/selection/request.ts'
import { resolveSelection } from '../../server/service/selection/resolve.ts'
import type { FileAttribute, H5FileReader } from '../file-reader.ts'
import { encodeChunk } from '../filters/pipeline.ts'
import { openH5File } from '../reader/reader.ts'
import { planFile, plannedFile } from './file-plan.ts'
import { fileTypeOf } from './file-types.ts'
import { joined } from './pieces.ts'
import type { DomainSource, SourceLink, UnreadableLink } from './source.ts'
import { ChunkEncoding } from './values/chunk-encoding.ts'

const STYLE: ValueStyle = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const ROOT_PATH = '/written.h5'

const store = openMemoryStore()

afterAll(() => store.close())

/** The file of a domain that `fill` fills. */
async function written(fill: (writer: Writer, root: ObjectId) => Promise<void>): Promise<H5FileReader> {
  const root = newRoot()
  const path = parseDomainPath(ROOT_PATH)
  await store.write(async writer => {
    if (await writer.domain(path)) await writer.deleteDomain(path)
    await writer.createObject(group(root))
    await writer.putDomain(domain(ROOT_PATH, root))
    await fill(writer, root)
  })
  const bytes = await store.read(async reader => {
    const file = await planFile(reader, root)
    const all = await joined(file.pieces())
    expect(all.length).toBe(file.length)
    expect(await file.losses()).toEqual([])
    return all
  })
  const reader = await openH5File(sourceOf(bytes), 'written.h5')
  expect(reader.warnings).toEqual([])
  return reader
}

interface Content {
  readonly type: Datatype
  readonly dims: readonly number[]
  readonly json: JsonValue
}

/** The type without the properties that files do not distinguish: the order of a single byte, and an empty tag. */
function asInFiles(type: Datatype): Datatype {
  return mapType(type, leaf => {
    if (leaf.class === 'H5T_ENUM' && leaf.base.size === 1)
      return { ...leaf, base: { ...leaf.base, order: 'LE' } }
    if ((leaf.class === 'H5T_INTEGER' || leaf.class === 'H5T_BITFIELD') && leaf.size === 1)
      return { ...leaf, order: 'LE' }
    return leaf.class === 'H5T_OPAQUE' && leaf.tag === '' ? { class: leaf.class, size: leaf.size } : leaf
  })
}

/** Strings of files end at their first NUL. */
function beforeNul(json: JsonValue): JsonValue {
  if (typeof json === 'string') return json.split('\0', 1)[0]
  return isJsonList(json) ? json.map(beforeNul) : json
}

/**
 * The type with gaps in its compounds, in turn as long as these; where the first is odd, members are in reverse order.
 */
function withGaps(type: Datatype, gaps: readonly number[]): Datatype {
  if (type.class === 'H5T_ARRAY' || type.class === 'H5T_VLEN')
    return { ...type, base: withGaps(type.base, gaps) }
  if (type.class !== 'H5T_COMPOUND' || gaps.length === 0) return type
  const fields = type.fields.map(({ name, type }, index) => ({
    name,
    type: withGaps(type, gaps.slice(index + 1)),
  }))
  const offsets: number[] = []
  let end = 0
  const order = [...fields.keys()]
  for (const index of gaps[0] % 2 === 1 ? order.reverse() : order) {
    offsets[index] = end + gaps[index % gaps.length]
    end = offsets[index] + fileTypeOf(fields[index].type).size
  }
  return { ...type, fields, inFile: { size: end + gaps[gaps.length - 1], offsets } }
}

const content: fc.Arbitrary<Content> = fc
  .tuple(datatype, fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 4 }))
  // References are compared in test/h5py.
  .filter(([type]) => !hasReferences(type))
  .map(([type, gaps]) => withGaps(type, gaps))
  .chain(type =>
    fc
      .array(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })
      .chain(dims =>
        nested(elementJson(type), dims).map(json => ({ type: asInFiles(type), dims, json: beforeNul(json) })),
      ),
  )

function elementsOf({ type, dims, json }: Content): Elements {
  return elementsFromJson(type, dims, json, PREFIXED_REFERENCES)
}

function textOf(type: Datatype, dims: readonly number[], elements: Elements | undefined): string {
  return stringifyJson(elementsToJson(type, dims, elements ?? int32s([]), STYLE), 'bare')
}

const spaceOf = (dims: readonly number[]) =>
  dims.length === 0 ? ({ class: 'H5S_SCALAR' } as const) : simple(dims)

const LAYOUTS = ['H5D_CHUNKED', 'H5D_CONTIGUOUS', 'H5D_COMPACT'] as const

const datasetCase = fc.record({
  content,
  layout: fc.constantFrom(...LAYOUTS),
  chunk: fc.integer({ min: 1, max: 3 }),
  isFiltered: fc.boolean(),
  isWritten: fc.boolean(),
})

describe('a written file', () => {
  it('has the types and values of datasets and attributes', async () => {
    const datasets = fc.array(datasetCase, { maxLength: 4 })
    const attributes = fc.array(content, { maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(datasets, attributes, async (datasets, attributes) => {
        const reader = await written(async (writer, root) => {
          for (const [index, { content, layout, chunk, isFiltered, isWritten }] of datasets.entries()) {
            const { type, dims } = content
            const isChunked = layout === 'H5D_CHUNKED' && dims.length > 0
            const made = dataset(newId(root), {
              type,
              dims,
              chunkDims: dims.map(() => chunk),
              ...(isFiltered && isChunked && { filters: SHUFFLE_DEFLATE }),
            })
            const object = { ...made, creationProperties: { ...made.creationProperties, layout } }
            await writer.createObject(object)
            await writer.putLinks(root, hardLink(`dataset ${index}`, object.id, 1, 'dataset'))
            if (!isWritten) continue
            const selection = resolveSelection(SELECT_ALL, object.space)
            await writer.writeValues(object, selection, singlePiece(elementsOf(content)))
          }
          for (const [index, content] of attributes.entries()) {
            const times = { created: index + 1, lastModified: 1 }
            const [space, value] = [spaceOf(content.dims), elementsOf(content)]
            await writer.putAttributes(root, {
              name: `a${index}`,
              type: content.type,
              space,
              value,
              ...times,
            })
          }
        })
        const links = await collect(reader.links(reader.root))
        expect(links.map(({ title }) => title)).toEqual(datasets.map((_, index) => `dataset ${index}`))
        for (const [index, { content, isWritten }] of datasets.entries()) {
          const [link] = links.filter(({ title }) => title === `dataset ${index}`)
          const address = link.class === 'H5L_TYPE_HARD' ? link.address : ''
          const { type, dims } = content
          expect((await reader.dataset(address)).type).toEqual(type)
          if (!isWritten) continue
          const start = dims.map(() => 0)
          const found = await reader.readValues(address, start, dims, () => undefined)
          expect(textOf(type, dims, found)).toBe(textOf(type, dims, elementsOf(content)))
        }
        const found: FileAttribute[] = []
        for await (const batch of reader.attributes(reader.root, () => undefined)) found.push(...batch)
        expect(found.map(({ name }) => name)).toEqual(attributes.map((_, index) => `a${index}`))
        for (const [index, content] of attributes.entries()) {
          const { type, dims } = content
          expect(found[index].type).toEqual(type)
          expect(textOf(type, dims, found[index].value)).toBe(textOf(type, dims, elementsOf(content)))
        }
        await reader.close()
      }),
      { numRuns: 40 },
    )
  })

  it('has links in the order of their creation', async () => {
    const titles = fc.uniqueArray(
      fc.string({ minLength: 1, unit: 'grapheme' }).filter(title => !/[/\0]/.test(title)),
      { maxLength: 30 },
    )
    await fc.assert(
      fc.asyncProperty(titles, async titles => {
        const reader = await written(async (writer, root) => {
          for (const [index, title] of titles.entries())
            await writer.putLinks(root, softLink(title, index + 1))
        })
        expect((await collect(reader.links(reader.root))).map(({ title }) => title)).toEqual(titles)
      }),
      { numRuns: 30 },
    )
  })
})

describe('values that are not stored one by one', () => {
  const DIMS = [5, 7]

  async function valuesOf(filters: readonly Filter[]): Promise<number[]> {
    const reader = await written(async (writer, root) => {
      const object = dataset(newId(root), {
        dims: DIMS,
        maxdims: [10, 'H5S_UNLIMITED'],
        chunkDims: [2, 3],
        filters,
      })
      await writer.createObject(object)
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
      async function* repeated(): AsyncGenerator<Piece> {
        yield { count: 35, element: int32s([7]) }
      }
      await writer.writeValues(object, resolveSelection(SELECT_ALL, object.space), repeated())
      const now = await writer.object(object.id)
      if (now?.kind !== 'dataset') throw new Error('the dataset is gone')
      const one = resolveSelection({ kind: 'hyperslab', start: [4, 6], stop: [5, 7] }, object.space)
      await writer.writeValues(now, one, singlePiece(int32s([8])))
      await writer.setExtents(now, [6, 8])
    })
    const [link] = await collect(reader.links(reader.root))
    const address = link.class === 'H5L_TYPE_HARD' ? link.address : ''
    return numbersOf(await reader.readValues(address, [0, 0], [6, 8], () => undefined))
  }

  it.each([[[]], [SHUFFLE_DEFLATE]])('are in the file', async filters => {
    const expected = Array.from({ length: 48 }, (_, index) => {
      const [row, column] = [Math.floor(index / 8), index % 8]
      if (row >= DIMS[0] || column >= DIMS[1]) return 0
      return row === 4 && column === 6 ? 8 : 7
    })
    expect(await valuesOf(filters)).toEqual(expected)
  })

  it('are computed by an initializer', async () => {
    const reader = await written(async (writer, root) => {
      const made = dataset(newId(root), { dims: [10], chunkDims: [4] })
      const initializer = { start: 5, step: 2 }
      const object = { ...made, creationProperties: { ...made.creationProperties, initializer } }
      await writer.createObject(object)
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
    })
    const [link] = await collect(reader.links(reader.root))
    const address = link.class === 'H5L_TYPE_HARD' ? link.address : ''
    const found = numbersOf(await reader.readValues(address, [0], [10], () => undefined))
    expect(found).toEqual([5, 7, 9, 11, 13, 15, 17, 19, 21, 23])
  })
})

/** The reader with other functions in the place of some. */
function replacing(reader: Reader, parts: Partial<DomainSource>): DomainSource {
  return new Proxy(reader, {
    get(target, name) {
      if (name in parts) return Reflect.get(parts, name)
      const value = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  }) as DomainSource
}

describe('chunks of compounds with gaps', () => {
  const BYTE = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' } as const
  /** A byte at an offset in an element of a number of bytes. */
  const byteAt = (offset: number, size: number): Datatype => ({
    class: 'H5T_COMPOUND',
    fields: [{ name: 'a', type: BYTE }],
    inFile: { size, offsets: [offset] },
  })
  const bytes = (count: number): Elements => ({
    count,
    data: Uint8Array.from({ length: count }, (_, i) => i % 100),
    heap: new Uint8Array(0),
  })

  /** A domain with a dataset of such elements, which are all written. */
  async function withValues(type: Datatype, count: number, chunk: number): Promise<ObjectId> {
    const root = newRoot()
    await store.write(async writer => {
      await writer.createObject(group(root))
      const object = dataset(newId(root), {
        type,
        dims: [count],
        chunkDims: [chunk],
        filters: SHUFFLE_DEFLATE,
      })
      await writer.createObject(object)
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
      await writer.writeValues(object, box([0], [count]), singlePiece(bytes(count)))
    })
    return root
  }

  async function opened(file: Uint8Array) {
    const reader = await openH5File(sourceOf(file), 'gaps.h5')
    const [link] = await collect(reader.links(reader.root))
    const address = link.class === 'H5L_TYPE_HARD' ? link.address : ''
    return { reader, address, stored: await reader.allocation?.(address) }
  }

  it('go through the filters again, where the caller says', async () => {
    const [type, count] = [byteAt(5, 20), 2500]
    const root = await withValues(type, count, 1000)
    const encoded: number[] = []
    const encoding = new ChunkEncoding((pipeline, chunk) => {
      encoded.push(chunk.length)
      return encodeChunk(pipeline, chunk)
    })
    const file = await store.read(async reader =>
      joined((await planFile(reader, root, { encoding })).pieces()),
    )
    // Once to plan, once to write.
    expect(encoded).toEqual(Array.from({ length: 6 }, () => 20_000))
    const { reader, address, stored } = await opened(file)
    expect((await reader.dataset(address)).type).toEqual(type)
    expect((await reader.dataset(address)).creationProperties.filters.map(({ id }) => id)).toEqual([2, 1])
    expect((await reader.readValues(address, [0], [count], () => undefined)).data).toEqual(bytes(count).data)
    expect(stored?.chunks).toBe(3)
    // 60,000 bytes without filters.
    expect(stored?.bytes).toBeLessThan(3000)
  })

  it('of more than 64 MiB go through none, a piece at a time', async () => {
    const size = 2 ** 20
    const [type, count] = [byteAt(7, size), 65]
    const root = await withValues(type, count, count)
    await store.read(async reader => {
      const file = await planFile(reader, root)
      let length = 0
      let longest = 0
      const found: number[] = []
      for await (const piece of file.pieces()) {
        longest = Math.max(longest, piece.length)
        length += piece.length
        if (length > file.length - count * size) found.push(...piece.filter(byte => byte !== 0))
      }
      expect(length).toBe(file.length)
      expect(length).toBeGreaterThan(count * size)
      expect(longest).toBeLessThanOrEqual(size)
      expect(found.slice(-(count - 1))).toEqual([...bytes(count).data.subarray(1)])
    })
  })

  it('of 4 GiB are an error, with the path', async () => {
    const root = await withValues(byteAt(0, 2 ** 20), 4096, 4096)
    await expect(store.read(reader => planFile(reader, root))).rejects.toMatchObject({
      code: 'type-unsupported',
      message: '/d: chunks of 4294967296 bytes cannot be written to a file',
    })
  })

  it('that cannot be read are met before anything is sent', async () => {
    const root = await withValues(byteAt(5, 20), 2500, 1000)
    const reason = new HyperslabError('values-unreadable', 'it is damaged')
    const spoilt = (reader: Reader): DomainSource =>
      replacing(reader, {
        async *readValues(stored, selection) {
          if (selection.kind !== 'hyperslab') throw new Error('a box is read')
          const [start] = selection.start
          if (start <= 1500 && start + selection.count[0] > 1500) throw reason
          yield* reader.readValues(stored as Dataset, selection)
        },
      })
    await expect(store.read(reader => planFile(spoilt(reader), root))).rejects.toMatchObject({
      code: 'values-unreadable',
    })
    const losses = await store.read(async reader =>
      (await planFile(spoilt(reader), root, { skipUnreadable: true })).losses(),
    )
    expect(losses[0]).toEqual({ path: '/d', message: expect.stringContaining('it is damaged') })
  })
})

describe('a domain', () => {
  async function planOf(
    fill: (writer: Writer, root: ObjectId) => Promise<void>,
    skipUnreadable = false,
    sourceOf: (reader: Reader) => DomainSource = reader => reader,
  ) {
    const root = newRoot()
    await store.write(async writer => {
      await writer.createObject(group(root))
      await fill(writer, root)
    })
    return store.read(async reader => {
      const file = await planFile(sourceOf(reader), root, { skipUnreadable })
      await joined(file.pieces())
      return file.losses()
    })
  }

  const withoutValues = async (writer: Writer, root: ObjectId): Promise<void> => {
    const inner = group(newId(root))
    const object = { ...dataset(newId(root), { dims: [2], chunkDims: [2] }), unreadable: 'it is damaged' }
    await writer.createObject(inner)
    await writer.createObject(object)
    await writer.putLinks(root, hardLink('inner', inner.id))
    await writer.putLinks(inner.id, hardLink('damaged', object.id, 1, 'dataset'))
  }

  it('with a dataset without values is rejected with its path', async () => {
    await expect(planOf(withoutValues)).rejects.toMatchObject({
      code: 'values-unreadable',
      message: '/inner/damaged: the values cannot be read: it is damaged',
    })
  })

  describe('of whose mounted file parts cannot be read', () => {
    const reason = new HyperslabError('domain-unreadable', 'it is damaged')
    const fill = async (writer: Writer, root: ObjectId): Promise<void> => {
      const inner = group(newId(root))
      await writer.createObject(inner)
      await writer.putLinks(root, hardLink('inner', inner.id))
    }
    async function* withLink(
      links: AsyncIterable<SourceLink | UnreadableLink>,
    ): AsyncGenerator<SourceLink | UnreadableLink> {
      yield* links
      yield { title: 'lost', target: { class: 'H5L_TYPE_ERROR', reason } }
    }
    async function* spoilt() {
      yield { name: 'spoilt', reason }
    }
    const sources: [string, string, string, (reader: Reader) => DomainSource][] = [
      [
        'a link',
        '/inner/lost',
        'the link is left out, because it is damaged',
        reader =>
          replacing(reader, {
            links: (id, page) => (isRoot(id) ? reader.links(id, page) : withLink(reader.links(id, page))),
          }),
      ],
      [
        'an attribute',
        '/inner',
        'the attribute "spoilt" is left out, because it is damaged',
        reader =>
          replacing(reader, {
            details: async ids => (await reader.details(ids)).map(found => found && { object: found.object }),
            attributes: (id, page) => (isRoot(id) ? reader.attributes(id, page) : spoilt()),
          }),
      ],
      [
        'what has no name',
        '/inner',
        'some links or attributes are left out, because it is damaged',
        reader =>
          replacing(reader, {
            details: async ids =>
              (await reader.details(ids)).map(found =>
                found && isRoot(found.object.id)
                  ? found
                  : found?.status && { ...found, status: { ...found.status, damage: reason } },
              ),
          }),
      ],
    ]

    it.each(sources)(
      '%s is an error with its path, or left out with a loss',
      async (_, path, message, sourceOf) => {
        await expect(planOf(fill, false, sourceOf)).rejects.toMatchObject({
          code: 'domain-unreadable',
          message: expect.stringMatching(new RegExp(`^${path}: .*it is damaged$`)),
        })
        expect(await planOf(fill, true, sourceOf)).toEqual([{ path, message }])
      },
    )
  })

  it('whose values are those of others is rejected before the first byte if they cannot be read', async () => {
    const contiguous = async (writer: Writer, root: ObjectId): Promise<void> => {
      const object = dataset(newId(root), { dims: [2], chunkDims: [2] })
      const creationProperties = { ...object.creationProperties, layout: 'H5D_CONTIGUOUS' as const }
      await writer.createObject({ ...object, creationProperties })
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
    }
    // Without the look at them they are not read: nothing is stored.
    await planOf(contiguous, false, valuesThatFail)
    const ofOthers = (reader: Reader) =>
      replacing(reader, { requireValues: async () => {}, readValues: failingRead })
    await expect(planOf(contiguous, false, ofOthers)).rejects.toMatchObject({ code: 'values-unreadable' })
  })

  it('is written without such a dataset if that is asked for', async () => {
    expect(await planOf(withoutValues, true)).toEqual([
      {
        path: '/inner/damaged',
        message: 'the dataset is left out, because the values cannot be read: it is damaged',
      },
      {
        path: '/inner/damaged',
        message: 'the link is left out, because the file does not have its object',
      },
    ])
  })

  const failingRead = (): never => {
    throw new HyperslabError('values-unreadable', 'the values of /d cannot be read')
  }
  const valuesThatFail = (reader: Reader): DomainSource => replacing(reader, { readValues: failingRead })

  function withValues(filters: readonly Filter[]) {
    return async (writer: Writer, root: ObjectId) => {
      const object = dataset(newId(root), { dims: [4], chunkDims: [2], filters })
      await writer.createObject(object)
      await writer.putLinks(root, hardLink('d', object.id, 1, 'dataset'))
      await writer.writeValues(object, box([2], [2]), singlePiece(int32s([1, 2])))
    }
  }

  const LZO: Filter = { id: 305, json: new Map([['id', 305]]) }

  it('with a filter that is not known, and values that cannot be read, is rejected before the first byte', async () => {
    await expect(planOf(withValues([LZO]), false, valuesThatFail)).rejects.toMatchObject({
      code: 'values-unreadable',
      message: '/d: the values of /d cannot be read',
    })
    expect(await planOf(withValues([LZO]))).toEqual([])
  })

  it.each([[[]], [[LZO]]])(
    'with filters %j is written without values that turn out unreadable',
    async filters => {
      const losses = await planOf(withValues(filters), true, valuesThatFail)
      expect(losses).toContainEqual({
        path: '/d',
        message: 'the dataset is left out, because the values of /d cannot be read',
      })
    },
  )

  it('with a link whose object was deleted is written without it', async () => {
    const losses = await planOf(async (writer, root) => {
      const gone = group(newId(root))
      await writer.createObject(gone)
      await writer.putLinks(root, hardLink('gone', gone.id))
      await writer.deleteObject(gone.id, { links: false })
    })
    expect(losses).toEqual([
      { path: '/gone', message: 'the link is left out, because the file does not have its object' },
    ])
  })

  it('with references to objects that are not in the file says so before the first byte', async () => {
    const type = { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' } as const
    const root = newRoot()
    const [lost, mounted, sound] = [1, 2, 3].map(() =>
      dataset(newId(root), { type, dims: [1], chunkDims: [1] }),
    )
    await store.write(async writer => {
      await writer.createObject(group(root))
      for (const [index, object] of [lost, mounted, sound].entries()) {
        await writer.createObject(object)
        await writer.putLinks(root, hardLink(`d${index}`, object.id, index, 'dataset'))
        const target = PREFIXED_REFERENCES.format({ kind: 'group', id: object === lost ? newId(root) : root })
        const value = elementsOf({ type, dims: [1], json: [target] })
        await writer.writeValues(object, box([0], [1]), singlePiece(value))
        await writer.putAttributes(object.id, { ...attribute('a', [1]), type, value })
      }
    })
    const source = (reader: Reader): DomainSource =>
      replacing(reader, {
        async *readValues(object, selection) {
          for await (const elements of reader.readValues(object as Dataset, selection))
            yield object.id === mounted.id ? { ...elements, hasLostReferences: true } : elements
        },
      })
    const losses = await store.read(async reader => (await planFile(source(reader), root)).losses())
    const reason = 'become null: their objects are not in the file'
    expect(losses).toEqual([
      { path: '/d0', message: `references in the attribute "a" ${reason}` },
      { path: '/d0', message: `references in the values ${reason}` },
      { path: '/d1', message: `references in the values ${reason}` },
    ])
  })

  it('with a name that is too long for a file is rejected with its path', async () => {
    const plan = planOf(async (writer, root) => {
      const [space, value] = [simple([1]), int32s([1])]
      const type = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' } as const
      await writer.putAttributes(root, {
        name: 'x'.repeat(65_535),
        type,
        space,
        value,
        created: 1,
        lastModified: 1,
      })
    })
    await expect(plan).rejects.toMatchObject({
      code: 'type-unsupported',
      message: expect.stringMatching(/^\/: the name of the attribute .* takes 65536 bytes/),
    })
  })
})

it('lets the event loop go on while it plans and writes a group of many links', async () => {
  const root = newRoot()
  const count = 10_000
  let handedOut = 0
  let most = 0
  async function* links() {
    for (let i = 0; i < count; i++) {
      most = Math.max(most, ++handedOut)
      yield { title: `link ${i}`, created: i, target: { class: 'H5L_TYPE_SOFT', h5path: '/' } } as const
    }
  }
  const immediates = { areWanted: true }
  const tick = () => {
    handedOut = 0
    if (immediates.areWanted) setImmediate(tick)
  }
  setImmediate(tick)
  await store.write(async writer => {
    await writer.createObject(group(root))
    const source = {
      object: (id: ObjectId) => writer.object(id),
      details: (ids: readonly ObjectId[]) => writer.details(ids),
      status: (id: ObjectId) => writer.status(id),
      links,
      linksTo: (id: ObjectId) => writer.linksTo(id),
      attributes: (id: ObjectId) => writer.attributes(id),
      allocation: (id: ObjectId) => writer.allocation(id),
      storedChunks: none,
      readValues: none,
      requireValues: () => undefined,
    }
    const file = await planFile(source, root)
    for await (const _ of file.pieces());
  })
  immediates.areWanted = false
  expect(most).toBeLessThan(count / 2)
})

it('lets the event loop go on between objects, what they have in the heap, values and chunks', async () => {
  const root = newRoot()
  const [objects, chunks] = [100, 300]
  let handedOut = 0
  let most = 0
  const counted = <T>(value: T) => {
    most = Math.max(most, ++handedOut)
    return value
  }
  // Each turn is over when that is first looked at.
  let now = performance.now()
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
    now += 10
    return now
  })
  let next = setImmediate(function tick() {
    handedOut = 0
    next = setImmediate(tick)
  })
  await store.write(async writer => {
    await writer.createObject(group(root))
    for (let i = 0; i < objects; i++) {
      const id = newId(root)
      await writer.createObject(dataset(id, { type: TEXT, dims: [2], chunkDims: [2] }))
      await writer.putAttributes(id, { ...attribute('units'), type: TEXT, value: texts(['m']) })
      await writer.putLinks(root, hardLink(`d${i}`, id, i, 'dataset'))
      const stored = await writer.object(id)
      if (stored?.kind !== 'dataset') throw new Error('the dataset is not there')
      await writer.writeValues(stored, box([0], [2]), singlePiece(texts(['a', 'b'])))
    }
    const chunked = dataset(newId(root), { dims: [chunks], chunkDims: [1] })
    await writer.createObject(chunked)
    await writer.putLinks(root, hardLink('chunked', chunked.id, objects, 'dataset'))
    const numbers = int32s(Array.from({ length: chunks }, (_, i) => i))
    await writer.writeValues(chunked, box([0], [chunks]), singlePiece(numbers))
  })
  await store.read(async reader => {
    const source: DomainSource<HdfObject> = {
      object: id => counted(reader.object(id)),
      details: async ids => (await reader.details(ids)).map(details => details && { object: details.object }),
      status: id => reader.status(id),
      links: (id, page) => reader.links(id, page),
      linksTo: id => reader.linksTo(id),
      attributes: (id, page) => counted(reader.attributes(id, page)),
      allocation: id => reader.allocation(id),
      readValues: (stored, selection) => counted(reader.readValues(stored as Dataset, selection)),
      requireValues: () => undefined,
      async *storedChunks(stored) {
        for await (const chunk of reader.storedChunks(stored as Dataset)) {
          yield counted(chunk)
        }
      },
    }
    const file = await planFile(source, root)
    for await (const _ of file.pieces());
  })
  clearImmediate(next)
  clock.mockRestore()
  expect(most).toBeLessThan(8)
})

describe('datasets that are nearly alike', () => {
  /** The parts of the dataset `index`, in turn: values, a second link, another attribute, longer text. */
  const partsOf = (index: number) => ({
    isWritten: index % 5 !== 0,
    isLinkedTwice: index % 7 === 0,
    names: index % 3 === 0 ? ['units', 'scale'] : ['units'],
    text: 'm'.repeat(index % 11),
  })

  it('are each written as they are', async () => {
    const count = 200
    const file = await written(async (writer, root) => {
      for (let index = 0; index < count; index++) {
        const { isWritten, isLinkedTwice, names, text } = partsOf(index)
        const chunked = dataset(newId(root), { dims: [2], chunkDims: [2] })
        const layout = { ...chunked.creationProperties, layout: 'H5D_CONTIGUOUS' } as const
        const stored = { ...chunked, creationProperties: layout }
        await writer.createObject(stored)
        await writer.putLinks(root, hardLink(`d${index}`, stored.id, index, 'dataset'))
        if (isLinkedTwice) await writer.putLinks(root, hardLink(`e${index}`, stored.id, index, 'dataset'))
        for (const name of names) {
          const units = { type: TEXT, space: { class: 'H5S_SCALAR' }, value: texts([text]) } as const
          await writer.putAttributes(stored.id, { ...attribute(name), ...(name === 'units' && units) })
        }
        const values = singlePiece(int32s([index, -index]))
        if (isWritten) await writer.writeValues(stored, box([0], [2]), values)
      }
    })
    const links = (await collect(file.links(file.root))).flat()
    for (const link of links) {
      const { isWritten, names, text } = partsOf(Number(link.title.slice(1)))
      if (link.class !== 'H5L_TYPE_HARD') throw new Error('the link is not hard')
      const attributes = (await collect(file.attributes(link.address, () => undefined))).flat()
      expect(attributes.map(({ name }) => name).sort()).toEqual([...names].sort())
      const units = attributes.find(({ name }) => name === 'units')?.value
      expect(Buffer.from(units?.heap ?? []).toString()).toBe(text)
      const { data } = await file.readValues(link.address, [0], [2], () => undefined)
      const index = Number(link.title.slice(1))
      expect(numbersOf({ count: 2, data, heap: data.subarray(0, 0) })).toEqual(
        isWritten ? [index, -index] : [0, 0],
      )
    }
    const twice = Array.from({ length: count }, (_, index) => partsOf(index).isLinkedTwice).filter(Boolean)
    expect(links).toHaveLength(count + twice.length)
  })
})

describe('a part of a file', () => {
  it('has the bytes of the whole there, and needs few objects before it', async () => {
    const root = newRoot()
    const count = 2000
    const text = (i: number) => `${i} `.repeat(i % 700 === 3 ? 30_000 : 30)
    await store.write(async writer => {
      await writer.createObject(group(root))
      for (let i = 0; i < count; i++) {
        const id = newId(root)
        const stored = dataset(id, { type: TEXT, dims: [2], chunkDims: [2] })
        await writer.createObject(stored)
        await writer.putLinks(root, hardLink(`d${i}`, id, i, 'dataset'))
        if (i % 3 === 0) continue
        await writer.putAttributes(id, { ...attribute('long'), type: TEXT, value: texts([text(i)]) })
        if (i % 5 > 0) continue
        await writer.writeValues(stored, box([0], [2]), singlePiece(texts(['a', text(i)])))
      }
    })
    await store.read(async reader => {
      const planned = await planFile(reader, root)
      const whole = await joined(planned.pieces())
      let looked = 0
      const counting: DomainSource<HdfObject> = {
        object(id) {
          looked++
          return reader.object(id)
        },
        details(ids) {
          looked += ids.length
          return reader.details(ids)
        },
        status: id => reader.status(id),
        links: (id, page) => reader.links(id, page),
        linksTo: id => reader.linksTo(id),
        attributes: (id, page) => reader.attributes(id, page),
        allocation: id => reader.allocation(id),
        storedChunks: (stored, span) => reader.storedChunks(stored as Dataset, span),
        readValues: (stored, selection) => reader.readValues(stored as Dataset, selection),
        requireValues: () => undefined,
      }
      const numbers = seededNumbers(7)
      const { headLength, layout } = planned
      const { heapAddress } = layout
      const ends = [0, 7, 48, heapAddress - 1, heapAddress, headLength - 1, headLength, whole.length - 1]
      const random = Array.from({ length: 40 }, () => Math.floor(numbers() * whole.length))
      const read = async (start: number, length: number) => {
        looked = 0
        const file = plannedFile(counting, layout, { marks: new Map() })
        const part = await joined(file.pieces(start, length))
        expect(Buffer.compare(part, whole.subarray(start, start + length)), `${start}+${length}`).toBe(0)
      }
      for (const start of [...ends, ...random]) {
        await read(start, Math.min(1 + Math.floor(numbers() * 100_000), whole.length - start))
      }
      await read(heapAddress - 200, 100)
      expect(looked).toBeLessThan(100)
      await read(headLength - 200, 100)
      expect(looked).toBeLessThan(count / 2)
    })
  })
})

async function* none() {}
