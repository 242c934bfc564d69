// Dataspace messages: what was written is read; version 1; and what no dataspace can be.

import { type Dataspace, type MaximumExtent, UNLIMITED } from '@hyperslab/model/dataset'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldReader } from '../field-reader.ts'
import { FieldWriter } from '../field-writer.ts'
import { decodeDataspace, encodeDataspace } from './dataspace.ts'

const NARROW = { offsets: 4, lengths: 2 }

const decode = (bytes: readonly number[], widths = NARROW) =>
  decodeDataspace(new FieldReader(Uint8Array.from(bytes), widths, 'the dataspace', 9))

const spaces: fc.Arbitrary<Dataspace> = fc.oneof(
  fc.constant({ class: 'H5S_NULL' } as const),
  fc.constant({ class: 'H5S_SCALAR' } as const),
  fc
    .array(fc.record({ extent: fc.nat(300), more: fc.option(fc.nat(9), { nil: UNLIMITED }) }), {
      minLength: 1,
      maxLength: 6,
    })
    .map(all => {
      const dims = all.map(({ extent }) => extent)
      const maxdims = all.map(
        ({ extent, more }): MaximumExtent => (typeof more === 'number' ? extent + more : UNLIMITED),
      )
      const grows = maxdims.some((maximum, dimension) => maximum !== dims[dimension])
      return { class: 'H5S_SIMPLE', dims, ...(grows && { maxdims }) } as const
    }),
)

describe('a dataspace message', () => {
  it('is what was written', () => {
    fc.assert(
      fc.property(spaces, fc.constantFrom(2, 4, 8), (space, lengths) => {
        const writer = new FieldWriter({ offsets: 8, lengths })
        encodeDataspace(writer, space)
        expect(decodeDataspace(new FieldReader(writer.bytes, writer.widths, 'the dataspace'))).toEqual(space)
      }),
    )
  })

  it.each([
    ['scalar', [1, 0, 0, 0, 0, 0, 0, 0], { class: 'H5S_SCALAR' }],
    ['simple', [1, 1, 0, 0, 0, 0, 0, 0, 5, 0], { class: 'H5S_SIMPLE', dims: [5] }],
    [
      'unlimited',
      [1, 1, 1, 0, 0, 0, 0, 0, 5, 0, 255, 255],
      { class: 'H5S_SIMPLE', dims: [5], maxdims: [UNLIMITED] },
    ],
    ['permuted', [1, 1, 3, 0, 0, 0, 0, 0, 5, 0, 5, 0, 1, 0], { class: 'H5S_SIMPLE', dims: [5] }],
  ])('of version 1 is read: %s', (_what, bytes, space) => {
    expect(decode(bytes)).toEqual(space)
  })

  it.each([
    ['a version that is none', [3, 0, 0, 0], 'there is no version 3 of it'],
    ['too many dimensions', [2, 33, 0, 1], 'it has 33 dimensions, and 32 are allowed'],
    ['a type that is none', [2, 0, 0, 3], 'there is no dataspace of type 3'],
    ['dimensions of a scalar', [2, 1, 0, 0, 5, 0], 'a dataspace of type 0 cannot have 1 dimensions'],
    ['no dimensions', [2, 0, 0, 1], 'a dataspace of type 1 cannot have 0 dimensions'],
    ['an unlimited extent', [2, 1, 0, 1, 255, 255], 'an extent is unlimited'],
    ['an extent beyond its maximum', [2, 1, 1, 1, 5, 0, 4, 0], 'the extent 5 is beyond its maximum 4'],
    ['extents that are missing', [2, 2, 0, 1, 5, 0], '2 items of 2 bytes do not fit'],
  ])('with %s is rejected', (_what, bytes, rule) => {
    expect(() => decode(bytes)).toThrow(rule)
  })

  it('of more than 2^53 elements is not supported, unless one extent is 0', () => {
    const writer = new FieldWriter({ offsets: 8, lengths: 8 })
    encodeDataspace(writer, { class: 'H5S_SIMPLE', dims: [2 ** 30, 2 ** 30] })
    const bytes = writer.bytes.slice()
    const read = () => decode([...bytes], { offsets: 8, lengths: 8 })
    expect(read).toThrow(
      expect.objectContaining({
        code: 'type-unsupported',
        message: 'the shape [1073741824, 1073741824] has more than 2^53 elements',
      }),
    )
    bytes.fill(0, 4, 12)
    expect(read()).toEqual({ class: 'H5S_SIMPLE', dims: [0, 2 ** 30] })
  })
})
