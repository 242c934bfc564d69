// The processor time of answers that are made while they are sent: it counts for the budget of the caller.

import type { ByteStream } from '../message/message.ts'

/** The stream whose pieces count as work while they are made, but not while its client takes them. */
export function counted(stream: ByteStream, work: (isBegun: boolean) => void): ByteStream {
  const count = (pieces: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array> => ({
    [Symbol.asyncIterator]() {
      const source = pieces[Symbol.asyncIterator]()
      return {
        async next() {
          work(true)
          try {
            return await source.next()
          } finally {
            work(false)
          }
        },
        async return() {
          await source.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  })
  const { pieces, piecesOf } = stream
  return {
    ...stream,
    pieces: count(pieces),
    ...(piecesOf && {
      piecesOf: (position: number, length: number) => count(piecesOf(position, length)),
    }),
  }
}
