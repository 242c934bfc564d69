// Pieces of values as elements only: a repeated element is written out, in memory that is reused.

import type { Datatype } from '../datatype/datatype.ts'
import { elementSize } from '../datatype/layout.ts'
import type { Elements, Piece } from './elements.ts'
import { ElementsBuilder, repeatElement } from './elements-builder.ts'

/** Bytes of elements that are written out at once. */
const LENGTH = 2 ** 21
/** Pieces shorter than this are joined with the next ones. */
const SHORT = 2 ** 15

/**
 * The same elements. Their bytes are valid until the next ones are requested. Writing out one piece may take very long:
 * `signal` ends it.
 */
export async function* expandPieces(
  type: Datatype,
  pieces: AsyncIterable<Piece>,
  signal?: { throwIfAborted(): void },
): AsyncGenerator<Elements> {
  const size = elementSize(type)
  const room = Math.max(1, Math.floor(LENGTH / size))
  const joined = new JoinedPieces(type, room)
  let repeated: { readonly element: Elements; readonly all: Elements } | undefined
  let wasRepeated = false
  for await (const piece of pieces) {
    const isRepeated = 'element' in piece
    // Pieces that have only elements are long enough: only runs make them short.
    const isJoined = wasRepeated && piece.count * size < SHORT
    wasRepeated ||= isRepeated
    if (isJoined) {
      if (!joined.hasRoom(piece)) yield joined.take()
      joined.add(piece)
      continue
    }
    if (joined.count > 0) yield joined.take()
    if (!isRepeated) {
      yield piece
      continue
    }
    if (repeated?.element !== piece.element || repeated.all.count < Math.min(room, piece.count)) {
      const all = repeatElement(type, piece.element, Math.min(room, piece.count))
      repeated = { element: piece.element, all }
    }
    for (let left = piece.count; left > 0; left -= room) {
      const count = Math.min(left, room)
      yield { ...repeated.all, count, data: repeated.all.data.subarray(0, count * size) }
      signal?.throwIfAborted()
    }
  }
  if (joined.count > 0) yield joined.take()
}

class JoinedPieces {
  count = 0
  readonly #type: Datatype
  readonly #room: number
  #memory: Uint8Array | undefined
  #builder: ElementsBuilder | undefined

  constructor(type: Datatype, room: number) {
    this.#type = type
    this.#room = room
  }

  hasRoom({ count }: Piece): boolean {
    return this.count + count <= this.#room
  }

  add(piece: Piece): void {
    this.#memory ??= new Uint8Array(this.#room * elementSize(this.#type))
    this.#builder ??= new ElementsBuilder(this.#type, this.#room, this.#memory, true)
    if ('element' in piece) this.#builder.repeatAt(this.count, piece.count, piece.element)
    else this.#builder.copy(piece, 0, this.count, piece.count)
    this.count += piece.count
  }

  take(): Elements {
    const count = this.count
    const builder = this.#builder
    this.count = 0
    this.#builder = undefined
    if (!builder) throw new Error('there are no pieces to take')
    const { data, heap } = builder.finish()
    return { count, data: data.subarray(0, count * elementSize(this.#type)), heap }
  }
}
