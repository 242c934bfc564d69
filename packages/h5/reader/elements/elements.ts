// Elements of a file turned into storage form. The walk goes part by part of the datatype and along all elements of a
// part, so that the loops inside are plain loops over bytes; after some thousand parts it lets other requests run.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { dataViewOf, type Elements, EMPTY_HEAP, GrowingBytes } from '@hyperslab/model/values'
import { damaged } from '../../format/errors.ts'
import type { FileType } from '../../format/file-type.ts'
import { runSteps, type Steps, waitFor } from '../../steps.ts'
import { Allowance, type ElementContext, type ElementFile, type Run, type Walk } from './element-walk.ts'
import {
  convertNewReferences,
  convertObjectReferences,
  convertRegionReferences,
} from './reference-elements.ts'
import { type Conversion, mapType } from './types.ts'
import { convertSequences, convertStrings } from './variable-elements.ts'

/**
 * `bytes`: `count` elements of `type`, one after another. When they are in storage form already, they become the
 * elements themselves, not a copy. A type that the model cannot hold is `type-unsupported`; a part that names no object
 * of the heap, or too few bytes, is `file-unreadable`. The result comes at once if nothing else must be read; so use
 * `await`.
 */
export function decodeElements(
  file: ElementFile,
  type: FileType,
  bytes: Uint8Array,
  count: number,
  context: ElementContext,
): Elements | Promise<Elements> {
  const { conversion } = mapType(type)
  const needed = count * conversion.fileSize
  if (bytes.length < needed)
    throw damaged('the value', undefined, `it has ${bytes.length} bytes of ${needed}`)
  if (conversion.kind === 'plain') {
    const data = bytes.length === needed ? bytes : bytes.subarray(0, needed)
    return { count, data, heap: EMPTY_HEAP }
  }
  return runSteps(convertElements(file, conversion, bytes, count, context))
}

function* convertElements(
  file: ElementFile,
  conversion: Conversion,
  bytes: Uint8Array,
  count: number,
  context: ElementContext,
): Steps<Elements> {
  const { fileSize: fromStep, size: toStep } = conversion
  const data = new Uint8Array(count * toStep)
  const heap = new GrowingBytes(0)
  const { heap: globalHeap, resolve, warn, allowance = new Allowance(file.bytes.end) } = context
  const found = { hasLostReferences: false }
  const walk: Walk = {
    heap: globalHeap,
    resolve,
    warn,
    widths: file.bytes.widths,
    file: bytes,
    data,
    stored: heap,
    allowance,
    objectReferences: new Map(),
    loseReference(reason) {
      found.hasLostReferences = true
      warn(`a reference becomes null: ${reason}`)
    },
  }
  yield* convert(walk, conversion, { from: 0, fromStep, to: 0, toStep, count })
  return { count, data, heap: heap.used(), ...(found.hasLostReferences && { hasLostReferences: true }) }
}

/**
 * Parts of elements that are converted in one turn of the event loop: some milliseconds at most.
 * @limit safety, parts
 */
const MAX_PARTS = 8192
/** Bytes that are converted in one turn of the event loop. @limit safety, bytes */
const MAX_BYTES = 2 ** 20

function* convert(walk: Walk, conversion: Conversion, run: Run): Steps<void> {
  switch (conversion.kind) {
    case 'compound':
      for (const { offset, storageOffset, conversion: part } of conversion.parts) {
        yield* convert(walk, part, { ...run, from: run.from + offset, to: run.to + storageOffset })
      }
      break
    case 'array':
      yield* convertArrays(walk, conversion, run)
      break
    default:
      for (const piece of piecesOf(run, conversion.fileSize)) {
        yield* convertParts(walk, conversion, piece)
        if (isTurnOver()) yield nextTurn()
      }
  }
}

function* piecesOf(run: Run, fileSize: number): Iterable<Run> {
  const length = Math.max(1, Math.min(MAX_PARTS, Math.floor(MAX_BYTES / fileSize)))
  for (let start = 0; start < run.count; start += length) {
    const from = run.from + start * run.fromStep
    const to = run.to + start * run.toStep
    yield { ...run, from, to, count: Math.min(length, run.count - start) }
  }
}

type ArrayConversion = Extract<Conversion, { kind: 'array' }>
type PartConversion = Exclude<Conversion, { kind: 'array' | 'compound' }>

/** Whichever of the two is shorter is walked outside: elements, or items of an array. */
function* convertArrays(
  walk: Walk,
  { fileSize, size, length, base }: ArrayConversion,
  run: Run,
): Steps<void> {
  const { from, fromStep, to, toStep, count } = run
  const inside = { fromStep: base.fileSize, toStep: base.size }
  if (fromStep === fileSize && toStep === size) {
    yield* convert(walk, base, { from, to, ...inside, count: count * length })
  } else if (length < count) {
    for (let index = 0; index < length; index++) {
      yield* convert(walk, base, { ...run, from: from + index * base.fileSize, to: to + index * base.size })
    }
  } else {
    for (let index = 0; index < count; index++) {
      yield* convert(walk, base, {
        from: from + index * fromStep,
        to: to + index * toStep,
        ...inside,
        count: length,
      })
    }
  }
}

function* convertParts(walk: Walk, conversion: PartConversion, run: Run): Steps<void> {
  switch (conversion.kind) {
    case 'plain':
      return copyPlain(walk, conversion.size, run)
    case 'terminated-string':
      return copyTerminated(walk, conversion.size, run)
    case 'integer':
      return convertIntegers(walk, conversion, run)
    case 'float':
      return convertFloats(walk, conversion, run)
    case 'string':
      return yield* convertStrings(walk, run)
    case 'sequence':
      return yield* convertSequences(walk, conversion.base, run, convert)
    case 'object-reference':
      return convertObjectReferences(walk, run)
    case 'region-reference':
      return yield* waitFor(convertRegionReferences(walk, run))
    case 'new-reference':
      return yield* waitFor(convertNewReferences(walk, conversion, run))
  }
}

/** Longer runs of bytes are copied by the engine. */
const SHORT = 32

function copyPlain({ file, data }: Walk, size: number, { from, fromStep, to, toStep, count }: Run): void {
  if (fromStep === size && toStep === size) {
    data.set(file.subarray(from, from + count * size), to)
    return
  }
  for (let index = 0; index < count; index++) {
    const start = from + index * fromStep
    const target = to + index * toStep
    if (size > SHORT) data.set(file.subarray(start, start + size), target)
    else for (let byte = 0; byte < size; byte++) data[target + byte] = file[start + byte]
  }
}

/** Up to the first NUL of each; the rest stays zero. */
function copyTerminated({ file, data }: Walk, size: number, run: Run): void {
  for (let index = 0; index < run.count; index++) {
    const start = run.from + index * run.fromStep
    const target = run.to + index * run.toStep
    for (let at = 0; at < size && file[start + at] !== 0; at++) data[target + at] = file[start + at]
  }
}

function convertIntegers(walk: Walk, conversion: Extract<Conversion, { kind: 'integer' }>, run: Run): void {
  const { bits, size, isLittle } = conversion
  const view = dataViewOf(walk.data)
  for (let index = 0; index < run.count; index++) {
    const offset = run.to + index * run.toStep
    bits.load(walk.file, run.from + index * run.fromStep)
    if (size === 1) view.setUint8(offset, bits.low)
    else if (size === 2) view.setUint16(offset, bits.low, isLittle)
    else if (size === 4) view.setUint32(offset, bits.low, isLittle)
    else {
      view.setUint32(isLittle ? offset : offset + 4, bits.low, isLittle)
      view.setUint32(isLittle ? offset + 4 : offset, bits.high, isLittle)
    }
  }
}

function convertFloats(walk: Walk, conversion: Extract<Conversion, { kind: 'float' }>, run: Run): void {
  const { read, size, isLittle } = conversion
  const view = dataViewOf(walk.data)
  for (let index = 0; index < run.count; index++) {
    const value = read(walk.file, run.from + index * run.fromStep)
    const at = run.to + index * run.toStep
    if (size === 4) view.setFloat32(at, value, isLittle)
    else view.setFloat64(at, value, isLittle)
  }
}
