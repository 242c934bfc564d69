// Numbers from a file of NumPy, which contains their type and shape.

import type { NumberForm } from './datatype.ts'
import { decodeNumbers, type Numbers } from './decode.ts'

export function decodeNpy(bytes: Uint8Array<ArrayBuffer>): {
  readonly shape: readonly number[]
  readonly data: Numbers
} {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isLong = bytes[6] !== 1
  const start = isLong ? 12 : 10
  const end = start + (isLong ? view.getUint32(8, true) : view.getUint16(8, true))
  const header = new TextDecoder('latin1').decode(bytes.subarray(start, end))
  const match = /'descr': '([<>|])([iufb])(\d)'.*'shape': \(([\d, ]*)\)/.exec(header)
  if (!match) throw new Error(`the answer is no file of numbers: ${header.trim()}`)
  const [, order, letter, size, extents] = match
  const form: NumberForm = {
    kind: letter === 'i' ? 'signed' : letter === 'f' ? 'float' : 'unsigned',
    // NumPy has no other byte orders.
    size: Number(size) as NumberForm['size'],
    isLittleEndian: order !== '>',
  }
  const shape = extents.split(',').flatMap(extent => (extent.trim() === '' ? [] : [Number(extent)]))
  return { shape, data: decodeNumbers(form, bytes.subarray(end)) }
}
