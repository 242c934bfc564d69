import { describe, expect, it } from 'vitest'
import type { DatasetShape, Selection } from '../../../client/index.ts'
import { blockSizes, bytesOf, drawnDimensions, largePartOf } from './large-part.ts'

const F64 = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const
const COMPLEX = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'r', type: F64 },
    { name: 'i', type: F64 },
  ],
} as const
const STRING = { class: 'H5T_STRING', length: 8 } as const
const LIMITS = { isTable: false, loadsWhole: false, maxSide: 8192, maxPoints: 65_536 }

function partOf(
  shape: readonly number[] | undefined,
  select?: Selection,
  limits: Partial<typeof LIMITS> = {},
  type: DatasetShape['type'] = F64,
) {
  return largePartOf({ id: 'd-1', type, shape }, select, { ...LIMITS, ...limits })
}

describe('what h5web may draw', () => {
  it.each<[string, readonly number[] | undefined, Selection | undefined]>([
    ['a null dataspace', undefined, undefined],
    ['a scalar', [], undefined],
    ['a line', [65_536], undefined],
    ['one element of a long line', [10 ** 9], [5]],
    ['an image', [4096, 4096], undefined],
    ['a side at the limit', [8192, 3], undefined],
    ['a line through a large image', [20_000, 20_000], [3, undefined]],
    ['a slice of a large stack', [10 ** 6, 10, 10], [7, undefined, undefined]],
    ['no elements', [0, 10 ** 4], [undefined, 0]],
  ])('is %s', (_, shape, select) => {
    expect(partOf(shape, select)).toBeUndefined()
  })

  it('is a table of any extents below 128 MiB, also of compounds; strings have no other form', () => {
    for (const shape of [[3, 50_000], [10 ** 7]]) {
      expect(partOf(shape, undefined, { isTable: true })).toBeUndefined()
      expect(partOf(shape, undefined, { isTable: true }, COMPLEX)).toBeUndefined()
      expect(partOf(shape, undefined, {}, STRING)).toBeUndefined()
    }
  })

  it('is a line of any length, and a table of any size, if the user wants it', () => {
    expect(partOf([5 * 10 ** 7], undefined, { loadsWhole: true })).toBeUndefined()
    expect(partOf([20_000, 20_000], undefined, { loadsWhole: true, isTable: true })).toBeUndefined()
  })
})

describe('what the page draws', () => {
  it.each<
    [string, readonly number[], Selection | undefined, 'line' | 'image', readonly number[], readonly number[]]
  >([
    ['a long line', [50_000_000], undefined, 'line', [0], [25_000]],
    ['one of several', [3, 10 ** 6], [1, undefined], 'line', [1], [1, 500]],
    ['a side beyond the card', [3, 50_000], undefined, 'image', [0, 1], [1, 50]],
    ['a side of a slice', [50_000, 4, 9], [undefined, 2, undefined], 'image', [0, 2], [50, 1, 1]],
    ['more than 128 MiB', [6000, 6000], undefined, 'image', [0, 1], [6, 6]],
    ['an image in colours', [9000, 200, 3], undefined, 'image', [0, 1], [9, 1, 1]],
    ['a whole stack', [300, 400, 500], undefined, 'image', [1, 2], [1, 1, 1]],
  ])('is %s', (_, shape, select, form, drawn, blocks) => {
    const part = partOf(shape, select)
    expect(part?.shape).toBe(form)
    expect(part && [drawnDimensions(part), blockSizes(part)]).toEqual([drawn, blocks])
  })

  it('is an image beyond the card also if the user wants all elements', () => {
    expect(partOf([3, 50_000], undefined, { loadsWhole: true })?.shape).toBe('image')
  })

  it('is nothing where the service cannot bring it down', () => {
    for (const shape of [[3, 50_000], [10 ** 6]]) {
      const part = partOf(shape, undefined, {}, COMPLEX)
      expect(part).toMatchObject({ shape: undefined })
    }
  })

  it('has the bytes of what is drawn', () => {
    const part = partOf([2, 3, 50_000], [1, undefined, undefined])
    expect(part && bytesOf(part)).toBe(8 * 150_000)
  })
})
