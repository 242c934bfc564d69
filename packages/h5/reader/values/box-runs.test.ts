import fc from 'fast-check'
import { expect, it } from 'vitest'
import { copyRuns, copyRunsInTurns, runsOfBox } from './box-runs.ts'

/** One byte for each element, counted from 1. */
function arrayOf(dims: readonly number[], size: number): Uint8Array {
  return Uint8Array.from({ length: dims.reduce((a, b) => a * b, size) }, (_, index) => (index % 255) + 1)
}

it('a box is copied from one array to another as element by element', () => {
  const dimension = fc
    .tuple(fc.nat(4), fc.nat(2), fc.nat(2), fc.nat(2), fc.nat(2))
    .map(([count, before, after, beforeTo, afterTo]) => ({
      count,
      from: before,
      fromDim: before + count + after,
      to: beforeTo,
      toDim: beforeTo + count + afterTo,
    }))
  const sizes = fc.constantFrom(1, 3, 40)
  fc.assert(
    fc.property(fc.array(dimension, { maxLength: 3 }), sizes, (all, size) => {
      const count = all.map(d => d.count)
      const [fromDims, toDims] = [all.map(d => d.fromDim), all.map(d => d.toDim)]
      const source = arrayOf(fromDims, size)
      const target = new Uint8Array(toDims.reduce((a, b) => a * b, size))
      const expected = target.slice()
      const copy = (d: number, from: number, to: number): void => {
        if (d === count.length) {
          expected.set(source.subarray(from * size, (from + 1) * size), to * size)
          return
        }
        for (let i = 0; i < count[d]; i++) {
          copy(d + 1, from * fromDims[d] + all[d].from + i, to * toDims[d] + all[d].to + i)
        }
      }
      copy(0, 0, 0)
      const runs = runsOfBox(
        count,
        fromDims,
        all.map(d => d.from),
        toDims,
        all.map(d => d.to),
      )
      copyRuns(runs, size, source, target)
      expect(Buffer.compare(target, expected)).toBe(0)
      expect(runs.count * runs.length).toBe(count.reduce((a, b) => a * b, 1))
      const [all1, parts] = [[] as number[], [] as number[]]
      runs.each(0, runs.count, from => all1.push(from))
      for (let run = 0; run < runs.count; run++) runs.each(run, run + 1, from => parts.push(from))
      expect(parts).toEqual(all1)
    }),
  )
})

it.each([
  ['many runs', [40_000, 2], [40_000, 1]],
  ['long ones', [4, 700_000], [3, 600_000]],
  ['none', [4, 0], [4, 0]],
])('a box of %s is copied in turns as at once', async (_name, dims, count) => {
  const source = arrayOf(dims, 1)
  const [atOnce, inTurns] = [0, 0].map(() => new Uint8Array(count[0] * count[1]))
  const runs = runsOfBox(count, dims, [0, 0], count, [0, 0])
  copyRuns(runs, 1, source, atOnce)
  await copyRunsInTurns(runs, 1, source, inTurns)
  expect(Buffer.compare(inTurns, atOnce)).toBe(0)
  expect(inTurns.at(-1)).toBe(atOnce.at(-1))
})
