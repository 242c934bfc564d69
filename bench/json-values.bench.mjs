// Values as JSON text and back, in this process: our writer beside JSON.stringify, our scanner beside JSON.parse, a
// million values each. And runs of elements gathered from a chunk, beside a plain copy of the same bytes.

import { JsonValueScanner } from '../dist/modules/model/json/json-scanner.js'
import { JsonValueWriter } from '../dist/modules/model/json/json-writer.js'
import { planParts } from '../dist/modules/model/selection/runs.js'
import { ElementsBuilder } from '../dist/modules/model/values/elements-builder.js'
import { EXACT } from '../dist/modules/model/values/nesting.js'
import { PREFIXED_REFERENCES } from '../dist/modules/model/values/references.js'
import { alternate, print, printRatio } from './measure.mjs'

const COUNT = 2 ** 20
const PIECE = 2 ** 17
const SHAPE = [1024, 1024]
const REPETITIONS = 5
const MIB = 2 ** 20
const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' }
const NO_HEAP = new Uint8Array(0)

const integer = (size, signed) => ({ class: 'H5T_INTEGER', size, signed, order: 'LE' })
const float = size => ({ class: 'H5T_FLOAT', size, order: 'LE' })
const fixedString = { class: 'H5T_STRING', length: 16, charSet: 'H5T_CSET_UTF8', strPad: 'H5T_STR_NULLPAD' }
const compound = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'a', type: integer(4, true) },
    { name: 'b', type: float(8) },
  ],
}

/** The same numbers on every run. */
function random() {
  let state = 1
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0
    return (state >>> 0) / 2 ** 32
  }
}
const next = random()

/** Name, type, the memory, and the values as JavaScript has them. */
const CASES = [
  ['uint8', integer(1, false), Uint8Array.from({ length: COUNT }, () => next() * 256)],
  ['int32', integer(4, true), Int32Array.from({ length: COUNT }, () => (next() - 0.5) * 2 ** 32)],
  [
    'int64 up to 2^53',
    integer(8, true),
    BigInt64Array.from({ length: COUNT }, () => BigInt(Math.floor(next() * 2 ** 50))),
  ],
  [
    'int64 of 64 bits',
    integer(8, true),
    BigInt64Array.from({ length: COUNT }, () => BigInt(Math.floor(next() * 2 ** 31)) << 32n),
  ],
  [
    'float64, 3 decimals',
    float(8),
    Float64Array.from({ length: COUNT }, () => Math.round(next() * 1e6) / 1e3),
  ],
  ['float64, random', float(8), Float64Array.from({ length: COUNT }, next)],
  ['float32 widened, random', float(4), Float32Array.from({ length: COUNT }, next)],
  ['fixed strings', fixedString, new Uint8Array(16 * COUNT).map((_, i) => (i % 16 < 12 ? 97 + (i % 26) : 0))],
  ['compounds', compound, compounds()],
]

function compounds() {
  const data = new DataView(new ArrayBuffer(12 * COUNT))
  for (let at = 0; at < data.byteLength; at += 12) {
    data.setInt32(at, at, true)
    data.setFloat64(at + 4, Math.round(next() * 1e4) / 100, true)
  }
  return new Uint8Array(data.buffer)
}

/** Hands the text to `receive` piece by piece. */
function write(type, bytes, receive) {
  const size = bytes.length / COUNT
  const writer = new JsonValueWriter(type, SHAPE, STYLE)
  for (let from = 0; from < COUNT; from += PIECE) {
    const data = bytes.subarray(from * size, (from + PIECE) * size)
    for (const piece of writer.write({ count: PIECE, data, heap: NO_HEAP })) receive(piece)
  }
  receive(writer.finish())
}

function textOf(type, bytes) {
  const pieces = []
  write(type, bytes, piece => pieces.push(piece))
  return Buffer.concat(pieces)
}

function scan(type, text) {
  const scanner = new JsonValueScanner(type, SHAPE, PREFIXED_REFERENCES, EXACT)
  let count = 0
  for (let at = 0; at < text.length; at += 65536) {
    for (const piece of scanner.push(text.subarray(at, at + 65536))) count += piece.count
  }
  for (const piece of scanner.finish()) count += piece.count
  if (count !== COUNT) throw new Error(`${count} elements were found`)
}

/** The rows of numbers in a typed array like `values`; of other values nothing. */
function filled(values, rows) {
  if (values.length !== COUNT) return
  const array = new values.constructor(COUNT)
  const plain = values instanceof BigInt64Array ? row => row.map(BigInt) : row => row
  for (const [index, row] of rows.entries()) array.set(plain(row), index * SHAPE[1])
}

/** JSON.stringify has no text for bigints, so these are numbers there, beyond 2^53 rounded. */
function plainValues(values) {
  return values instanceof BigInt64Array ? Array.from(values, Number) : Array.from(values)
}

/** MiB of text or data per second of processor time, which other work on the machine hardly changes. */
function rate(length, work) {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (1e6 * length) / MIB / (user + system)
}

for (const [name, type, values] of CASES) {
  const bytes = new Uint8Array(values.buffer)
  const text = textOf(type, bytes)
  const rows = JSON.parse(text.toString())
  const numbers = values.length === COUNT
  const [ours, stringify, scanned, parsed] = await alternate(REPETITIONS, [
    () => rate(text.length, () => write(type, bytes, () => {})),
    // The way without a writer of one's own: from typed arrays by way of boxed values.
    () => rate(text.length, () => Buffer.from(JSON.stringify(numbers ? plainValues(values) : rows))),
    () => rate(text.length, () => scan(type, text)),
    // And back, where there is a typed array to fill.
    () => rate(text.length, () => filled(values, JSON.parse(text.toString()))),
  ])
  print(`${name}: JsonValueWriter`, ours, 'MiB/s')
  print(`${name}: JSON.stringify`, stringify, 'MiB/s')
  printRatio(
    `${name}: writer / JSON.stringify`,
    ours,
    stringify,
    name.includes('int') ? 'at least 3' : 'more than 1',
  )
  print(`${name}: JsonValueScanner`, scanned, 'MiB/s')
  print(`${name}: JSON.parse`, parsed, 'MiB/s')
  printRatio(
    `${name}: scanner / JSON.parse`,
    scanned,
    parsed,
    name.includes('int') ? 'at least 3' : 'more than 1',
  )
}

const slab = (start, stride, count) => ({ kind: 'hyperslab', start, stride, count, block: [1, 1] })
const SELECTIONS = [
  ['rows of 1000', slab([0, 0], [1, 1], [1000, 1000])],
  ['rows of 16', slab([0, 0], [1, 1], [1000, 16])],
  ['every second column', slab([0, 0], [1, 2], [1000, 500])],
  ['one column', slab([0, 7], [1, 1], [1000, 1])],
]
for (const [name, selection] of SELECTIONS) {
  for (const size of [1, 4, 8]) {
    const type = integer(size, false)
    const chunk = { count: 1e6, data: new Uint8Array(1e6 * size), heap: NO_HEAP }
    const count = selection.count[0] * selection.count[1]
    const [part] = planParts(selection, { dims: [1000, 1000], chunkDims: [1000, 1000] })
    const builder = new ElementsBuilder(type, count)
    const times = Math.ceil(2e7 / (count * size))
    const repeat = work => () =>
      rate(count * size * times, () => {
        for (let i = 0; i < times; i++) work()
      })
    const target = new Uint8Array(count * size)
    const [gathered, copied] = await alternate(REPETITIONS, [
      repeat(() => builder.gather(part, chunk)),
      repeat(() => target.set(chunk.data.subarray(0, count * size))),
    ])
    print(`gather ${name}, ${size} byte(s)`, gathered, 'MiB/s')
    print(`plain copy of as many bytes`, copied, 'MiB/s')
  }
}
