import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { ChunkEncoding, MAX_ENCODED_CHUNK } from './chunk-encoding.ts'

test('chunks of all files are read when those before them leave room', async () => {
  const encoding = new ChunkEncoding(async (_pipeline, bytes) => ({ bytes, mask: 0 }))
  const started: string[] = []
  const ends: (() => void)[] = []
  const run = (file: string, bytes: number) =>
    encoding.run([], bytes, async () => {
      started.push(file)
      await new Promise<void>(end => ends.push(end))
      return new Uint8Array([started.length])
    })
  const half = MAX_ENCODED_CHUNK / 2
  const runs = [run('a', half), run('b', half), run('a', 1), run('b', MAX_ENCODED_CHUNK)]
  await setImmediate()
  expect(started).toEqual(['a', 'b'])
  ends[0]?.()
  await runs[0]
  await setImmediate()
  expect(started).toEqual(['a', 'b', 'a'])
  ends[1]?.()
  ends[2]?.()
  await setImmediate()
  expect(started).toEqual(['a', 'b', 'a', 'b'])
  ends[3]?.()
  expect((await runs[3])?.bytes).toEqual(new Uint8Array([4]))
})
