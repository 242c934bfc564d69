// Elements of a file made from elements in storage form: elements of variable size and regions go into the global heap,
// references to objects become addresses, members of compounds move to their offsets, and the gaps between them are
// zero.

import type { ObjectId } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import {
  decodeRegionReference,
  isUnwritten,
  readObjectReference,
  slotLength,
  slotStart,
  stretchesCopier,
} from '@hyperslab/model/values'
import type { Widths } from '../../format/field-reader.ts'
import { FieldWriter } from '../../format/field-writer.ts'
import type { GlobalHeapReference } from '../../format/heaps/global-heap.ts'
import { encodeRegionObject } from '../../format/references.ts'
import type { ElementForm } from '../file-types.ts'

/** The widths of offsets and lengths in all files that are written. */
export const WIDTHS: Widths = { offsets: 8, lengths: 8 }

/** The parts of the file that is written that elements need. */
export interface ElementContext {
  /** The address of an object; undefined: the file does not have it. */
  addressOf(id: ObjectId): number | undefined
  /** Puts an object into the global heap. */
  put(bytes: Uint8Array): GlobalHeapReference
  /** Called for references that become, or are, null because their objects are not in the file. */
  onLostReference(): void
}

/** Bytes of a piece, unless one element has more: they are encoded in some milliseconds. */
const PIECE_BYTES = 2 ** 20

/**
 * The bytes of the elements in the file, piece by piece; of plain ones a view. Objects of the heap are put in the order
 * of the elements.
 */
export function* encodeElements(
  form: ElementForm,
  { data, heap, count, hasLostReferences }: Elements,
  context: ElementContext,
): Generator<Uint8Array> {
  if (hasLostReferences) context.onLostReference()
  if (form.kind === 'plain') {
    yield data.subarray(0, count * form.size)
    return
  }
  const most = Math.max(1, Math.floor(PIECE_BYTES / form.fileSize))
  for (let first = 0; first < count; first += most) {
    const position = { bytes: data, offset: first * form.size, heap }
    yield encodeAll(form, position, Math.min(most, count - first), context)
  }
}

/** The bytes of a single element in the file. */
export function encodeElement(
  form: ElementForm,
  { data, heap }: Elements,
  context: ElementContext,
): Uint8Array {
  return encodeAll(form, { bytes: data, offset: 0, heap }, 1, context)
}

/** The position of an element in storage form. */
interface ElementPosition {
  readonly bytes: Uint8Array
  readonly offset: number
  readonly heap: Uint8Array
}

function encodeAll(
  form: ElementForm,
  { bytes, offset, heap }: ElementPosition,
  count: number,
  context: ElementContext,
): Uint8Array {
  const encoded = new Uint8Array(count * form.fileSize)
  if (!form.hasAddresses) {
    move(form, bytes, encoded, { from: offset, fromStep: form.size, to: 0, toStep: form.fileSize, count })
    return encoded
  }
  for (let i = 0; i < count; i++) {
    encode(form, { bytes, offset: offset + i * form.size, heap }, encoded, i * form.fileSize, context)
  }
  return encoded
}

/** Elements, or one part of each, at a fixed distance in bytes. */
interface Run {
  readonly from: number
  readonly fromStep: number
  readonly to: number
  readonly toStep: number
  readonly count: number
}

/** Copies elements without addresses, all of one part after another. */
function move(form: ElementForm, bytes: Uint8Array, target: Uint8Array, run: Run): void {
  const { from, fromStep, to, toStep, count } = run
  if (form.kind === 'compound') {
    for (const { offset, fileOffset, form: member } of form.members) {
      move(member, bytes, target, { ...run, from: from + offset, to: to + fileOffset })
    }
  } else if (form.kind === 'array') {
    moveArrays(form, bytes, target, run)
  } else {
    const stretch = { from, to, length: form.size }
    stretchesCopier(bytes, target, [stretch], fromStep, toStep)(0, 1, 0, 1, count)
  }
}

/** The outer loop is over the elements or over the items of an array, whichever are fewer. */
function moveArrays(
  { size, fileSize, length, base }: Extract<ElementForm, { kind: 'array' }>,
  bytes: Uint8Array,
  target: Uint8Array,
  run: Run,
): void {
  const { from, fromStep, to, toStep, count } = run
  const inside = { fromStep: base.size, toStep: base.fileSize }
  if (fromStep === size && toStep === fileSize) {
    move(base, bytes, target, { from, to, ...inside, count: count * length })
  } else if (length < count) {
    for (let item = 0; item < length; item++) {
      const start = { from: from + item * base.size, to: to + item * base.fileSize }
      move(base, bytes, target, { ...run, ...start })
    }
  } else {
    for (let index = 0; index < count; index++) {
      const start = { from: from + index * fromStep, to: to + index * toStep }
      move(base, bytes, target, { ...start, ...inside, count: length })
    }
  }
}

/** Writes one element to `to` from `start` on; bytes that are not written are zero. */
function encode(
  form: ElementForm,
  position: ElementPosition,
  to: Uint8Array,
  start: number,
  context: ElementContext,
): void {
  const { bytes, offset: from, heap } = position
  switch (form.kind) {
    case 'plain':
      to.set(bytes.subarray(from, from + form.size), start)
      return
    case 'compound':
      for (const { offset, fileOffset, form: member } of form.members) {
        encode(member, { bytes, offset: from + offset, heap }, to, start + fileOffset, context)
      }
      return
    case 'array':
      for (let i = 0; i < form.length; i++) {
        const item = { bytes, offset: from + i * form.base.size, heap }
        encode(form.base, item, to, start + i * form.base.fileSize, context)
      }
      return
    case 'string': {
      const text = slotBytes(position)
      putVariable(to, start, text.length, context.put(text))
      return
    }
    case 'sequence':
      encodeSequence(form.base, position, to, start, context)
      return
    case 'object-reference': {
      const reference = readObjectReference(bytes, from)
      if (!reference) return
      const address = context.addressOf(reference.id)
      if (address === undefined) context.onLostReference()
      else writeUint64(to, start, address)
      return
    }
    case 'region-reference':
      encodeRegion(position, to, start, context)
      return
  }
}

function encodeSequence(
  base: ElementForm,
  position: ElementPosition,
  to: Uint8Array,
  start: number,
  context: ElementContext,
): void {
  const { bytes, offset, heap } = position
  const count = slotLength(bytes, offset) / base.size
  // A sequence without elements is nil in files.
  if (count === 0 || isUnwritten(bytes, offset)) return
  const items = encodeAll(base, { bytes: heap, offset: slotStart(bytes, offset), heap }, count, context)
  putVariable(to, start, count, context.put(items))
}

/** A region reference, or another string, which is null in a file. */
function encodeRegion(
  position: ElementPosition,
  to: Uint8Array,
  start: number,
  context: ElementContext,
): void {
  if (slotLength(position.bytes, position.offset) === 0) return
  const region = decodeRegionReference(slotBytes(position))
  const address = typeof region === 'string' ? undefined : context.addressOf(region.id)
  if (typeof region === 'string' || address === undefined) {
    context.onLostReference()
    return
  }
  const writer = new FieldWriter(WIDTHS)
  encodeRegionObject(writer, { address, selection: region })
  const { address: collection, index } = context.put(writer.bytes)
  writeUint64(to, start, collection)
  writeUint32(to, start + 8, index)
}

function slotBytes({ bytes, offset, heap }: ElementPosition): Uint8Array {
  const start = slotStart(bytes, offset)
  return heap.subarray(start, start + slotLength(bytes, offset))
}

function putVariable(
  to: Uint8Array,
  start: number,
  count: number,
  { address, index }: GlobalHeapReference,
): void {
  writeUint32(to, start, count)
  writeUint64(to, start + 4, address)
  writeUint32(to, start + 12, index)
}

function writeUint64(to: Uint8Array, start: number, value: number): void {
  writeUint32(to, start, value % 2 ** 32)
  writeUint32(to, start + 4, Math.floor(value / 2 ** 32))
}

function writeUint32(to: Uint8Array, start: number, value: number): void {
  to[start] = value
  to[start + 1] = value >>> 8
  to[start + 2] = value >>> 16
  to[start + 3] = value >>> 24
}
