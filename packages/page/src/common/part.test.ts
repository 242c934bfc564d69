import { expect, test } from 'vitest'
import { Part } from './part.ts'

/** A part that is loaded when the test says so. */
function newPart() {
  const loads: { readonly end: (value: string) => void; readonly fail: (error: Error) => void }[] = []
  const mended: number[] = []
  const part = new Part<string>(
    () => new Promise((end, fail) => loads.push({ end, fail })),
    async () => {
      mended.push(loads.length)
      if (mended.length === 1) throw new Error('no styles')
    },
  )
  return { part, loads, mended }
}

test('a part is loaded once, also by two that need it at the same time', async () => {
  const { part, loads } = newPart()
  part.preload()
  const needed = part.load()
  expect([loads.length, part.loaded]).toEqual([1, undefined])
  loads[0]?.end('drawn')
  expect(await needed).toBe('drawn')
  part.preload()
  expect([await part.load(), part.loaded, loads.length]).toEqual(['drawn', 'drawn', 1])
})

test('a part that could not be loaded is loaded again, after what the bundler does not load again', async () => {
  const { part, loads, mended } = newPart()
  part.preload()
  const needed = part.load()
  loads[0]?.fail(new Error('away'))
  await expect(needed).rejects.toThrow('away')
  expect(mended).toEqual([])
  await expect(part.load()).rejects.toThrow('no styles')
  const again = part.load()
  await new Promise(resolve => setImmediate(resolve))
  loads[1]?.end('drawn')
  expect([await again, mended, loads.length]).toEqual(['drawn', [1, 1], 2])
})
