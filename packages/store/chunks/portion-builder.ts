// The elements of a portion while its chunks are found. Elements that may be stored are adjacent in a buffer. A run
// that repeats one element is only noted, and becomes a piece of its own if it is long; other pieces are elements.

import type { ChunkPart } from '@hyperslab/model/selection'
import { selectionCount } from '@hyperslab/model/selection'
import type { Elements, Piece } from '@hyperslab/model/values'
import { ElementsBuilder, equalElements, repeatElement } from '@hyperslab/model/values'
import type { ChunkLayout } from './chunk-layout.ts'
import type { Portion } from './portions.ts'

/** The shortest run of equal elements that is passed on as one: copying a shorter one costs less. */
const LEAST_RUN = 4096
/**
 * The shortest gap between stored elements that is passed on as a gap: copying a shorter one costs less, and there may
 * be a gap for each stored element.
 */
export const LEAST_GAP = 256
/** The highest number of runs of equal elements that are sorted, in some milliseconds; more are written out. */
const MOST_RUNS = 2 ** 14

/** The offsets of a portion's elements in its buffer: it holds stretches of them, without the gaps between. */
export class BufferLayout {
  /** Elements of the buffer. */
  readonly room: number
  readonly #count: number
  /**
   * The beginning and end of each stretch in the portion, and its beginning in the buffer. Absent: the portion is one
   * stretch.
   */
  readonly #stretches: Stretches | undefined

  /** Gaps of fewer than `leastGap` elements are part of a stretch. */
  constructor({ selection, parts }: Portion, leastGap: number) {
    this.#count = selectionCount(selection)
    this.#stretches = parts && stretchesOf(parts, leastGap)
    this.room = this.#stretches?.room ?? this.#count
  }

  /** The parts, with the offsets of their runs in the buffer. */
  inBuffer(parts: Iterable<ChunkPart>): Iterable<ChunkPart> {
    return this.#stretches ? movedParts(parts, this.#stretches) : parts
  }

  /** The stretches and gaps in order: a gap has no offset in the buffer. */
  *all(): Generator<{ readonly count: number; readonly offset: number | undefined }> {
    if (!this.#stretches) {
      yield { count: this.#count, offset: 0 }
      return
    }
    const { starts, ends, offsets } = this.#stretches
    let offset = 0
    for (const [i, start] of starts.entries()) {
      if (start > offset) yield { count: start - offset, offset: undefined }
      offset = ends[i]
      yield { count: offset - start, offset: offsets[i] }
    }
    if (this.#count > offset) yield { count: this.#count - offset, offset: undefined }
  }
}

interface Stretches {
  readonly starts: Float64Array
  readonly ends: Float64Array
  readonly offsets: Float64Array
  readonly room: number
}

function stretchesOf(parts: readonly ChunkPart[], leastGap: number): Stretches {
  const runStarts: number[] = []
  const runEnds: number[] = []
  for (const part of parts) {
    part.runs((_chunkOffset, _chunkStride, selectionOffset, length) => {
      runStarts.push(selectionOffset)
      runEnds.push(selectionOffset + length)
    })
  }
  // Runs do not overlap: sorted by themselves, the n-th end belongs to the n-th start.
  const [starts, ends] = [Float64Array.from(runStarts).sort(), Float64Array.from(runEnds).sort()]
  const offsets = new Float64Array(starts.length)
  let count = 0
  let room = 0
  for (let i = 0; i < starts.length; i++) {
    const isNew = count === 0 || starts[i] - ends[count - 1] >= leastGap
    if (isNew) {
      offsets[count] = room
      starts[count++] = starts[i]
    }
    ends[count - 1] = ends[i]
    room = offsets[count - 1] + ends[count - 1] - starts[count - 1]
  }
  return { starts: starts.subarray(0, count), ends: ends.subarray(0, count), offsets, room }
}

function* movedParts(parts: Iterable<ChunkPart>, { starts, offsets }: Stretches): Generator<ChunkPart> {
  for (const part of parts) {
    yield {
      ...part,
      runs: visit =>
        part.runs((chunkOffset, chunkStride, selectionOffset, length) => {
          const i = lastUpTo(starts, selectionOffset)
          visit(chunkOffset, chunkStride, offsets[i] + selectionOffset - starts[i], length)
        }),
    }
  }
}

/** The index of the last number that is at most `value`. */
function lastUpTo(numbers: Float64Array, value: number): number {
  let [low, high] = [0, numbers.length]
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2)
    if (numbers[middle] <= value) low = middle
    else high = middle
  }
  return low
}

/** Equal elements in a buffer, or in an array in which they have the same positions. */
interface Run {
  readonly start: number
  end: number
  readonly element: Elements
}

export class PortionBuilder {
  readonly buffer: Uint8Array
  readonly #layout: ChunkLayout
  readonly #bufferLayout: BufferLayout
  /** True: all elements will be written, so none need the fill value. */
  readonly #isComplete: boolean
  /** The element in the gaps between the stretches. */
  readonly #between: Elements | undefined
  #builder: ElementsBuilder | undefined
  /** The fill value, once it was needed. */
  #fill: Elements | undefined
  readonly #repeated: { readonly part: ChunkPart; readonly element: Elements }[] = []
  #repeatedCount = 0

  /**
   * `buffer`: the memory that the buffer layout needs. `between`: the element that the gaps between stretches repeat.
   */
  constructor(
    layout: ChunkLayout,
    bufferLayout: BufferLayout,
    buffer: Uint8Array,
    between: Elements | undefined,
    isComplete: boolean,
  ) {
    this.#layout = layout
    this.#bufferLayout = bufferLayout
    this.buffer = buffer
    this.#between = between
    this.#isComplete = isComplete
  }

  /** The builder for writing elements; elements that are not written keep the fill value. */
  get elements(): ElementsBuilder {
    if (this.#builder) return this.#builder
    const { type, fillValue } = this.#layout
    const builder = new ElementsBuilder(type, this.#bufferLayout.room, this.buffer, this.#isComplete)
    if (fillValue && !this.#isComplete) builder.fill(fillValue)
    this.#builder = builder
    return builder
  }

  /** Leaves the fill value in the elements of a part. */
  leave(part: ChunkPart): void {
    this.#fill ??= this.#layout.fillValue ?? repeatElement(this.#layout.type, undefined, 1)
    this.repeat(part, this.#fill)
  }

  /** Sets all elements of a part to `element`, one element. */
  repeat(part: ChunkPart, element: Elements): void {
    if (part.count < LEAST_RUN) {
      this.#write(element, elements => elements.repeat(part, element))
      return
    }
    this.#repeated.push({ part, element: this.#sameElement(element) })
    this.#repeatedCount += part.count
  }

  /** All elements of the portion. */
  finish(): readonly Piece[] {
    const { room } = this.#bufferLayout
    const isMuch = this.#repeated.length > 0 && this.#repeatedCount * 4 >= room
    const runs = isMuch ? this.#longRuns() : undefined
    if (!runs) {
      for (const { part, element } of this.#repeated)
        this.#write(element, elements => elements.repeat(part, element))
    }
    const pieces: Piece[] = []
    const isAllRepeated = runs?.length === 1 && runs[0].start === 0 && runs[0].end === room
    const written = isAllRepeated || room === 0 ? undefined : this.elements.finish()
    let next = 0
    for (const { count, offset } of this.#bufferLayout.all()) {
      if (offset === undefined) {
        if (!this.#between) throw new Error('a portion with gaps has no element for them')
        pieces.push({ count, element: this.#between })
        continue
      }
      for (let position = offset; position < offset + count; ) {
        while (runs && next < runs.length && runs[next].end <= position) next++
        const run = runs?.[next]
        const isRepeated = run !== undefined && run.start <= position
        const end = Math.min(offset + count, isRepeated ? run.end : (run?.start ?? Number.POSITIVE_INFINITY))
        if (isRepeated) pieces.push({ count: end - position, element: run.element })
        else if (written) pieces.push(this.#slice(written, position, end))
        position = end
      }
    }
    return pieces
  }

  #slice(elements: Elements, from: number, to: number): Elements {
    const { count, data } = elements
    if (from === 0 && to === count) return elements
    const { elementSize } = this.#layout
    return { ...elements, count: to - from, data: data.subarray(from * elementSize, to * elementSize) }
  }

  /**
   * The runs of equal elements, in order and joined where equal ones adjoin; short ones are written out. Undefined:
   * there are too many.
   */
  #longRuns(): readonly Run[] | undefined {
    const { room } = this.#bufferLayout
    const [only, ...more] = this.#repeated
    if (more.length === 0 && only.part.count === room) return [{ start: 0, end: room, element: only.element }]
    const runs: Run[] = []
    for (const { part, element } of this.#repeated) {
      part.runs((_chunkOffset, _chunkStride, start, length) => {
        if (runs.length <= MOST_RUNS) runs.push({ start, end: start + length, element })
      })
      if (runs.length > MOST_RUNS) return undefined
    }
    runs.sort((a, b) => a.start - b.start)
    const joined: Run[] = []
    for (const run of runs) {
      const last = joined.at(-1)
      if (last?.end === run.start && last.element === run.element) last.end = run.end
      else joined.push(run)
    }
    return joined.filter(({ start, end, element }) => {
      if (end - start >= LEAST_RUN) return true
      this.#write(element, elements => elements.repeatAt(start, end - start, element))
      return false
    })
  }

  /** Writes the element, unless it is the fill value, which is there already. */
  #write(element: Elements, write: (elements: ElementsBuilder) => void): void {
    const { elements } = this
    if (element !== this.#fill) write(elements)
  }

  /** The same object for equal elements that follow one another. */
  #sameElement(element: Elements): Elements {
    const last = this.#repeated.at(-1)?.element
    if (!last || last === element) return element
    return equalElements(this.#layout.type, last, 0, element, 0, 1) ? last : element
  }
}
