// Removes old events: those that are older than some hours, and the oldest ones beyond some bytes. The newest event
// stays, since the numbers of later ones follow from it.

import type { Snapshot, StoreClock } from '../interfaces/engine.ts'
import { type EventPiece, lastRemoved, nextEventPiece, type PieceSize } from '../records/events.ts'

/** The time for which events are kept, and the most bytes of them. */
export interface KeptEvents {
  readonly hours: number
  readonly bytes: number
}

const MICROSECONDS_PER_HOUR = 3600 * 1e6
/** Bytes of events that are removed at once. */
const PIECE_BYTES = 2 ** 18
/** The share of the kept time that events of one piece may be apart: the first ones are kept longer by as much. */
const PIECE_SHARE = 1 / 16

export class EventTrimmer {
  readonly #kept: KeptEvents
  readonly #clock: StoreClock
  readonly #pieceSize: PieceSize
  /** The events that there are, as this process has seen them, the oldest first. */
  #pieces: EventPiece[] = []
  #bytes = 0

  constructor(kept: KeptEvents, clock: StoreClock) {
    this.#kept = kept
    this.#clock = clock
    this.#pieceSize = {
      bytes: PIECE_BYTES,
      microseconds: kept.hours * MICROSECONDS_PER_HOUR * PIECE_SHARE,
    }
  }

  /** Bytes of the events that there are, as this process has seen them. */
  get bytes(): number {
    return this.#bytes
  }

  /** The number before which all events are to be removed; undefined: none are. Each event is looked at once. */
  async findOld(snapshot: Snapshot): Promise<number | undefined> {
    await this.#readNew(snapshot)
    const oldest = this.#clock.stamp() - this.#kept.hours * MICROSECONDS_PER_HOUR
    let before: number | undefined
    while (this.#pieces.length > 0) {
      const [piece] = this.#pieces
      const isLast = this.#pieces.length === 1
      if (piece.time >= oldest && this.#bytes <= this.#kept.bytes) break
      before = isLast ? piece.last : piece.last + 1
      if (isLast) break
      this.#pieces.shift()
      this.#bytes -= piece.bytes
    }
    if (before === undefined || before - 1 <= ((await lastRemoved(snapshot)) ?? 0)) return undefined
    return before
  }

  async #readNew(snapshot: Snapshot): Promise<void> {
    for (;;) {
      const last = this.#pieces.at(-1)
      const piece = await nextEventPiece(snapshot, last?.last ?? 0, this.#pieceSize)
      if (piece === undefined) return
      this.#bytes += piece.bytes
      const joined = last && { ...piece, begun: last.begun, bytes: last.bytes + piece.bytes }
      if (joined && this.#isPiece(joined)) this.#pieces[this.#pieces.length - 1] = joined
      else this.#pieces.push(piece)
    }
  }

  #isPiece({ bytes, begun, time }: EventPiece): boolean {
    return bytes <= this.#pieceSize.bytes && time - begun <= this.#pieceSize.microseconds
  }
}
