// The filters of a dataset as its chunks in the file have them: those that can be applied, and those of an imported
// file that cannot, whose chunks are kept as they are. The others were never applied, so their bits in the masks of
// chunks are removed, too. So a file has neither szip nor filters that are only remembered.

import { completed, type Filter } from '@hyperslab/model/dataset'
import { parametersOf } from '../filters/client-data.ts'
import { codecOf } from '../filters/codecs.ts'
import { type Pipeline, pipelineOf } from '../filters/pipeline.ts'
import type { FilterDescription } from '../format/messages/filters.ts'
import type { ElementForm } from './file-types.ts'
import type { SourceDataset } from './source.ts'

/** The names that libhdf5 gives its own filters. */
const LIBRARY_NAMES = new Map([
  [1, 'deflate'],
  [2, 'shuffle'],
  [3, 'fletcher32'],
  [5, 'nbit'],
  [6, 'scaleoffset'],
])

/** The checksum filter, which must not be optional. */
const FLETCHER32 = 3

/** The id of "lz4hc" in the hsds dialect, and that of the filter whose form its chunks have (filters/lz4.ts). */
const LZ4HC = 32005
const LZ4 = { id: 32004, name: 'lz4' }

export interface WrittenFilters {
  readonly descriptions: readonly FilterDescription[]
  /** The mask in the file of a chunk whose stored mask this is. */
  mask(stored: number): number
  /** The mask of a chunk that went through no filter. */
  readonly unfiltered: number
  /** The pipeline for chunks that are encoded as the file has them. */
  readonly pipeline: Pipeline
}

export function writtenFilters(
  { type, creationProperties: { filters, chunkDims = [], fillValue } }: SourceDataset,
  { kind, fileSize }: ElementForm,
): WrittenFilters {
  const chunk = { type, elementSize: fileSize, chunkDims, ...(fillValue && { fillValue: fillValue.data }) }
  const steps = pipelineOf(filters, chunk) ?? []
  const dataOf = (index: number): readonly number[] | undefined =>
    steps[index].clientData ?? (kind === 'plain' ? keptData(filters[index]) : undefined)
  const kept = [...steps.keys()].filter(index => dataOf(index) !== undefined)
  const descriptions = kept.map(index => describe(filters[index], dataOf(index) ?? []))
  return {
    descriptions,
    mask: stored => kept.reduce((mask, index, bit) => mask + ((stored >>> index) & 1) * 2 ** bit, 0),
    unfiltered: 2 ** kept.length - 1,
    pipeline: kept.map(index => steps[index]),
  }
}

/** The client data of a filter that is not available here, as its file had them. Undefined: it is of no file. */
function keptData({ id, json }: Filter): readonly number[] | undefined {
  return codecOf(id) || !json.has('parameters') ? undefined : parametersOf(json)
}

function describe(filter: Filter, clientData: readonly number[]): FilterDescription {
  const known = completed(filter).get('name')
  const shown = LIBRARY_NAMES.get(filter.id) ?? (typeof known === 'string' ? known : '')
  const { id, name } = filter.id === LZ4HC ? LZ4 : { id: filter.id, name: shown }
  return { id, name, isOptional: id !== FLETCHER32 && filter.json.get('optional') !== false, clientData }
}
