import { expect, it } from 'vitest'
import { decodedSizeFault } from './decoded-size.ts'

it.each([
  [1, 2 ** 26, undefined],
  [2 ** 18, 2 ** 26, undefined],
  [2 ** 18 + 1, 2 ** 26 + 256, undefined],
  [2 ** 18, 2 ** 26 + 256, 'its 262144 bytes become 67109120'],
  [2 ** 28, 2 ** 28, undefined],
  [2 ** 28, 2 ** 28 + 1, '268435456 are the most'],
])('a chunk of %i bytes that becomes %i may be decoded, or not with the reason', (encoded, length, why) => {
  const fault = decodedSizeFault(encoded, length)
  if (why === undefined) expect(fault).toBeUndefined()
  else expect(fault).toContain(why)
})
