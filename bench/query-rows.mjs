// The rows of query.bench.mjs and the hand-written loop that is its limit.

export const COUNT = 1_000_000
export const LIMIT = 10
/** int32, float64 and 4 bytes of text, packed. */
const ROW_SIZE = 16

const SYMBOLS = ['AAPL', 'EBAY', 'AMZN', 'X\0\0\0'].map(symbol => Buffer.from(symbol).readUInt32LE())
const [AAPL] = SYMBOLS

/** The queries, and the same by hand: of the 32-bit words of a row, and of its float64. */
export const QUERIES = [
  { text: 'i < 20000 AND f >= 0.5', holds: (i, f) => i < 20_000 && f >= 0.5 },
  { text: 'i < 10000', holds: i => i < 10_000 },
  { text: "i < 40000 AND s == 'AAPL'", holds: (i, _, s) => i < 40_000 && s === AAPL },
]

/** The same rows on every run: i up to a million, f up to 1. */
export function makeRows() {
  let state = 1
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
  const bytes = new Uint8Array(COUNT * ROW_SIZE)
  const view = new DataView(bytes.buffer)
  for (let at = 0; at < bytes.length; at += ROW_SIZE) {
    view.setInt32(at, next() * 1e6, true)
    view.setFloat64(at + 4, next(), true)
    view.setUint32(at + 12, SYMBOLS[Math.floor(next() * 4)], true)
  }
  return bytes
}

/** Positions of the first `limit` rows for which `holds` is true. A float64 of a packed row has no typed array. */
export function searchRows(rows, holds, limit) {
  const words = new Int32Array(rows.buffer)
  const view = new DataView(rows.buffer)
  const positions = []
  for (let row = 0; row < COUNT && positions.length < limit; row++) {
    const f = view.getFloat64(row * ROW_SIZE + 4, true)
    if (holds(words[row * 4], f, words[row * 4 + 3])) positions.push(row)
  }
  return positions
}

/** Rows as a client reads them. */
export function rowsAt(rows, positions) {
  const view = new DataView(rows.buffer)
  return positions.map(position => {
    const at = position * ROW_SIZE
    const text = Buffer.from(rows.buffer, at + 12, 4)
      .toString('utf8')
      .replace(/\0+$/, '')
    return [view.getInt32(at, true), view.getFloat64(at + 4, true), text]
  })
}
