// Heap ids of a fractal heap (file format specification, III.G, "fractal heap ID"): the names of managed, huge and tiny
// objects. All ids of a heap have the same length; the widths of their fields follow from the heap's header (H5HFhdr.c,
// H5HFhuge.c, H5HFtiny.c).

import { FieldReader, type Widths } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeFilteredHugeObject, decodeHugeObject, type HugeObject } from '../indexes/b-tree-2-records.ts'
import type { FractalHeapHeader } from './fractal-heap.ts'

const STRUCTURE = 'an id of the fractal heap'

const MANAGED = 0
const HUGE = 1
const TINY = 2

/**
 * The length of a tiny object takes 4 bits of the id, or 12 where its ids are longer than 17 bytes.
 * @limit format, bytes
 */
const MAX_SHORT_TINY = 16

export type HeapId =
  /** `offset`: in the space of the managed objects. */
  | { readonly kind: 'managed'; readonly offset: number; readonly length: number }
  | { readonly kind: 'huge'; readonly object: HugeObject }
  /** The B-tree of the huge objects has it under this number. */
  | { readonly kind: 'indexed'; readonly id: number }
  | { readonly kind: 'tiny'; readonly object: Uint8Array }

type HeapForm = Pick<FractalHeapHeader, 'idLength' | 'maxManagedSize' | 'table' | 'filters'>

export function decodeHeapId(bytes: Uint8Array, heap: HeapForm, widths: Widths): HeapId {
  const fields = new FieldReader(bytes, widths, STRUCTURE)
  if (bytes.length < heap.idLength) throw fields.error(`it has ${bytes.length} of ${heap.idLength} bytes`)
  const first = fields.u8()
  const version = first >> 6
  if (version !== 0) throw fields.error(`there is no version ${version} of it`)
  switch ((first >> 4) & 3) {
    case MANAGED: {
      const offset = fields.unsigned(offsetWidth(heap))
      return { kind: 'managed', offset, length: fields.unsigned(lengthWidth(heap)) }
    }
    case HUGE:
      if (!holdsHugeObject(heap, widths)) {
        return { kind: 'indexed', id: fields.unsigned(Math.min(8, heap.idLength - 1)) }
      }
      return {
        kind: 'huge',
        object: heap.filters ? decodeFilteredHugeObject(fields) : decodeHugeObject(fields),
      }
    case TINY: {
      const isLong = heap.idLength - 1 > MAX_SHORT_TINY + 1
      const length = isLong ? (first & 15) * 256 + fields.u8() : first & 15
      return { kind: 'tiny', object: fields.take(length + 1) }
    }
    default:
      throw fields.error('its kind is unknown')
  }
}

export function encodeHeapId(id: HeapId, heap: HeapForm, widths: Widths): Uint8Array {
  const writer = new FieldWriter(widths)
  switch (id.kind) {
    case 'managed':
      writer.u8(MANAGED << 4)
      writer.unsigned(id.offset, offsetWidth(heap))
      writer.unsigned(id.length, lengthWidth(heap))
      break
    case 'indexed':
      writer.u8(HUGE << 4)
      writer.unsigned(id.id, Math.min(8, heap.idLength - 1))
      break
    case 'huge':
      writer.u8(HUGE << 4)
      writer.address(id.object.address)
      writer.length(id.object.length)
      if (id.object.filtered) {
        writer.u32(id.object.filtered.mask)
        writer.length(id.object.filtered.length)
      }
      break
    case 'tiny': {
      const length = id.object.length - 1
      const isLong = heap.idLength - 1 > MAX_SHORT_TINY + 1
      writer.u8((TINY << 4) | (isLong ? length >> 8 : length))
      if (isLong) writer.u8(length & 255)
      writer.put(id.object)
      break
    }
    default:
      id satisfies never
  }
  writer.zeros(heap.idLength - writer.position)
  return writer.bytes
}

function offsetWidth({ table }: HeapForm): number {
  return Math.ceil(table.maxHeapBits / 8)
}

function lengthWidth({ table, maxManagedSize }: HeapForm): number {
  const blockWidth = Math.ceil(Math.log2(table.maxDirectBlockSize) / 8)
  const objectWidth = Math.floor(Math.log2(Math.max(1, maxManagedSize)) / 8) + 1
  return Math.min(blockWidth, objectWidth)
}

/** True when an id has room for the address and length of the object, so that no B-tree is needed. */
function holdsHugeObject({ idLength, filters }: HeapForm, { offsets, lengths }: Widths): boolean {
  return idLength - 1 >= offsets + lengths + (filters ? 4 + lengths : 0)
}
