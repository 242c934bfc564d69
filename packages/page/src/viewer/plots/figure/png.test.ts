import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { withResolution } from './png.ts'

test('a picture says its resolution after its header, and stays the same otherwise', () => {
  const png = Uint8Array.from({ length: 60 }, (_, i) => i)
  const changed = withResolution(png, 300)
  expect([...changed.subarray(0, 33), ...changed.subarray(54)]).toEqual([...png])
  const part = Buffer.from(changed.subarray(33, 54))
  expect(part.toString('latin1', 4, 8)).toBe('pHYs')
  // 300 dots in an inch are 11,811 in a metre.
  expect([part.readUInt32BE(0), part.readUInt32BE(8), part.readUInt32BE(12), part[16]]).toEqual([
    9, 11811, 11811, 1,
  ])
  expect(part.readUInt32BE(17)).toBe(crc32(part.subarray(4, 17)))
})
