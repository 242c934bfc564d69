// The objects of a new file in memory, as the source that the writer of files takes. Chunks are encoded when the file
// is planned, and kept encoded until it is written.

import { coordinatesWithin, elementCount, extentsOf } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { chunkCounts, type Selection } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import { encodeChunk, pipelineOf } from '../filters/pipeline.ts'
import { copyRuns, runsOfBox } from '../reader/values/box-runs.ts'
import type {
  DomainSource,
  SourceAttribute,
  SourceChunk,
  SourceDataset,
  SourceLink,
  SourceObject,
  SourceSpan,
} from '../writer/source.ts'

export interface NewObject {
  readonly object: SourceObject
  readonly links: SourceLink[]
  readonly attributes: SourceAttribute[]
  /** The values of a dataset. */
  readonly values?: Elements
}

export class NewObjects implements DomainSource {
  readonly #objects = new Map<ObjectId, NewObject>()
  readonly #chunks = new Map<ObjectId, readonly SourceChunk[]>()

  add(object: NewObject): void {
    this.#objects.set(object.object.id, object)
  }

  async object(id: ObjectId): Promise<SourceObject | undefined> {
    return this.#objects.get(id)?.object
  }

  async details(ids: readonly ObjectId[]) {
    return ids.map(id => {
      const found = this.#objects.get(id)
      return (
        found && {
          object: found.object,
          status: { lastModified: found.object.created },
          attributes: found.attributes,
        }
      )
    })
  }

  async status(id: ObjectId) {
    return { lastModified: this.#get(id).object.created }
  }

  async *links(group: ObjectId): AsyncGenerator<SourceLink> {
    yield* this.#get(group).links
  }

  async *linksTo(id: ObjectId) {
    for (const { object, links } of this.#objects.values()) {
      for (const { title, target } of links)
        if (target.class === 'H5L_TYPE_HARD' && target.id === id) yield { group: object.id, title }
    }
  }

  async *attributes(owner: ObjectId): AsyncGenerator<SourceAttribute> {
    yield* this.#get(owner).attributes
  }

  async allocation(id: ObjectId) {
    const { object, values } = this.#get(id)
    if (object.kind !== 'dataset' || !values) return { chunks: 0 }
    return { chunks: [...gridOf(object)].length }
  }

  requireValues(): undefined {
    return undefined
  }

  async *storedChunks(dataset: SourceDataset, { from, count = Infinity }: SourceSpan = {}) {
    const chunks = await this.#chunksOf(dataset)
    const isFirst = ({ coordinates }: SourceChunk) => coordinates.every((index, d) => index === from?.[d])
    const first = from ? chunks.findIndex(isFirst) : 0
    yield* chunks.slice(first, first + count)
  }

  async *readValues(dataset: SourceDataset, selection: Selection): AsyncGenerator<Elements> {
    const { values } = this.#get(dataset.id)
    if (selection.kind !== 'hyperslab') throw new Error('a file is written by boxes')
    const { start, count, block } = selection
    const extents = count.map((blocks, d) => blocks * block[d])
    if (values) yield boxOf(dataset, values, start, extents)
  }

  #get(id: ObjectId): NewObject {
    const found = this.#objects.get(id)
    if (!found) throw new Error(`there is no object ${id}`)
    return found
  }

  async #chunksOf(dataset: SourceDataset): Promise<readonly SourceChunk[]> {
    const known = this.#chunks.get(dataset.id)
    if (known) return known
    const chunks: SourceChunk[] = []
    const { values } = this.#get(dataset.id)
    if (values)
      for (const coordinates of gridOf(dataset)) chunks.push(await encoded(dataset, values, coordinates))
    this.#chunks.set(dataset.id, chunks)
    return chunks
  }
}

/** The coordinates of all chunks. */
function gridOf({ space, creationProperties: { chunkDims = [] } }: SourceDataset) {
  return elementCount(space) === 0
    ? []
    : coordinatesWithin(chunkCounts({ dims: extentsOf(space), chunkDims }))
}

/** A whole chunk, filled up with zeros beyond the extents. Elements of variable size are encoded by the writer. */
async function encoded(
  dataset: SourceDataset,
  values: Elements,
  coordinates: readonly number[],
): Promise<SourceChunk> {
  const { type, space, creationProperties } = dataset
  const { chunkDims = [], filters, fillValue } = creationProperties
  const dims = extentsOf(space)
  const start = coordinates.map((index, d) => index * chunkDims[d])
  const inside = chunkDims.map((extent, d) => Math.min(extent, dims[d] - start[d]))
  const size = elementSize(type)
  const chunk = new Uint8Array(chunkDims.reduce((length, extent) => length * extent, size))
  copyRuns(
    runsOfBox(
      inside,
      dims,
      start,
      chunkDims,
      start.map(() => 0),
    ),
    size,
    values.data,
    chunk,
  )
  const form = { type, elementSize: size, chunkDims, ...(fillValue && { fillValue: fillValue.data }) }
  const pipeline = isVariableSize(type) ? undefined : pipelineOf(filters, form)
  const { bytes, mask } = pipeline ? await encodeChunk(pipeline, chunk) : { bytes: chunk, mask: 0 }
  return { coordinates, length: bytes.length, mask, bytes: async () => bytes }
}

function boxOf(
  { type, space }: SourceDataset,
  { count, data, heap }: Elements,
  start: readonly number[],
  extents: readonly number[],
): Elements {
  const dims = extentsOf(space)
  if (extents.every((extent, d) => extent === dims[d])) return { count, data, heap }
  const size = elementSize(type)
  const length = extents.reduce((product, extent) => product * extent, 1)
  const box = new Uint8Array(length * size)
  copyRuns(
    runsOfBox(
      extents,
      dims,
      start,
      extents,
      start.map(() => 0),
    ),
    size,
    data,
    box,
  )
  return { count: length, data: box, heap }
}
