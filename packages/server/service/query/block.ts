// The blocks that conditions are tested on: some elements in storage form, with one byte for each result.

import type { Datatype } from '@hyperslab/model/datatype'
import type { Source } from '@hyperslab/model/json'

/** A block: those of BLOCK_LENGTH adjacent elements that are tested. */
export interface Block {
  readonly data: Source
  readonly heap: Uint8Array
  /** The position in `data` that positions are counted from. */
  readonly first: number
  /** Positions of the elements, ascending; only the first `count` are used. */
  readonly positions: Uint16Array
  readonly count: number
  /** Room for a number of each element. */
  readonly numbers: Float64Array
}

/** The length of a block, so short that numbers and results stay in the processor's nearest cache. */
export const BLOCK_LENGTH = 2048

/** Sets `mask[i]` to 1 if the condition holds for the element at the i-th position of the block, else to 0. */
export type Test = (block: Block, mask: Uint8Array) => void

/** A part of every element. */
export interface Field {
  readonly type: Datatype
  /** The offset of the field in the element, and the size of the element. */
  readonly offset: number
  readonly stride: number
}

/** The result of a comparison for a value that is less than, equal to or greater than the literal, or neither (NaN). */
export interface Outcomes {
  readonly less: 0 | 1
  readonly equal: 0 | 1
  readonly greater: 0 | 1
  readonly unordered: 0 | 1
}
