// Joined datasets: a dataset of the file that is read as the datasets of several files, one after another along one
// dimension. Elements that no part has are the fill value.

import { type CreationProperties, firstIndex, product } from '@hyperslab/model/dataset'
import { elementSize, isSameType } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { EMPTY_HEAP } from '@hyperslab/model/values'
import type { Box, JoinedDataset, JoinedPart, KnownNumbers } from '../../file-reader.ts'
import type { VirtualMapping } from '../../format/virtual-layout.ts'
import { elementConversion } from '../elements/element-conversion.ts'
import type { OpenDataset } from './value-source.ts'
import type { SourceMapping } from './virtual.ts'
import type { VirtualSource } from './virtual-source.ts'

/** Elements of the chunks of a joined dataset of one dimension, at least: each chunk may be a request of its own. */
const LEAST_CHUNK = 8192
/** Chunks of several dimensions that have fewer elements get as many. Others stay as the files have them. */
const SMALL_CHUNK = 256

/** The dataset with the type, the extents and the parts that it has as a joined one. */
export async function joinedDataset(dataset: OpenDataset, joined: JoinedDataset): Promise<OpenDataset> {
  const { stored } = dataset
  const { type, space } = joined
  const { committedType, ...model } = dataset.model
  const isCommitted = committedType !== undefined && isSameType(model.type, type)
  const firstFill = model.creationProperties.fillValue
  const fillValue =
    joined.fillValue ?? (firstFill && (await elementConversion(model.type, type)?.(firstFill)))
  return {
    ...dataset,
    model: {
      ...model,
      ...(isCommitted && { committedType }),
      type,
      space,
      isOfOthers: true,
      isVirtual: true,
      creationProperties: {
        ...(joined.newAxis
          ? withNewAxis(model.creationProperties)
          : withLongChunks(model.creationProperties, joined.axis)),
        ...(fillValue && { fillValue }),
      },
    },
    stored: { ...stored, space, layout: { class: 'virtual' } },
    joined,
  }
}

/** Elements of a chunk of datasets that are scalars in their files, each in a file of its own. */
const CHUNK_OF_SCALARS = 1024

/** The properties with the chunks of the file, each of one coordinate along a first dimension that is new. */
function withNewAxis(properties: CreationProperties): CreationProperties {
  const { chunkDims = [] } = properties
  return withChunks(properties, chunkDims.length === 0 ? [CHUNK_OF_SCALARS] : [1, ...chunkDims])
}

/** The properties with the chunks of the file, or, where these are small, with multiples of them along the axis. */
function withLongChunks(properties: CreationProperties, axis: number): CreationProperties {
  const { chunkDims = [] } = properties
  if (!isSmallChunk(chunkDims)) return properties
  const times = Math.ceil(LEAST_CHUNK / product(chunkDims))
  return withChunks(properties, chunkDims.with(axis, chunkDims[axis] * times))
}

/** Whether chunks of this shape would be too many requests. */
export function isSmallChunk(chunkDims: readonly number[]): boolean {
  const elements = product(chunkDims)
  return elements > 0 && elements < (chunkDims.length === 1 ? LEAST_CHUNK : SMALL_CHUNK)
}

function withChunks(properties: CreationProperties, dims: readonly number[]): CreationProperties {
  const { json } = properties
  const layout = new Map<string, JsonValue>([
    ['class', 'H5D_CHUNKED'],
    ['dims', dims],
  ])
  return {
    ...properties,
    json: new Map([...json, ['layout', layout]]),
    layout: 'H5D_CHUNKED',
    chunkDims: dims,
  }
}

/** The parts that the box touches; without a box, all. */
export function partsOf({ parts, axis, space }: JoinedDataset, box?: Box): readonly JoinedPart[] {
  const { dims } = space
  const [from, end] = box ? [box.start[axis], box.start[axis] + box.count[axis]] : [0, dims[axis]]
  const first = firstIndex(parts, ({ start, count }) => start + count > from)
  const last = firstIndex(parts, ({ start }) => start >= end)
  return parts.slice(first, last)
}

/** The mappings of these parts. */
export function mappingsOfParts(joined: JoinedDataset, box?: Box): readonly SourceMapping[] {
  const { axis, newAxis } = joined
  const { dims } = joined.space
  return partsOf(joined, box).map(({ file, dataset, start, count, sourceStart, ...part }) => ({
    file: patternOf(file),
    dataset: patternOf(dataset),
    source: newAxis ? wholeOf(dims.toSpliced(axis, 1)) : slabOf(dims, axis, sourceStart, count),
    target: slabOf(dims, axis, start, count),
    ...(part.convert && { convert: part.convert }),
    ...(part.failure && { failure: part.failure }),
    ...(part.known && { known: knownSource(part.known) }),
  }))
}

function knownSource({ type, data }: KnownNumbers): VirtualSource {
  const size = elementSize(type)
  return {
    type,
    dims: [data.length / size],
    async read({ start: [start], count: [count] }) {
      return { count, data: data.subarray(start * size, (start + count) * size), heap: EMPTY_HEAP }
    },
  }
}

/** A name in which no `%b` is replaced (III.F). */
function patternOf(name: string): Uint8Array {
  return new TextEncoder().encode(name.replaceAll('%', '%%'))
}

function wholeOf(dims: readonly number[]): VirtualMapping['target'] {
  return slabOf(dims, -1, 0, 0)
}

/** All elements whose coordinates along the axis begin at `start`. */
function slabOf(
  dims: readonly number[],
  axis: number,
  start: number,
  count: number,
): VirtualMapping['target'] {
  const regular = dims.map((extent, d) => ({
    start: d === axis ? start : 0,
    stride: 1,
    count: 1,
    block: d === axis ? count : extent,
  }))
  return { selectType: 'H5S_SEL_HYPERSLABS', regular }
}
