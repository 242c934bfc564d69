// References turned into those of the model: an address into the object that represents it, a selection into a region.
// A reference that leads to no object becomes null with a warning. One whose parts cannot be read is an error, like a
// string that cannot be read: nobody could tell its null from that of a reference that was never written.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { OBJECT_REFERENCE_SIZE } from '@hyperslab/model/datatype'
import type { ObjectReference } from '@hyperslab/model/names'
import {
  type Block,
  dataViewOf,
  encodeRegionReference,
  type RegionSelection,
  writeObjectReference,
  writeSlot,
} from '@hyperslab/model/values'
import { damaged } from '../../format/errors.ts'
import { FieldReader } from '../../format/field-reader.ts'
import type { GlobalHeapReference } from '../../format/heaps/global-heap.ts'
import {
  decodeNewReference,
  decodeNewReferenceElement,
  decodeRegionObject,
  type NewReference,
  type RegionObject,
} from '../../format/references.ts'
import type { FileSelection, RegularDimension } from '../../format/selection.ts'
import { type Run, readAddress, type Walk } from './element-walk.ts'
import type { Conversion } from './types.ts'

const STRUCTURE = 'the reference'

export function convertObjectReferences(walk: Walk, run: Run): void {
  const view = dataViewOf(walk.file)
  for (let index = 0; index < run.count; index++) {
    // In files with short addresses, older libraries left the bytes after the address unused.
    const address = readAddress(view, run.from + index * run.fromStep, walk.widths.offsets)
    if (address !== undefined) walk.data.set(objectReference(walk, address), run.to + index * run.toStep)
  }
}

export async function convertRegionReferences(walk: Walk, run: Run): Promise<void> {
  const view = dataViewOf(walk.file)
  const references: (GlobalHeapReference | undefined)[] = []
  for (let index = 0; index < run.count; index++) {
    const at = run.from + index * run.fromStep
    const address = readAddress(view, at, walk.widths.offsets)
    references.push(
      address === undefined ? undefined : { address, index: view.getUint32(at + walk.widths.offsets, true) },
    )
  }
  const objects = await heapObjects(walk, references)
  for (const [index, object] of objects.entries()) {
    if (object) writeRegion(walk, decodeRegionObject(fieldsOf(walk, object)), run.to + index * run.toStep)
    if (isTurnOver()) await nextTurn()
  }
}

export async function convertNewReferences(
  walk: Walk,
  { fileSize, to }: Extract<Conversion, { kind: 'new-reference' }>,
  run: Run,
): Promise<void> {
  const elements = Array.from({ length: run.count }, (_, index) => {
    const at = run.from + index * run.fromStep
    return decodeNewReferenceElement(fieldsOf(walk, walk.file.subarray(at, at + fileSize)))
  })
  const objects = await heapObjects(
    walk,
    elements.map(element => (element && 'heap' in element ? element.heap : undefined)),
  )
  for (const [index, element] of elements.entries()) {
    const object = objects[index]
    const reference =
      element && 'header' in element
        ? object && decodeNewReference(fieldsOf(walk, object), element.header)
        : element?.reference
    if (reference) writeNewReference(walk, reference, to, run.to + index * run.toStep)
    if (isTurnOver()) await nextTurn()
  }
}

/** Writes a reference; a warning lists its parts that the type of the model does not hold. */
function writeNewReference(
  walk: Walk,
  reference: NewReference,
  to: 'object' | 'region',
  offset: number,
): void {
  const { kind, address } = reference
  if (reference.file) {
    walk.loseReference('its object is in another file')
  } else if (to === 'region') {
    if (kind === 'region') writeRegion(walk, reference, offset)
    else walk.loseReference(`it names an ${kind}, the type is one of regions`)
  } else {
    if (kind !== 'object') walk.warn(`a reference to the ${kind} of an object becomes one to the object`)
    walk.data.set(objectReference(walk, address), offset)
  }
}

/** References that are converted once for all elements of a read. @limit memory, references */
const MAX_KNOWN_REFERENCES = 4096

/** The stored form of the reference to the object at `address`. */
function objectReference(walk: Walk, address: number): Uint8Array {
  const known = walk.objectReferences.get(address)
  if (known) return known
  const bytes = new Uint8Array(OBJECT_REFERENCE_SIZE)
  writeObjectReference(resolve(walk, address), bytes, 0)
  if (walk.objectReferences.size >= MAX_KNOWN_REFERENCES) walk.objectReferences.clear()
  walk.objectReferences.set(address, bytes)
  return bytes
}

function resolve(walk: Walk, address: number): ObjectReference | undefined {
  const target = walk.resolve(String(address))
  if (!target) walk.loseReference(`no link leads to its object at ${address}`)
  return target
}

/** The object that each reference names. */
async function heapObjects(
  walk: Walk,
  references: readonly (GlobalHeapReference | undefined)[],
): Promise<readonly (Uint8Array | undefined)[]> {
  const named = references.filter(reference => reference !== undefined)
  if (named.length === 0) return references.map(() => undefined)
  const objects = await walk.heap.objects(named)
  for (const { length } of objects) walk.allowance.useHeapBytes(length)
  let next = 0
  return references.map(reference => reference && objects[next++])
}

function fieldsOf({ widths }: Walk, bytes: Uint8Array): FieldReader {
  return new FieldReader(bytes, widths, STRUCTURE)
}

function writeRegion(walk: Walk, { address, selection }: RegionObject, offset: number): void {
  const target = resolve(walk, address)
  if (!target) return
  const bytes = encodeRegionReference({ id: target.id, ...regionOf(walk, selection) })
  writeSlot(walk.data, offset, walk.stored.append(bytes), bytes.length)
}

/** The region in the form of the model, a list of points or blocks. */
function regionOf(walk: Walk, selection: FileSelection): RegionSelection {
  switch (selection.selectType) {
    case 'H5S_SEL_POINTS':
      walk.allowance.useCoordinates(selection.points.length * selection.points[0].length)
      return selection
    case 'H5S_SEL_HYPERSLABS':
      if ('regular' in selection)
        return { selectType: selection.selectType, blocks: listBlocks(walk, selection.regular) }
      walk.allowance.useCoordinates(selection.blocks.length * 2 * selection.blocks[0].first.length)
      return selection
    default:
      return selection
  }
}

/** The blocks in row-major order. */
function listBlocks(walk: Walk, regular: readonly RegularDimension[]): readonly Block[] {
  const counts = regular.map(({ count, block }) => {
    if (count === undefined || block === undefined)
      throw damaged(STRUCTURE, undefined, 'its region is unlimited')
    return count
  })
  const total = counts.reduce((product, count) => product * count, 1)
  walk.allowance.useCoordinates(total * 2 * regular.length)
  let starts: number[][] = [[]]
  for (const [dimension, { start, stride }] of regular.entries()) {
    const steps = Array.from({ length: counts[dimension] }, (_, index) => start + index * stride)
    starts = starts.flatMap(corner => steps.map(step => [...corner, step]))
  }
  return starts.map(first => ({
    first,
    last: first.map((coordinate, dimension) => coordinate + (regular[dimension].block ?? 1) - 1),
  }))
}
