import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { encodeVirtualMappings } from '../../../test/fixtures/library-structures.ts'
import { lookup3 } from './checksum.ts'
import { FieldWriter } from './field-writer.ts'
import { encodeSelection } from './selection.ts'
import { decodeVirtualMappings } from './virtual-layout.ts'

const WIDTHS = { offsets: 8, lengths: 8 }
const ALL = { selectType: 'H5S_SEL_ALL' } as const
const bytesOf = (text: string) => new TextEncoder().encode(text)

function decode(...given: Parameters<typeof decodeVirtualMappings>) {
  const steps = decodeVirtualMappings(...given)
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}

describe('the mappings of a virtual dataset', () => {
  it('are read as they were written', () => {
    const name = fc.array(fc.integer({ min: 1, max: 255 })).map(bytes => Uint8Array.from(bytes))
    const dimension = fc.record({
      start: fc.nat(99),
      stride: fc.integer({ min: 5, max: 9 }),
      count: fc.integer({ min: 2, max: 9 }),
      block: fc.integer({ min: 1, max: 4 }),
    })
    const regular = fc
      .array(dimension, { minLength: 1, maxLength: 3 })
      .map(dimensions => ({ selectType: 'H5S_SEL_HYPERSLABS' as const, regular: dimensions }))
    const selection = fc.oneof(fc.constant(ALL), regular)
    const mapping = fc.record({ file: name, dataset: name, source: selection, target: selection })
    fc.assert(
      fc.property(fc.array(mapping), mappings => {
        const bytes = encodeVirtualMappings(mappings, WIDTHS)
        expect(decode(bytes, WIDTHS, 0)).toEqual(mappings)
      }),
    )
  })

  /** Flags and, as they need, names or numbers of earlier mappings. */
  function version1(entries: readonly (readonly (number | string)[])[]): Uint8Array {
    const writer = new FieldWriter(WIDTHS)
    writer.u8(1)
    writer.length(entries.length)
    for (const [flags, ...names] of entries) {
      writer.u8(Number(flags))
      for (const name of names) {
        if (typeof name === 'number') writer.length(name)
        else writer.put(bytesOf(`${name}\0`))
      }
      encodeSelection(writer, ALL)
      encodeSelection(writer, ALL)
    }
    writer.u32(lookup3(writer.bytes))
    return writer.bytes
  }

  it('of version 1 name files and datasets of earlier ones by number', () => {
    const mappings = decode(
      version1([
        [0, 'a.h5', '/x'],
        [3, 0, 0],
        [4, '/y'],
        [1, 1, '/z'],
      ]),
      WIDTHS,
      0,
    )
    const names = mappings.map(({ file, dataset }) =>
      [file, dataset].map(name => new TextDecoder().decode(name)),
    )
    expect(names).toEqual([
      ['a.h5', '/x'],
      ['a.h5', '/x'],
      ['.', '/y'],
      ['a.h5', '/z'],
    ])
  })

  it('cannot name later ones, be more than there are bytes, or be changed', () => {
    expect(() => decode(version1([[1, 0, '/x']]), WIDTHS, 0)).toThrow('which is not an earlier one')
    const bytes = encodeVirtualMappings(
      [{ file: bytesOf('a'), dataset: bytesOf('b'), source: ALL, target: ALL }],
      WIDTHS,
    )
    const many = bytes.slice()
    many[3] = 9
    expect(() => decode(many, WIDTHS, 0)).toThrow('do not fit')
    const changed = bytes.slice()
    changed[9] = 99
    expect(() => decode(changed, WIDTHS, 0)).toThrow('its checksum does not fit')
  })
})
