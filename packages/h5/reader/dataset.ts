// A dataset of a file: its description, and its values in the form of the model. The values of a virtual dataset are
// read from its sources, which may be virtual themselves.

import { isTurnOver, nextTurn, runInTurns } from '@hyperslab/base/bounded'
import { elementCount, extentsOf, product } from '@hyperslab/model/dataset'
import type { Elements } from '@hyperslab/model/values'
import type { Box, ReadCaller, StoredChunks } from '../file-reader.ts'
import { damaged } from '../format/errors.ts'
import { decodeVirtualMappings } from '../format/virtual-layout.ts'
import { runSteps, type Steps, waitFor } from '../steps.ts'
import type { ElementContext } from './elements/element-walk.ts'
import { decodeElements } from './elements/elements.ts'
import { findObject } from './members/find-object.ts'
import { openOther, weighOther } from './other-file.ts'
import type { ObjectHeader } from './structures/header-cache.ts'
import { readObjectHeader } from './structures/object-header.ts'
import type { DataFile } from './values/data-file.ts'
import { joinedDataset, mappingsOfParts } from './values/joined.ts'
import { joinedChunks } from './values/joined-chunks.ts'
import { chunkRanges, rangesInFile } from './values/stored-bytes.ts'
import { readStoredDataset } from './values/stored-dataset.ts'
import type { OpenDataset, ReadOptions } from './values/value-source.ts'
import { readBox, requireStored, storedChunks } from './values/values.ts'
import {
  readVirtual,
  requireSources,
  type SourceMapping,
  type VirtualDataset,
  virtualExtents,
} from './values/virtual.ts'
import { mappedChunks } from './values/virtual-chunks.ts'
import { missingSource, namesOf, type OpenSource } from './values/virtual-source.ts'
import { STEPS_OF_SOURCE, VirtualWork } from './values/virtual-work.ts'

/** Virtual datasets that are sources of each other. @limit safety, levels */
const MAX_DEPTH = 16

/** Reads the dataset, with the extents that are in effect. */
export function* readDataset(
  file: DataFile,
  header: ObjectHeader,
  context: ElementContext,
): Steps<OpenDataset> {
  const work = new VirtualWork(0, file.steps)
  const dataset = yield* readDatasetAt(file, header, context, 0, work)
  work.end()
  return dataset
}

/** The elements of the box, in storage form. */
export function* readDatasetValues(
  file: DataFile,
  dataset: OpenDataset,
  box: Box,
  context: ElementContext,
  options: ReadOptions,
): Steps<Elements> {
  const work = new VirtualWork(product(box.count), options.steps ?? file.steps, options.signal)
  const elements = yield* readValuesAt(file, dataset, box, context, 0, { ...options, work })
  work.end()
  return elements
}

/** The files and datasets that were checked already, and the number that still may be. */
interface ValueCheck extends WorkOptions {
  readonly seen: Map<DataFile, Set<number>>
  left: number
}

/** The highest number of sources of one dataset that are checked before it is written. @limit safety, sources */
const MAX_SOURCES = 10_000

/** `H5FileReader.requireValues` for one dataset. */
export function requireDatasetValues(
  file: DataFile,
  dataset: OpenDataset,
  context: ElementContext,
  { steps = file.steps, signal }: ReadCaller,
): Promise<void> {
  const work = new VirtualWork(elementCount(dataset.model.space), steps, signal)
  return requireValuesAt(file, dataset, context, 0, { seen: new Map(), work, left: MAX_SOURCES })
}

/**
 * The chunks whose values are stored, here or in the sources of a virtual dataset; undefined: all are, or it is not
 * known.
 */
export async function readStoredChunks(
  file: DataFile,
  dataset: OpenDataset,
): Promise<StoredChunks | undefined> {
  const { stored, model } = dataset
  if (dataset.joined) return undefined
  if (stored.layout.class !== 'virtual' || model.space.class !== 'H5S_SIMPLE') {
    return storedChunks(file.values, stored)
  }
  return mappedChunks(
    model.space.dims,
    model.creationProperties.chunkDims ?? model.space.dims,
    await readMappings(file, dataset),
  )
}

function* readDatasetAt(
  file: DataFile,
  header: ObjectHeader,
  context: ElementContext,
  depth: number,
  work: VirtualWork,
): Steps<OpenDataset> {
  const dataset = yield* readStoredDataset(file, header, context)
  const joined = file.joined?.get(String(header.address))
  if (joined) return yield* waitFor(joinedDataset(dataset, joined))
  const { space } = dataset.model
  if (dataset.stored.layout.class !== 'virtual' || space.class !== 'H5S_SIMPLE') return dataset
  const mappings = yield* waitFor(readMappings(file, dataset))
  const open = sourceOpener(file, context, depth, { work })
  const missing: string[] = []
  const onMissing = (name: string, path: string) => missing.push(missingBlock(name, path))
  const dims = yield* waitFor(virtualExtents(space.dims, mappings, open, work, onMissing))
  const grown = { ...space, dims }
  elementCount(grown)
  return {
    ...dataset,
    warnings: [...dataset.warnings, ...missing],
    model: { ...dataset.model, space: grown },
    stored: { ...dataset.stored, space: grown },
  }
}

function missingBlock(file: string, path: string): string {
  const location = file === '.' ? '' : ` in ${file}`
  return `the virtual dataset ends before the source ${path}${location}, which is missing`
}

function* readValuesAt(
  file: DataFile,
  dataset: OpenDataset,
  box: Box,
  context: ElementContext,
  depth: number,
  options: WorkOptions,
): Steps<Elements> {
  const { stored, type } = dataset
  if (stored.layout.class !== 'virtual') {
    const bytes = yield* waitFor(readBox(file.values, stored, box, options))
    return yield* waitFor(decodeElements(file.file, type, bytes, product(box.count), context))
  }
  const virtual = virtualDataset(file, dataset, yield* waitFor(readMappings(file, dataset, box)))
  if (virtual.gate) options.work.addParts(virtual.mappings.length)
  const open = sourceOpener(file, context, depth, options)
  return yield* waitFor(readVirtual(virtual, box, open, options.work))
}

async function requireValuesAt(
  file: DataFile,
  dataset: OpenDataset,
  context: ElementContext,
  depth: number,
  check: ValueCheck,
): Promise<void> {
  const { stored } = dataset
  if (stored.layout.class !== 'virtual') return requireStored(file.values, stored)
  const open = sourceOpener(file, context, depth, check, check)
  await requireSources(virtualDataset(file, dataset, await readMappings(file, dataset)), open, check.work)
}

/** Whether the dataset was not checked yet; notes it as checked. */
function isNew(check: ValueCheck, file: DataFile, address: number): boolean {
  const seen = check.seen.get(file) ?? new Set()
  check.seen.set(file, seen)
  if (seen.has(address) || check.left === 0) return false
  seen.add(address)
  check.left--
  return true
}

function virtualDataset(
  { parts: gate }: DataFile,
  { model: { type, space, creationProperties }, joined }: OpenDataset,
  mappings: readonly SourceMapping[],
): VirtualDataset {
  const { fillValue } = creationProperties
  const fillsUnreadable = joined?.fillsUnreadable
  const base = { type, dims: extentsOf(space), fillValue, mappings, fillsUnreadable }
  return { ...base, ...(joined && gate && { gate }) }
}

/** The mappings; of a joined dataset those that the box touches. */
async function readMappings(
  file: DataFile,
  { stored, joined }: OpenDataset,
  box?: Box,
): Promise<readonly SourceMapping[]> {
  if (joined) return mappingsOfParts(joined, box)
  const { layout } = stored
  if (layout.class !== 'virtual' || !layout.mappings) return []
  const { address, index } = layout.mappings
  const key = `${address} ${index}`
  // Values are read box by box.
  const known = file.mappings.use(key)
  if (known) return known
  const [bytes] = await file.heap.objects([layout.mappings])
  const mappings = await runInTurns(decodeVirtualMappings(bytes, file.file.bytes.widths, address))
  file.mappings.set(key, mappings)
  return mappings
}

/** The implementation of `H5FileReader.sourceFiles`. */
export async function sourceFiles(file: DataFile, dataset: OpenDataset): Promise<Iterable<string>> {
  const names = new Set<string>()
  for (const mapping of await readMappings(file, dataset)) {
    if (isTurnOver()) await nextTurn()
    const [name] = namesOf(mapping, 0)
    if (name !== '.') names.add(name)
  }
  return names
}

/** The implementation of `H5FileReader.partRanges`. */
export function partRanges(file: DataFile, { joined }: OpenDataset, context: ElementContext) {
  const { parts: gate } = file
  if (!joined?.chunks || !gate) return undefined
  return joinedChunks(joined, joined.chunks, part =>
    gate.pass(1, async () => {
      const work = new VirtualWork(0)
      work.addParts(1)
      const names = [part.file, part.dataset] as const
      const found = await findSource(file, names, context, 0, work)
      const ranges = found && chunkRanges(found.other.file.bytes, found.dataset)
      if (!ranges) throw missingSource(names)
      return rangesInFile(ranges, found.other.file.bytes.source)
    }),
  )
}

/** `work` is shared by all sources of a box. */
interface WorkOptions extends ReadOptions {
  readonly work: VirtualWork
}

function sourceOpener(
  file: DataFile,
  context: ElementContext,
  depth: number,
  { work, signal }: WorkOptions,
  check?: ValueCheck,
): OpenSource {
  return async (fileName, path) => {
    const found = await findSource(file, [fileName, path], context, depth, work)
    if (!found) return undefined
    const { named, other, address, ownContext, dataset } = found
    return {
      type: dataset.model.type,
      dims: extentsOf(dataset.model.space),
      async read(box) {
        try {
          return await runSteps(readValuesAt(other, dataset, box, ownContext, depth + 1, { work, signal }))
        } finally {
          if (named !== file) weighOther(file, fileName, named)
        }
      },
      ...(check && {
        async requireValues() {
          if (isNew(check, other, address))
            await requireValuesAt(other, dataset, ownContext, depth + 1, check)
        },
      }),
    }
  }
}

/** The source of a name of a file and a path in it; undefined: it does not exist. */
async function findSource(
  file: DataFile,
  [fileName, path]: readonly [file: string, dataset: string],
  context: ElementContext,
  depth: number,
  work: VirtualWork,
) {
  if (depth === MAX_DEPTH) {
    throw damaged(
      'the list of virtual mappings',
      undefined,
      `virtual datasets are ${MAX_DEPTH} deep in each other`,
    )
  }
  work.use(STEPS_OF_SOURCE + Math.floor(path.length / STEPS_OF_SOURCE))
  const named = fileName === '.' ? file : await openOther(file, fileName)
  const found = named && (await findObject(named, path, work))
  if (!found) return undefined
  const { file: other, address } = found
  const ownContext = other === file ? context : contextOf(other, fileName, context)
  const dataset =
    other.sources.use(address) ??
    (await runSteps(
      readDatasetAt(other, await readObjectHeader(other.file, address), ownContext, depth + 1, work),
    ))
  other.sources.set(address, dataset)
  return { named, other, address, ownContext, dataset }
}

/** Objects of another file are not in this one: references to them become null. */
function contextOf(other: DataFile, name: string, context: ElementContext): ElementContext {
  return {
    heap: other.heap,
    warn: context.warn,
    resolve() {
      context.warn(`a reference becomes null: it leads to an object of ${name}`)
      return undefined
    },
  }
}
