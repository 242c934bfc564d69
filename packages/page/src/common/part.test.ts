import { expect, test } from 'vitest'
import { Part } from './part.ts'

/** A part that is loaded when the test says so. */
function newPart() {
  const loads: { readonly end: (value: string) => void; readonly fail: (error: Error) => void }[] = []
  const forgotten: number[] = []
  const part = new Part<string>(
    () => new Promise((end, fail) => loads.push({ end, fail })),
    () => forgotten.push(loads.length),
  )
  return { part, loads, forgotten }
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

test('a part that could not be loaded is loaded again, without what was left of it', async () => {
  const { part, loads, forgotten } = newPart()
  part.preload()
  const needed = part.load()
  loads[0]?.fail(new Error('away'))
  await expect(needed).rejects.toThrow('away')
  expect(forgotten).toEqual([1])
  const again = part.load()
  loads[1]?.end('drawn')
  expect(await again).toBe('drawn')
})
