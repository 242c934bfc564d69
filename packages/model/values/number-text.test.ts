import fc from 'fast-check'
import { expect, test } from 'vitest'
import { writeDouble, writeShortest, writeWhole, writeWhole64 } from './number-text.ts'
import { floatOfHalf, halfOfFloat } from './numbers.ts'

function text(write: (view: DataView, at: number) => number): string {
  const bytes = new Uint8Array(40)
  const end = write(new DataView(bytes.buffer), 3)
  return Buffer.from(bytes.subarray(3, end)).toString()
}

test('whole numbers of every length', () => {
  for (let digits = 1; digits <= 16; digits++) {
    for (const value of [10 ** (digits - 1), 10 ** digits - 1, 10 ** digits / 2 + 7]) {
      if (!Number.isSafeInteger(value)) continue
      expect(text((view, at) => writeWhole(view, at, value))).toBe(`${value}`)
      expect(text((view, at) => writeWhole(view, at, -value))).toBe(`${-value}`)
    }
  }
})

test('64-bit integers from their halves', () => {
  const high = (value: bigint) => Number(value >> 32n)
  const low = (value: bigint) => Number(BigInt.asUintN(32, value))
  const value = fc.oneof(
    fc.bigInt({ min: -(2n ** 63n), max: 2n ** 64n - 1n }),
    fc.constantFrom(-(2n ** 63n), 2n ** 64n - 1n, -(2n ** 32n), 2n ** 53n, -(2n ** 53n) - 1n, 0n, -1n),
  )
  fc.assert(
    fc.property(value, value => {
      expect(text((view, at) => writeWhole64(view, at, high(value), low(value)))).toBe(`${value}`)
    }),
    { numRuns: 1000 },
  )
})

test('doubles have the text of JSON.stringify, and -0 keeps its sign', () => {
  const short = fc
    .tuple(fc.integer({ min: -1e9, max: 1e9 }), fc.nat(12))
    .map(([digits, decimals]) => digits / 10 ** decimals)
  fc.assert(
    fc.property(fc.oneof(short, fc.double({ noNaN: true, noDefaultInfinity: true })), value => {
      const expected = Object.is(value, -0) ? '-0.0' : JSON.stringify(value)
      expect(text((view, at) => writeDouble(view, at, value))).toBe(expected)
    }),
    { numRuns: 2000 },
  )
})

test('the shortest text of a float32 gives it back, and no shorter one does, unless it is whole', () => {
  const short = fc
    .tuple(fc.integer({ min: -1e6, max: 1e6 }), fc.nat(8))
    .map(([n, k]) => Math.fround(n / 10 ** k))
  const whole = fc.maxSafeInteger().map(Math.fround)
  const usual = fc.float({ min: Math.fround(1e-7), max: Math.fround(1e7), noNaN: true })
  const any = fc.float({ noNaN: true, noDefaultInfinity: true })
  fc.assert(
    fc.property(fc.oneof(short, whole, usual, any), value => {
      const found = text((view, at) => writeShortest(view, at, value, 4))
      const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9].find(
        digits => Math.fround(Number(value.toPrecision(digits))) === value,
      )
      // -0.0 has its own text.
      if (Object.is(value, -0)) expect(found).toBe('-0.0')
      else if (Number.isSafeInteger(value)) expect(found).toBe(`${value}`)
      else expect(found).toBe(`${Number(value.toPrecision(digits))}`)
    }),
    { numRuns: 5000 },
  )
})

test('every float16 comes back from its value, and from its shortest text', () => {
  const wrong: number[] = []
  for (let bits = 0; bits < 0x10000; bits++) {
    const value = floatOfHalf(bits)
    if (Number.isNaN(value)) continue
    const shortest = Number.isFinite(value)
      ? Number(text((view, at) => writeShortest(view, at, value, 2)))
      : value
    const isKept = Number.isInteger(value) ? shortest === value : halfOfFloat(shortest) === bits
    if (halfOfFloat(value) !== bits || !isKept) wrong.push(bits)
  }
  expect(wrong).toEqual([])
})

test('float16 is the nearest, ties to even', () => {
  const wrong: number[] = []
  for (let bits = 0; bits < 0x7bff; bits++) {
    const middle = (floatOfHalf(bits) + floatOfHalf(bits + 1)) / 2
    const rounded = [
      halfOfFloat(middle - middle * 2 ** -40),
      halfOfFloat(middle),
      halfOfFloat(middle + middle * 2 ** -40),
    ]
    if (rounded.join() !== [bits, bits + (bits % 2), bits + 1].join()) wrong.push(bits)
  }
  expect(wrong).toEqual([])
})
