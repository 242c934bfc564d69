// Marks of the values of a dataset in a file: positions at which a part of them can begin to be written.

import { firstIndex } from '@hyperslab/model/dataset'
import type { HeapLayout, HeapPosition } from '../global-heap.ts'

/** The initial distance of two marks of values with objects in the global heap, in bytes, those objects included. */
const MARK_BYTES = 2 ** 20
/** Marks of a dataset: beyond them every second one goes, and later ones are as far apart. @limit memory, marks */
const MAX_MARKS = 4096

/** A position in the values of a dataset in the file. */
export interface ValueMark {
  readonly offset: number
  /** The number of the chunk, for values in chunks, with its coordinates unless it is the first. */
  readonly chunk: number
  readonly coordinates?: readonly number[]
  readonly heap: HeapPosition
}

/** The marks around a part of the values. */
export interface MarkedPart {
  /** The last mark that is not after the beginning of the range. */
  readonly mark: ValueMark
  /** Chunks from it up to the first one that is not before the end. Absent: no mark follows. */
  readonly chunks?: number | undefined
}

/** `marks`: all of the values, in order. */
export function markedPart(marks: readonly ValueMark[], from: number, to: number): MarkedPart {
  const mark = marks[firstIndex(marks, ({ offset }) => offset > from) - 1]
  const next = marks.at(firstIndex(marks, ({ offset }) => offset >= to))
  return { mark, chunks: next && next.chunk - mark.chunk }
}

/** Marks that are made while all values are walked; the first is the beginning. */
export class ValueMarks {
  readonly #heap: HeapLayout
  readonly #isInHeap: boolean
  #marks: ValueMark[]
  #spacing = 1

  /** `heap` walks from the first object of the values in the global heap. */
  constructor(heap: HeapLayout, isInHeap: boolean) {
    this.#heap = heap
    this.#isInHeap = isInHeap
    this.#marks = [{ offset: 0, chunk: 0, heap: heap.position }]
  }

  get all(): readonly ValueMark[] {
    return this.#marks
  }

  /** Adds a mark if it is far enough from the last one. */
  add(mark: Omit<ValueMark, 'heap'>): void {
    const { position } = this.#heap
    const last = this.#marks[this.#marks.length - 1]
    const isDue = this.#isInHeap
      ? mark.offset - last.offset + position.address - last.heap.address >= this.#spacing * MARK_BYTES
      : mark.chunk - last.chunk >= this.#spacing
    if (!isDue) return
    this.#marks.push({ ...mark, heap: position })
    if (this.#marks.length <= MAX_MARKS) return
    this.#marks = this.#marks.filter((_, index) => index % 2 === 0)
    this.#spacing *= 2
  }
}
