// Copies elements in storage form, heap included, so that storage moves values without looking at types.
//
// Reading: an ElementsBuilder as long as the piece, `gather` for each part of the selection, `finish`. Writing: an
// ElementsBuilder as long as the chunk, `fill`, or `copy` of the old elements of the chunk (not needed when the part
// covers the chunk and the chunk is wholly inside the extents), `scatter` for each piece, `finish`.

import type { Datatype } from '../datatype/datatype.ts'
import type { ChunkPart } from '../selection/selection.ts'
import { type Elements, EMPTY_HEAP } from './elements.ts'
import { GrowingBytes } from './growing-bytes.ts'
import { type ElementLayout, isUnwritten, layoutOf, slotLength, slotStart, writeSlot } from './slots.ts'
import { runAtOnce } from './steps.ts'

/** The bytes of each element that are copied; all other bytes of the target stay. */
export interface FieldCopy {
  /** Bytes of an element of the source. */
  readonly sourceSize: number
  readonly stretches: readonly Stretch[]
}

/** Adjacent bytes: `length` of them at `from` in the source's element and at `to` in the target's. */
export interface Stretch {
  readonly from: number
  readonly to: number
  readonly length: number
}

/** Elements of variable size that are copied in a step. */
const STEP_ELEMENTS = 64

/** The size of a heap from which the bytes to copy are counted first. */
const LARGE_HEAP = 1 << 20

type RunVisitor = (first: number, stride: number, length: number) => void

/** Elements under construction. Those never written are zero: 0, empty text, an empty sequence, a null reference. */
export class ElementsBuilder {
  readonly capacity: number
  readonly #layout: ElementLayout
  readonly #data: Uint8Array
  readonly #heap = new GrowingBytes(0)
  /** True when the heap may hold bytes that no slot points to any more. */
  #wasteful = false
  #hasLostReferences = false

  /**
   * `data`, of capacity x element size bytes, is used instead of new memory. It is cleared unless `allWritten`: then
   * every element will be written.
   */
  constructor(type: Datatype, capacity: number, data?: Uint8Array, allWritten = false) {
    this.capacity = capacity
    this.#layout = layoutOf(type)
    this.#data = data ?? new Uint8Array(capacity * this.#layout.size)
    // The target of an overwritten slot counts as waste, so slots must be empty at first.
    if (data && (!allWritten || this.#layout.slots.length > 0)) data.fill(0)
    if (this.#data.length !== capacity * this.#layout.size) {
      throw new Error(`${this.#data.length} bytes is not the size of ${capacity} elements`)
    }
  }

  /** Sets all elements to `fillValue`, one element; absent: zero. */
  fill(fillValue: Elements | undefined): void {
    if (this.capacity === 0) return
    if (fillValue === undefined) {
      this.#data.fill(0)
    } else {
      this.copy(fillValue, 0, 0, 1)
      repeatStart(this.#data, this.#layout.size)
    }
    this.#wasteful ||= this.#heap.length > 0
  }

  /** Copies `count` adjacent elements of `source` from `from` to `to`. */
  copy(source: Elements, from: number, to: number, count: number): void {
    checkBounds(from + count, source.count)
    checkBounds(to + count, this.capacity)
    this.#makeRoom(source, visit => visit(from, 1, count))
    this.#copierFrom(source)(from, 1, to, 1, count)
  }

  /** Copies elements in steps, between which other work may run. */
  *copyInSteps(source: Elements, from: number, to: number, count: number): Generator<void, void> {
    // Elements of fixed size are copied at once, at the speed of memory.
    const step = this.#layout.slots.length === 0 ? Math.max(1, count) : STEP_ELEMENTS
    for (let done = 0; done < count; done += step) {
      this.copy(source, from + done, to + done, Math.min(step, count - done))
      yield
    }
  }

  /** Makes room in the heap for a number of bytes more, so that it need not grow, and be copied, while it fills. */
  reserveHeap(bytes: number): void {
    this.#heap.ensure(bytes)
  }

  /** Sets the positions of a part in the selection to `element`, one element. */
  repeat(part: ChunkPart, element: Elements): void {
    const copyRun = this.#copierFrom(element)
    part.runs((_chunkOffset, _chunkStride, selectionOffset, length) => {
      copyRun(0, 0, selectionOffset, 1, length)
    })
  }

  /** Sets `count` elements from `to` on to `element`, one element. */
  repeatAt(to: number, count: number, element: Elements): void {
    checkBounds(to + count, this.capacity)
    this.#copierFrom(element)(0, 0, to, 1, count)
  }

  /** Copies the part of a chunk to its positions in the selection. `chunk` begins at chunk offset `first`. */
  gather(part: ChunkPart, chunk: Elements, first = 0): void {
    if (part.first < first) throw new Error('a chunk was read from too high an offset')
    checkBounds(part.end - first, chunk.count)
    this.#makeRoom(chunk, visit => {
      part.runs((chunkOffset, chunkStride, _, length) => visit(chunkOffset - first, chunkStride, length))
    })
    const copyRun = this.#copierFrom(chunk)
    part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
      copyRun(chunkOffset - first, chunkStride, selectionOffset, 1, length)
    })
  }

  /**
   * Copies `piece`, the elements of a part in the order of the selection, to their offsets in this chunk; with `fields`
   * only these fields are copied, and the others stay.
   */
  scatter(part: ChunkPart, piece: Elements, fields?: FieldCopy): void {
    checkBounds(part.end, this.capacity)
    if (fields === undefined) {
      this.#makeRoom(piece, visit => part.runs((_, __, offset, length) => visit(offset, 1, length)))
    }
    const copyRun = this.#copierFrom(piece, fields)
    part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
      copyRun(selectionOffset, 1, chunkOffset, chunkStride, length)
    })
  }

  /** The elements. They share memory with the builder, which must not be used afterwards. */
  finish(): Elements {
    return runAtOnce(this.finishInSteps())
  }

  /** The same in steps, between which other work may run. */
  *finishInSteps(): Generator<void, Elements> {
    const elements = { count: this.capacity, data: this.#data, heap: this.#heap.used() }
    const finished = this.#wasteful ? yield* compact(this.#layout, elements) : elements
    return this.#hasLostReferences ? { ...finished, hasLostReferences: true } : finished
  }

  /**
   * Makes room for the heap bytes of the elements of `source` that `runs` visits, by first element, stride and length,
   * so that a large heap does not grow, and is not copied, several times. Sequences within sequences are not counted.
   */
  #makeRoom({ data, heap }: Elements, runs: (visit: RunVisitor) => void): void {
    const { size, slots } = this.#layout
    if (slots.length === 0 || heap.length < LARGE_HEAP) return
    let bytes = 0
    runs((first, stride, length) => {
      for (let i = 0; i < length; i++) {
        const position = (first + i * stride) * size
        for (const { offset } of slots) bytes += slotLength(data, position + offset)
      }
    })
    this.#heap.ensure(bytes)
  }

  #copierFrom(source: Elements, fields?: FieldCopy): RunCopier {
    const { size } = this.#layout
    const target = this.#data
    this.#hasLostReferences ||= source.hasLostReferences ?? false
    const { sourceSize, stretches } = fields ?? {
      sourceSize: size,
      stretches: [{ from: 0, to: 0, length: size }],
    }
    const copyData = stretchesCopier(source.data, target, stretches, sourceSize, size)
    const slots = this.#layout.slots.filter(({ offset }) =>
      stretches.some(({ to, length }) => offset >= to && offset < to + length),
    )
    if (slots.length === 0) return copyData
    const copySlots = slotsCopier({ size, slots }, source.heap, this.#heap)
    const holder = { bytes: target }
    return (from, fromStride, to, toStride, count) => {
      for (let i = 0; i < count; i++) {
        const offset = (to + i * toStride) * size
        for (const slot of slots) this.#wasteful ||= slotLength(target, offset + slot.offset) > 0
        copyData(from + i * fromStride, 1, to + i * toStride, 1, 1)
        copySlots(holder, offset)
      }
    }
  }
}

/** Elements that are `count` times `fillValue`, one element; absent: zero. They share its bytes in the heap. */
export function repeatElement(type: Datatype, fillValue: Elements | undefined, count: number): Elements {
  const { size } = layoutOf(type)
  const data = new Uint8Array(count * size)
  if (fillValue === undefined || count === 0) return { count, data, heap: EMPTY_HEAP }
  data.set(fillValue.data.subarray(0, size))
  repeatStart(data, size)
  return { count, data, heap: fillValue.heap }
}

/** Copies `count` elements at a fixed distance. */
type RunCopier = (from: number, fromStride: number, to: number, toStride: number, count: number) => void

/** Below this an element loop is faster than `set` with a view, as measured. */
const LOOP_LIMIT = 32

/** Copies these stretches of elements of one size into elements of another. */
export function stretchesCopier(
  source: Uint8Array,
  target: Uint8Array,
  stretches: readonly Stretch[],
  sourceSize: number,
  targetSize: number,
): RunCopier {
  const copiers = stretches.map(stretch => stretchCopier(source, target, stretch, sourceSize, targetSize))
  if (copiers.length === 1) return copiers[0]
  return (from, fromStride, to, toStride, count) => {
    for (const copy of copiers) copy(from, fromStride, to, toStride, count)
  }
}

/**
 * A copier that uses the widest integers that all sizes and both alignments allow: up to four times faster than bytes.
 */
function stretchCopier(
  source: Uint8Array,
  target: Uint8Array,
  { from, to, length }: Stretch,
  sourceSize: number,
  targetSize: number,
): RunCopier {
  const alignment = from | to | length | sourceSize | targetSize | source.byteOffset | target.byteOffset
  const width = alignment % 4 === 0 ? 4 : alignment % 2 === 0 ? 2 : 1
  const units = { from: from / width, to: to / width, length: length / width }
  const [fromPitch, toPitch] = [sourceSize / width, targetSize / width]
  if (width === 4) return unitCopier(asUint32(source), asUint32(target), units, fromPitch, toPitch)
  if (width === 2) return unitCopier(asUint16(source), asUint16(target), units, fromPitch, toPitch)
  return unitCopier(source, target, units, fromPitch, toPitch)
}

function asUint32({ buffer, byteOffset, byteLength }: Uint8Array): Uint32Array {
  return new Uint32Array(buffer, byteOffset, Math.floor(byteLength / 4))
}

function asUint16({ buffer, byteOffset, byteLength }: Uint8Array): Uint16Array {
  return new Uint16Array(buffer, byteOffset, Math.floor(byteLength / 2))
}

/**
 * A copier whose numbers are all in units of array elements. Floats are never moved as floats, which could change the
 * bits of a NaN.
 */
function unitCopier<T extends Uint8Array | Uint16Array | Uint32Array>(
  source: T,
  target: T,
  { from: firstRead, to: firstWrite, length: units }: Stretch,
  fromPitch: number,
  toPitch: number,
): RunCopier {
  const isDense = fromPitch === units && toPitch === units
  return (from, fromStride, to, toStride, count) => {
    let read = from * fromPitch + firstRead
    let write = to * toPitch + firstWrite
    if (isDense && fromStride === 1 && toStride === 1) {
      const length = count * units
      if (length > LOOP_LIMIT) target.set(source.subarray(read, read + length), write)
      else for (let i = 0; i < length; i++) target[write + i] = source[read + i]
      return
    }
    const fromStep = fromStride * fromPitch
    const toStep = toStride * toPitch
    for (let i = 0; i < count; i++, read += fromStep, write += toStep) {
      target[write] = source[read]
      for (let unit = 1; unit < units; unit++) target[write + unit] = source[read + unit]
    }
  }
}

/** Repeats the first `size` bytes of `data` over all of it. */
function repeatStart(data: Uint8Array, size: number): void {
  for (let done = size; done < data.length; done *= 2) data.copyWithin(done, 0, done)
}

/** Copies the bytes of the element at `offset`, whose slots point into another heap, and changes the slots. */
type SlotsCopier = (target: { readonly bytes: Uint8Array }, offset: number) => void

/** The length from which shared bytes are searched among all copied bytes. */
const LONG = 1024

/**
 * Copies from `sourceHeap` to `heap`. An element may itself be in `heap`, so `target.bytes` is taken anew after each
 * change of the heap. Elements that share bytes, and follow one another or are long, share them afterwards too: a
 * string of a MiB that is repeated a million times stays one.
 */
function slotsCopier({ slots }: ElementLayout, sourceHeap: Uint8Array, heap: GrowingBytes): SlotsCopier {
  const copiers = slots.map(({ offset, base }): SlotsCopier => {
    const copyInner = base && slotsCopier(base, sourceHeap, heap)
    let last = { start: 0, length: 0, copied: 0 }
    const long = new Map<number, typeof last>()
    return (target, position) => {
      const start = slotStart(target.bytes, position + offset)
      const length = slotLength(target.bytes, position + offset)
      if (length === 0) return
      if (start !== last.start && length >= LONG) last = long.get(start) ?? last
      if (start !== last.start || length !== last.length) {
        checkBounds(start + length, sourceHeap.length)
        const copied = heap.append(sourceHeap, start, length)
        for (let i = 0; base && copyInner && i < length; i += base.size) copyInner(heap, copied + i)
        last = { start, length, copied }
        if (length >= LONG) long.set(start, last)
      }
      writeSlot(target.bytes, position + offset, last.copied, length)
    }
  })
  if (copiers.length === 1) return copiers[0]
  return (target, offset) => {
    for (const copy of copiers) copy(target, offset)
  }
}

function* compact(layout: ElementLayout, { count, data, heap }: Elements): Generator<void, Elements> {
  const compacted = new GrowingBytes(heap.length)
  const copySlots = slotsCopier(layout, heap, compacted)
  const holder = { bytes: data }
  for (let i = 0; i < count; i++) {
    copySlots(holder, i * layout.size)
    if (i % STEP_ELEMENTS === STEP_ELEMENTS - 1) yield
  }
  return { count, data, heap: compacted.used() }
}

/**
 * True when `count` elements of `a` from `aFrom` on equal those of `b` from `bFrom` on, wherever their heaps have them.
 */
export function equalElements(
  type: Datatype,
  a: Elements,
  aFrom: number,
  b: Elements,
  bFrom: number,
  count: number,
): boolean {
  const layout = layoutOf(type)
  const { size } = layout
  if (layout.slots.length === 0) return equalBytes(a.data, aFrom * size, b.data, bFrom * size, count * size)
  for (let i = 0; i < count; i++) {
    const [aAt, bAt] = [(aFrom + i) * size, (bFrom + i) * size]
    if (!equalElement(layout, a.data, aAt, a.heap, b.data, bAt, b.heap)) return false
  }
  return true
}

function equalElement(
  layout: ElementLayout,
  a: Uint8Array,
  aAt: number,
  aHeap: Uint8Array,
  b: Uint8Array,
  bAt: number,
  bHeap: Uint8Array,
): boolean {
  let from = 0
  for (const { offset, base } of layout.slots) {
    if (!equalBytes(a, aAt + from, b, bAt + from, offset - from)) return false
    const length = slotLength(a, aAt + offset)
    if (length !== slotLength(b, bAt + offset)) return false
    if (isUnwritten(a, aAt + offset) !== isUnwritten(b, bAt + offset)) return false
    const aStart = slotStart(a, aAt + offset)
    const bStart = slotStart(b, bAt + offset)
    if (!base && !equalBytes(aHeap, aStart, bHeap, bStart, length)) return false
    for (let i = 0; base && i < length; i += base.size) {
      if (!equalElement(base, aHeap, aStart + i, aHeap, bHeap, bStart + i, bHeap)) return false
    }
    from = offset + 8
  }
  return equalBytes(a, aAt + from, b, bAt + from, layout.size - from)
}

function equalBytes(a: Uint8Array, aAt: number, b: Uint8Array, bAt: number, length: number): boolean {
  for (let i = 0; i < length; i++) if (a[aAt + i] !== b[bAt + i]) return false
  return true
}

function checkBounds(end: number, length: number): void {
  if (end > length) throw new Error(`elements or bytes up to ${end} are needed, there are ${length}`)
}
