import { dateText, wholeSeconds } from '@hyperslab/meaning/meaning'
import { describe, expect, it } from 'vitest'
import { datesOf } from './dates.ts'

const of = (dtype: string) => {
  const dates = datesOf({ class: 'H5T_OPAQUE', size: 8, tag: `NUMPY:${dtype}` })
  if (!dates) throw new Error(`${dtype} is not known`)
  return dates
}

describe('opaque bytes', () => {
  it('of h5py are dates and durations', () => {
    expect(of('>M8[25s]')).toEqual({
      kind: 'date',
      unit: 's',
      count: 25,
      isLittleEndian: false,
      dtype: '>M8[25s]',
    })
    expect(of('<m8[ns]')).toMatchObject({ kind: 'duration', unit: 'ns', count: 1, isLittleEndian: true })
  })

  it.each<[string | undefined, number]>([
    [undefined, 8],
    ['', 8],
    ['NUMPY:<M8', 8],
    ['NUMPY:<M8[B]', 8],
    ['NUMPY:<M8[0s]', 8],
    ['NUMPY:|V8', 8],
    ['numpy:<M8[s]', 8],
    ['NUMPY:<M8[s]', 4],
  ])('with the tag %s and %i bytes are none', (tag, size) => {
    expect(datesOf({ class: 'H5T_OPAQUE', size, ...(tag !== undefined && { tag }) })).toBeUndefined()
  })
})

// Dates are as NumPy prints them, with minutes after hours.
it.each<[string, bigint, string]>([
  ['<M8[Y]', 12_345n, '14315'],
  ['<M8[Y]', -1971n, '-0001'],
  ['<M8[M]', -1n, '1969-12'],
  ['<M8[W]', -1n, '1969-12-25'],
  ['<M8[3D]', 12_345n, '2071-05-26'],
  ['<M8[D]', 11_016n, '2000-02-29'],
  ['<M8[D]', -719_529n, '-0001-12-31'],
  ['<M8[h]', 12_345n, '1971-05-30T09:00'],
  ['<M8[25s]', -1n, '1969-12-31T23:59:35'],
  ['<M8[ms]', -1n, '1969-12-31T23:59:59.999'],
  ['<M8[ns]', 1_620_259_200_000_000_001n, '2021-05-06T00:00:00.000000001'],
  ['<M8[as]', 1n, '1970-01-01T00:00:00.000000000000000001'],
  ['<M8[ns]', -(2n ** 63n), 'NaT'],
  ['<m8[ns]', -(2n ** 63n), 'NaT'],
  ['<m8[D]', -3n, '-P3D'],
  ['<m8[h]', 3n, 'PT3H'],
  ['<m8[25s]', 3n, 'PT75S'],
  ['<m8[us]', -1_500_000n, '-PT1.5S'],
  ['<m8[ns]', 0n, 'PT0S'],
])('%s of %i is %s', (dtype, number, text) => {
  expect(dateText(of(dtype), number)).toBe(text)
})

it.each<[string, bigint, bigint | undefined]>([
  ['<M8[Y]', -1n, -31_536_000n],
  ['<M8[M]', 2n, 59n * 86_400n],
  ['<M8[2W]', 1n, 14n * 86_400n],
  ['<m8[m]', 2n, 120n],
  ['<m8[M]', 2n, undefined],
  ['<M8[ms]', 2n, undefined],
])('%s of %i are %s seconds', (dtype, number, seconds) => {
  expect(wholeSeconds(of(dtype), number)).toBe(seconds)
})
