// Reductions of a field of 4096 x 4096 in this process, beside a plain loop over the typed array that makes the same
// means.

import { Reducer } from '../dist/modules/model/reduction/reducer.js'
import { planReduction } from '../dist/modules/model/reduction/reduction.js'
import { alternate, print, printRatio } from './measure.mjs'

const EXTENT = 4096
const PIECE = 2 ** 20
const REPETITIONS = 5
const NO_HEAP = new Uint8Array(0)

const FIELDS = [
  ['float32', { class: 'H5T_FLOAT', size: 4, order: 'LE' }, Float32Array],
  ['float64', { class: 'H5T_FLOAT', size: 8, order: 'LE' }, Float64Array],
  ['int16', { class: 'H5T_INTEGER', size: 2, signed: true, order: 'LE' }, Int16Array],
]

for (const [name, type, ArrayType] of FIELDS) {
  const field = new ArrayType(EXTENT * EXTENT).map((_, i) => 1000 * Math.sin(i))
  const bytes = new Uint8Array(field.buffer)
  for (const factor of [4, 8]) {
    const expected = loop(field, factor)
    const found = reduce(type, bytes, factor)
    if (expected.some((mean, i) => Math.abs(mean - found[i]) > 1e-9)) throw new Error('the means differ')
    const [ours, limit] = await alternate(REPETITIONS, [
      () => milliseconds(() => reduce(type, bytes, factor)),
      () => milliseconds(() => loop(field, factor)),
    ])
    print(`${name}, means of ${factor} x ${factor}`, ours, 'ms')
    print('loop', limit, 'ms')
    printRatio('time / loop', ours, limit, 'at most 2')
  }
}

function milliseconds(work) {
  const start = performance.now()
  work()
  return performance.now() - start
}

function reduce(type, bytes, factor) {
  const reducer = new Reducer(planReduction(type, [EXTENT, EXTENT], { name: 'mean', factors: [factor] }))
  const result = new Float64Array((EXTENT / factor) ** 2)
  let at = 0
  for (let from = 0; from < bytes.length; from += PIECE) {
    const data = bytes.subarray(from, from + PIECE)
    for (const part of reducer.push({ count: data.length / type.size, data, heap: NO_HEAP })) {
      if (!part) continue
      result.set(new Float64Array(part.data.buffer, part.data.byteOffset, part.count), at)
      at += part.count
    }
  }
  return result
}

/** NaN counts as absent here too. */
function loop(field, factor) {
  const extent = EXTENT / factor
  const sums = new Float64Array(extent * extent)
  const counts = new Float64Array(extent * extent)
  for (let row = 0; row < EXTENT; row++) {
    const first = Math.floor(row / factor) * extent
    for (let block = 0, at = row * EXTENT; block < extent; block++) {
      for (let i = 0; i < factor; i++, at++) {
        const value = field[at]
        if (Number.isNaN(value)) continue
        sums[first + block] += value
        counts[first + block]++
      }
    }
  }
  return sums.map((sum, i) => sum / counts[i])
}
