import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS, WIDE } from '../../../test/fixtures/file-of-structures.ts'
import { encodeCacheImageEntries } from '../../../test/fixtures/library-structures.ts'
import { decodeCacheImageEntries } from './cache-image.ts'
import { withChecksum } from './checksum.ts'
import { FieldWriter } from './field-writer.ts'

describe('a metadata cache image', () => {
  it('is read as it was written', () => {
    const entry = fc.record({ address: fc.nat(60_000), bytes: fc.uint8Array({ maxLength: 60 }) })
    fc.assert(
      fc.property(fc.constantFrom(...ALL_WIDTHS), fc.array(entry, { maxLength: 9 }), (widths, entries) => {
        const image = encodeCacheImageEntries(entries, widths)
        expect(decodeCacheImageEntries(image, widths, 0)).toEqual(entries)
      }),
    )
  })

  it('has entries that are flushed before others', () => {
    const writer = new FieldWriter(WIDE)
    const header = '4d444349 00 00 3e00000000000000 01000000'
    const entry =
      '16 01 01 00 0000 0000 0100 ffffffff df01000000000000 0200000000000000 2000000000000000 abcd'
    writer.put(Buffer.from(`${header}${entry}`.replaceAll(' ', ''), 'hex'))
    const [found] = decodeCacheImageEntries(withChecksum(writer), WIDE, 0)
    expect(found).toEqual({ address: 0x1df, bytes: Uint8Array.of(0xab, 0xcd) })
  })

  it.each([
    ['another length', (image: Uint8Array) => image.slice(0, -1), 'it says that it has'],
    ['a wrong checksum', (image: Uint8Array) => image.with(30, 1), 'its checksum does not fit'],
    ['more entries than bytes', (image: Uint8Array) => image.with(17, 1), 'do not fit'],
  ])('with %s is damaged', (_what, damage, rule) => {
    const image = encodeCacheImageEntries([{ address: 5, bytes: new Uint8Array(20) }], WIDE)
    expect(() => decodeCacheImageEntries(damage(image), WIDE, 0)).toThrow(rule)
  })
})
