import { expect, it } from 'vitest'
import { expectSound } from '../../../test/conformance/sound.ts'
import { seededRandom } from '../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../test/engines/memory.ts'
import { decodeMountSecret, makeMountSecret } from './mount-secret.ts'
import { encodeRecord } from './record.ts'

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

it('is made once, also by several processes at the same moment, and stays', async () => {
  const { keyValue, ...engine } = openMemoryEngine()
  const made = await Promise.all([1, 2, 3].map(seed => makeMountSecret(keyValue, seededRandom(seed))))
  expect(new Set(made.map(hex)).size).toBe(1)
  expect(made[0]).toHaveLength(32)
  expect(hex(await makeMountSecret(keyValue, seededRandom(4)))).toBe(hex(made[0]))
  await expectSound({ ...engine, keyValue })
})

it('is another one in another store', async () => {
  const [one, other] = await Promise.all(
    [1, 2].map(seed => makeMountSecret(openMemoryEngine().keyValue, seededRandom(seed))),
  )
  expect(hex(one)).not.toBe(hex(other))
})

it.each(['', 'abc', '0'.repeat(62), 'x'.repeat(64)])('the text "%s" is none', text => {
  expect(() => decodeMountSecret(encodeRecord({ secret: text }))).toThrow('64 hexadecimal digits')
})
