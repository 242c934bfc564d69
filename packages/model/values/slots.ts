// Slots: the references of an element's parts of variable size into the heap (elements.ts). A slot whose length is 0 is
// the empty value, wherever it points; of sequences, one that was never written points to 0, and one that was written
// empty elsewhere. Two slots may share bytes of the heap.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize, isVariableSize, slotOffsets } from '../datatype/layout.ts'

/** The packed form of a type, as far as copying needs it. */
export interface ElementLayout {
  readonly size: number
  readonly slots: readonly SlotLayout[]
}

interface SlotLayout {
  /** The offset of the slot in the packed element. */
  readonly offset: number
  /** The layout of the elements of a sequence that have slots themselves; otherwise the heap holds plain bytes. */
  readonly base: ElementLayout | undefined
}

export function layoutOf(type: Datatype): ElementLayout {
  const bases: (ElementLayout | undefined)[] = []
  collectBases(type, bases)
  const slots = slotOffsets(type).map((offset, index) => ({ offset, base: bases[index] }))
  return { size: elementSize(type), slots }
}

/** One entry per slot, in the order of `slotOffsets`. */
function collectBases(type: Datatype, bases: (ElementLayout | undefined)[]): void {
  if (!isVariableSize(type)) return
  if (type.class === 'H5T_COMPOUND') {
    for (const field of type.fields) collectBases(field.type, bases)
  } else if (type.class === 'H5T_ARRAY') {
    const inner: (ElementLayout | undefined)[] = []
    collectBases(type.base, inner)
    const length = type.dims.reduce((product, extent) => product * extent, 1)
    for (let i = 0; i < length; i++) bases.push(...inner)
  } else {
    bases.push(type.class === 'H5T_VLEN' && isVariableSize(type.base) ? layoutOf(type.base) : undefined)
  }
}

/** The offset in the heap that the slot at `offset` points to. */
export function slotStart(bytes: Uint8Array, offset: number): number {
  return readUint32(bytes, offset)
}

/** The number of bytes that the slot at `offset` points to. */
export function slotLength(bytes: Uint8Array, offset: number): number {
  return readUint32(bytes, offset + 4)
}

export function writeSlot(bytes: Uint8Array, offset: number, start: number, length: number): void {
  writeUint32(bytes, offset, length === 0 ? 0 : start)
  writeUint32(bytes, offset + 4, length)
}

/** The target of a sequence that was written empty. */
const WRITTEN_EMPTY = 1

/** The slot of a sequence that is written, empty or not. */
export function writeSequenceSlot(bytes: Uint8Array, offset: number, start: number, length: number): void {
  writeUint32(bytes, offset, length === 0 ? WRITTEN_EMPTY : start)
  writeUint32(bytes, offset + 4, length)
}

/** Whether the sequence at `offset` was never written. */
export function isUnwritten(bytes: Uint8Array, offset: number): boolean {
  return slotLength(bytes, offset) === 0 && slotStart(bytes, offset) === 0
}

function readUint32(bytes: Uint8Array, offset: number): number {
  const low = bytes[offset] | (bytes[offset + 1] << 8) | (bytes[offset + 2] << 16)
  return low + bytes[offset + 3] * 0x1000000
}

function writeUint32(bytes: Uint8Array, offset: number, value: number): void {
  bytes[offset] = value
  bytes[offset + 1] = value >>> 8
  bytes[offset + 2] = value >>> 16
  bytes[offset + 3] = value >>> 24
}
