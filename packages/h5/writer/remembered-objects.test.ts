import { singlePiece } from '@hyperslab/model/values'
import { describe, expect, it } from 'vitest'
import {
  attribute,
  group,
  hardLink,
  int32s,
  newId,
  newRoot,
} from '../../../test/conformance/sample-objects.ts'
import { RememberedObjects } from './remembered-objects.ts'
import type { DomainSource, SourceAttribute } from './source.ts'

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
