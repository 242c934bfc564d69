// The elements that a query finds, taken out of those that were searched.

import { type CompoundType, type Datatype, elementSize } from '@hyperslab/model/datatype'
import { type Elements, ElementsBuilder } from '@hyperslab/model/values'

/** Copies of the elements at these positions, ascending. */
export function elementsAt(type: Datatype, elements: Elements, positions: Uint32Array): Elements {
  const count = positions.length
  const builder = new ElementsBuilder(type, count)
  const runs = (visit: (from: number, step: number, to: number, length: number) => void) => {
    for (let from = 0, to = 0; from < count; from = to) {
      for (to = from + 1; to < count && positions[to] === positions[from] + (to - from); to++);
      visit(positions[from], 1, from, to - from)
    }
  }
  builder.gather({ chunk: [], count, covers: false, first: 0, end: elements.count, runs }, elements)
  return builder.finish()
}

const COORDINATE: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }

/** Rows that begin with their coordinates, which the members or the element follow (hsds-values 11.4). */
export function withCoordinates(type: Datatype, rank: number): CompoundType {
  const coordinates = Array.from({ length: rank }, (_, i) => ({ name: `coordinate ${i}`, type: COORDINATE }))
  const members = type.class === 'H5T_COMPOUND' ? type.fields : [{ name: 'value', type }]
  return { class: 'H5T_COMPOUND', fields: [...coordinates, ...members] }
}

/** `coordinates` holds `rank` for each row. */
export function prependCoordinates(
  type: Datatype,
  rows: Elements,
  coordinates: Float64Array,
  rank: number,
): Elements {
  const size = elementSize(type)
  const rowSize = rank * 8 + size
  const data = new Uint8Array(rows.count * rowSize)
  for (let i = 0; i < rows.count; i++) {
    data.set(coordinateBytes(coordinates.subarray(i * rank, (i + 1) * rank)), i * rowSize)
    data.set(rows.data.subarray(i * size, (i + 1) * size), i * rowSize + rank * 8)
  }
  return { count: rows.count, data, heap: rows.heap }
}

/** Whole numbers up to 2^53 as 64-bit integers, little-endian. */
export function coordinateBytes(coordinates: Float64Array): Uint8Array {
  const bytes = new Uint8Array(coordinates.length * 8)
  const view = new DataView(bytes.buffer)
  coordinates.forEach((coordinate, i) => {
    view.setUint32(i * 8, coordinate % 2 ** 32, true)
    view.setUint32(i * 8 + 4, Math.floor(coordinate / 2 ** 32), true)
  })
  return bytes
}
