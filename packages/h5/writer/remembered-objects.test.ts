import { HyperslabError } from '@hyperslab/base/errors'
import type { ObjectId } from '@hyperslab/model/names'
import { singlePiece } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import {
  attribute,
  dataset,
  group,
  hardLink,
  int32s,
  newId,
  newRoot,
} from '../../../test/conformance/sample-objects.ts'
import { RememberedObjects } from './remembered-objects.ts'
import type { DomainSource, SourceAttribute, SourceDataset } from './source.ts'

const root = newRoot()
const child = newId(root)
const value = int32s([1, 2, 3])

/**
 * A source of a group with three links and the attributes, which counts how often a list was begun and an object was
 * read. `details`: the attributes come with the object.
 */
function countedSource(attributes: readonly SourceAttribute[], { details = false } = {}) {
  const reads = { objects: 0, details: 0, links: 0, attributes: 0 }
  const source: Pick<DomainSource, 'object' | 'details' | 'links' | 'attributes'> = {
    object: async id => {
      reads.objects++
      return id === root ? group(root) : undefined
    },
    details: async ids => {
      reads.details += ids.length
      return ids.map(id =>
        id === root ? { object: group(root), ...(details && { attributes }) } : undefined,
      )
    },
    async *links() {
      reads.links++
      for (const title of ['c', 'a', 'b']) yield hardLink(title, child)
    },
    async *attributes() {
      reads.attributes++
      yield* attributes
    },
  }
  return { reads, source: source as DomainSource }
}

async function listed<T>(items: Iterable<T> | AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

describe('objects, links and attributes', () => {
  it('are read once, and are the same each time', async () => {
    const { reads, source } = countedSource([{ ...attribute('a'), value }])
    const remembered = new RememberedObjects(source)
    for (let pass = 0; pass < 3; pass++) {
      await remembered.readAhead([root])
      expect(await remembered.object(root)).toEqual(group(root))
      expect((await listed(remembered.links(root))).map(({ title }) => title)).toEqual(['c', 'a', 'b'])
      expect(await listed(remembered.attributes(root))).toEqual([{ ...attribute('a'), value }])
    }
    expect(reads).toEqual({ objects: 0, details: 1, links: 1, attributes: 1 })
  })

  it('are read with the object where it comes with its attributes', async () => {
    const { reads, source } = countedSource([{ ...attribute('a'), value }], { details: true })
    const remembered = new RememberedObjects(source)
    for (let pass = 0; pass < 2; pass++) {
      await remembered.readAhead([root, child])
      expect(await listed(remembered.attributes(root))).toEqual([{ ...attribute('a'), value }])
    }
    expect(remembered.hasAll).toBe(true)
    expect(remembered.known(root)?.object).toEqual(group(root))
    expect(remembered.known(child)).toBeUndefined()
    expect(reads).toEqual({ objects: 0, details: 3, links: 0, attributes: 0 })
  })

  it('that were read ahead without room for them are known until others are', async () => {
    const { reads, source } = countedSource([{ ...attribute('a'), value }], { details: true })
    const remembered = new RememberedObjects(source, { maxBytes: 0 })
    for (let pass = 0; pass < 2; pass++) {
      await remembered.readAhead([root])
      expect(remembered.object(root)).toEqual(group(root))
      expect(await listed(remembered.attributes(root))).toHaveLength(1)
    }
    expect(remembered.hasAll).toBe(false)
    await remembered.readAhead([child])
    expect(await remembered.object(root)).toEqual(group(root))
    expect(reads).toEqual({ objects: 1, details: 3, links: 0, attributes: 0 })
  })

  it('that are not there are asked for again', async () => {
    const { reads, source } = countedSource([])
    const remembered = new RememberedObjects(source)
    expect(await remembered.object(child)).toBeUndefined()
    expect(await remembered.object(child)).toBeUndefined()
    expect(reads.objects).toBe(2)
  })

  it('beyond the limit are read each time, and what is small finds room later', async () => {
    const large = { ...attribute('large'), value: { ...value, data: new Uint8Array(4096) } }
    const { reads, source } = countedSource([{ ...attribute('a'), value }, large])
    const remembered = new RememberedObjects(source, { maxBytes: 4096 })
    for (let pass = 0; pass < 2; pass++) {
      expect((await listed(remembered.attributes(root))).map(({ name }) => name)).toEqual(['a', 'large'])
      expect((await listed(remembered.links(root))).length).toBe(3)
    }
    expect(reads).toMatchObject({ links: 1, attributes: 2 })
  })

  it('in a list that was not read to its end are read again', async () => {
    const { reads, source } = countedSource([])
    const remembered = new RememberedObjects(source)
    for await (const { title } of remembered.links(root)) {
      expect(title).toBe('c')
      break
    }
    expect((await listed(remembered.links(root))).length).toBe(3)
    expect(reads.links).toBe(2)
  })

  it('with a value in pieces, which can be read once only, are read each time', async () => {
    const { reads, source } = countedSource([{ ...attribute('a'), value: { pieces: singlePiece(value) } }])
    const remembered = new RememberedObjects(source)
    await listed(remembered.attributes(root))
    await listed(remembered.attributes(root))
    expect(reads.attributes).toBe(2)
  })
})

describe('links of several groups', () => {
  const groups = [child, newId(root)]
  const linksOf = (count: number) => Array.from({ length: count }, (_, i) => hardLink(`l${i}`, child))
  const unreadable = {
    title: 'x',
    target: { class: 'H5L_TYPE_ERROR', reason: new HyperslabError('values-unreadable', 'x') },
  }

  it.each([
    ['few', linksOf(3), 1],
    ['many', linksOf(30), 2],
    ['one that cannot be read', [...linksOf(2), unreadable], 2],
  ])('%s: are read together, and again if they are not all there', async (_, links, reads) => {
    let begun = 0
    const source = {
      async *links(_group: ObjectId, { limit }: { readonly limit?: number }) {
        begun++
        yield* links.slice(0, limit)
      },
    }
    const remembered = new RememberedObjects(source as unknown as DomainSource, {
      onUnreadable: async () => {},
    })
    await remembered.readLinksAhead(groups)
    for (const group of groups)
      expect(await listed(remembered.links(group))).toEqual(links.filter(link => link !== unreadable))
    expect(begun).toBe(reads * groups.length)
  })
})

const contiguous = ({ creationProperties, ...rest }: SourceDataset): SourceDataset => ({
  ...rest,
  creationProperties: { ...creationProperties, layout: 'H5D_CONTIGUOUS' },
})

describe('small datasets', () => {
  it('are read with others, if all of them are remembered', async () => {
    const text = {
      class: 'H5T_STRING',
      length: 'H5T_VARIABLE',
      charSet: 'H5T_CSET_UTF8',
      strPad: 'H5T_STR_NULLTERM',
    } as const
    const chunked = dataset(newId(root), { dims: [4], chunkDims: [2] })
    const texts = contiguous(dataset(newId(root), { type: text, dims: [1], chunkDims: [1] }))
    const chunk = { coordinates: [0], length: 8, mask: 0, bytes: async () => new Uint8Array(8) }
    const reads = { chunks: 0, values: 0 }
    const source = {
      details: async (ids: readonly ObjectId[]) =>
        ids.map(id => ({ object: id === texts.id ? texts : chunked, chunks: 1 })),
      async *storedChunks() {
        reads.chunks++
        yield chunk
      },
      async *readValues() {
        reads.values++
        yield value
      },
    }
    const remembered = new RememberedObjects(source as unknown as DomainSource)
    for (let pass = 0; pass < 2; pass++) {
      await remembered.readAhead([chunked.id, texts.id])
      expect(await listed(remembered.chunks(chunked))).toEqual([chunk])
      expect(await listed(remembered.values(texts))).toEqual([value])
    }
    expect(reads).toEqual({ chunks: 1, values: 1 })
    await listed(remembered.chunks(chunked, { from: [0] }))
    expect(reads.chunks).toBe(2)

    const full = new RememberedObjects(source as unknown as DomainSource, { maxBytes: 0 })
    await full.readAhead([chunked.id, texts.id])
    expect(reads).toEqual({ chunks: 2, values: 1 })
  })
})
