// The position in the dataset of an element of a selection.

import { product } from '@hyperslab/model/dataset'
import {
  type Hyperslab,
  type Lists,
  rowMajorStrides,
  type Selection,
  selectionShape,
} from '@hyperslab/model/selection'

/** Writes the coordinates of the element at a position of the selection to `into`, from `position` on. */
export type LocateElement = (position: number, into: Float64Array, offset: number) => void

export function locator(selection: Selection): LocateElement {
  switch (selection.kind) {
    case 'points': {
      const { rank, coordinates } = selection
      return (position, into, at) => {
        for (let i = 0; i < rank; i++) into[at + i] = coordinates[position * rank + i]
      }
    }
    case 'hyperslab':
      return hyperslabLocator(selection)
    case 'lists':
      return listsLocator(selection)
  }
}

function hyperslabLocator(selection: Hyperslab): LocateElement {
  const { start, stride, block } = selection
  const strides = rowMajorStrides(selectionShape(selection))
  return (position, into, offset) => {
    let left = position
    for (let i = 0; i < strides.length; i++) {
      const position = Math.floor(left / strides[i])
      left -= position * strides[i]
      const blocks = Math.floor(position / block[i])
      into[offset + i] = start[i] + blocks * stride[i] + (position - blocks * block[i])
    }
  }
}

/** The dimension of the lists is among the others at the position of the first one. */
function listsLocator(selection: Lists): LocateElement {
  const { listed, coordinates, rest } = selection
  const firstListed = listed[0]
  const inner = product(selectionShape(rest).slice(firstListed))
  const inList = coordinates.length / listed.length
  const others = Array.from({ length: rankOf(selection) }, (_, i) => i).filter(i => !listed.includes(i))
  const locateRest = hyperslabLocator(rest)
  const located = new Float64Array(others.length)
  return (position, into, offset) => {
    const low = position % inner
    const high = Math.floor(position / inner)
    const along = high % inList
    locateRest(Math.floor(high / inList) * inner + low, located, 0)
    for (let i = 0; i < others.length; i++) into[offset + others[i]] = located[i]
    for (let i = 0; i < listed.length; i++) into[offset + listed[i]] = coordinates[along * listed.length + i]
  }
}

/** Coordinates that an element has. */
export function rankOf(selection: Selection): number {
  if (selection.kind === 'points') return selection.rank
  return selection.kind === 'lists'
    ? selection.listed.length + selection.rest.start.length
    : selection.start.length
}
