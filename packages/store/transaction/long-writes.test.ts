import { expect, it } from 'vitest'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { withFaults } from '../../../test/engines/with-faults.ts'
import { LongWrite, oldestLongWrite } from './long-writes.ts'

it('the record of a write that has ended is removed later when its removal fails', async () => {
  let isFailing = false
  const engine = withFaults(openMemoryEngine(), operation =>
    isFailing && operation === 'commit' ? 'before' : undefined,
  )
  const random = seededRandom(1)
  const ended = await LongWrite.begin(engine, random)
  isFailing = true
  await expect(ended.remove()).rejects.toThrow('commit')
  await expect(oldestLongWrite(engine)).rejects.toThrow('commit')
  isFailing = false
  const running = await LongWrite.begin(engine, random)
  expect(await oldestLongWrite(engine)).toBe(1)
  const { key } = ended.expectation as { key: Uint8Array }
  const snapshot = engine.keyValue.snapshot()
  expect(await snapshot.get(key)).toBeUndefined()
  snapshot.close()
  await running.remove()
  expect(await oldestLongWrite(engine)).toBe(Number.POSITIVE_INFINITY)
})
