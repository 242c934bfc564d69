// Elements as they are in a file, against the JSON of what becomes of them. The global heap is a table.

import { HyperslabError } from '@hyperslab/base/errors'
import { elementsToJson } from '@hyperslab/model/json'
import { idFromHex } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FieldWriter } from '../../format/field-writer.ts'
import type { FileInteger, FileType } from '../../format/file-type.ts'
import { encodeRegionObject } from '../../format/references.ts'
import { encodeSelection, type FileSelection } from '../../format/selection.ts'
import { decodeElements } from './elements.ts'
import { mapType } from './types.ts'
import { unwrittenElement } from './variable-elements.ts'

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

const I16: FileInteger = {
  class: 'H5T_INTEGER',
  size: 2,
  order: 'LE',
  signed: true,
  offset: 0,
  precision: 16,
}
const TEXT = { padding: 'H5T_STR_NULLTERM', charSet: 'H5T_CSET_UTF8' } as const

/** Objects of the heap, by index. */
type Heap = Record<number, Uint8Array>

interface Setting {
  readonly offsets?: 2 | 4 | 8
  readonly heap?: Heap
  readonly count?: number
  /** The length of the file. */
  readonly end?: number
}

function bytesOf(write: (writer: FieldWriter) => void, offsets: number): Uint8Array {
  const writer = new FieldWriter({ offsets, lengths: 8 })
  write(writer)
  return writer.bytes.slice()
}

function decode(type: FileType, file: Uint8Array, setting: Setting) {
  const { offsets = 8, heap = {}, count = 1, end = 4096 } = setting
  const warnings: string[] = []
  const reads: number[] = []
  const context = {
    heap: {
      objects: async (references: readonly { address: number; index: number }[]) => {
        reads.push(references.length)
        return references.map(({ address, index }) => {
          if (address !== HEAP || !heap[index])
            throw new HyperslabError('file-unreadable', `no object ${index}`)
          return heap[index]
        })
      },
    },
    resolve: (address: string) =>
      address === '666'
        ? undefined
        : ({ kind: 'dataset', id: idFromHex(address.padStart(32, '0')) } as const),
    warn: (message: string) => warnings.push(message),
  }
  const bytes = { widths: { offsets, lengths: 8 }, end }
  return { elements: decodeElements({ bytes }, type, file, count, context), warnings, reads }
}

async function toJson(type: FileType, write: (writer: FieldWriter) => void, setting: Setting = {}) {
  const { elements, warnings, reads } = decode(type, bytesOf(write, setting.offsets ?? 8), setting)
  return {
    json: elementsToJson(mapType(type).type, [setting.count ?? 1], await elements, STYLE),
    hasLostReferences: (await elements).hasLostReferences ?? false,
    warnings,
    reads,
  }
}

/** Where the heap is. */
const HEAP = 2000

function slot(writer: FieldWriter, count: number, index: number, address: number | 'none' = HEAP): void {
  writer.u32(count)
  writer.address(address === 'none' ? undefined : address)
  writer.u32(index)
}

function text(string: string): Uint8Array {
  return new TextEncoder().encode(string)
}

function vlen(base: FileType, offsets = 8): FileType {
  return { class: 'H5T_VLEN', size: offsets + 8, base }
}

function strings(offsets = 8): FileType {
  return { ...vlen({ ...I16, size: 1, precision: 8 }, offsets), text: TEXT } as FileType // a sequence with a string
}

function compound(size: number, ...members: [name: string, offset: number, type: FileType][]): FileType {
  return {
    class: 'H5T_COMPOUND',
    size,
    members: members.map(([name, offset, type]) => ({ name: text(name), offset, type })),
  }
}

it('hands on the bytes themselves when they are in storage form', async () => {
  const file = Uint8Array.of(1, 2, 3, 4, 5)
  const { data } = await decode(I16, file, { count: 2 }).elements
  expect(data.buffer).toBe(file.buffer)
  expect(data).toEqual(Uint8Array.of(1, 2, 3, 4))
})

it('strings of fixed length end at their first NUL, if the type says so', async () => {
  const file = text('abcda\0xdabc\0')
  const string = (padding: 'H5T_STR_NULLTERM' | 'H5T_STR_NULLPAD' | 'H5T_STR_SPACEPAD'): FileType => ({
    class: 'H5T_STRING',
    size: 4,
    padding,
    charSet: 'H5T_CSET_ASCII',
  })
  const terminated = await decode(string('H5T_STR_NULLTERM'), file, { count: 3 }).elements
  expect(terminated.data).toEqual(text('abcda\0\0\0abc\0'))
  for (const padding of ['H5T_STR_NULLPAD', 'H5T_STR_SPACEPAD'] as const) {
    expect((await decode(string(padding), file, { count: 3 }).elements).data).toEqual(file)
  }
})

it.each([I16, { ...I16, precision: 9 }])('rejects fewer bytes than the elements take', type => {
  expect(() => decode(type, new Uint8Array(5), { count: 3 })).toThrow('it has 5 bytes of 6')
})

it('gives elements or an error of the file for any bytes', async () => {
  const types: FileType[] = [
    strings(),
    vlen(strings()),
    { class: 'H5T_REFERENCE', size: 8, kind: 'object' },
    { class: 'H5T_REFERENCE', size: 12, kind: 'region' },
    { class: 'H5T_REFERENCE', size: 18, kind: 'object2' },
  ]
  const byte = fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.nat(3) },
    fc.nat(255),
  )
  const object = fc.array(byte, { maxLength: 64 }).map(bytes => Uint8Array.from(bytes))
  const address = bytesOf(writer => writer.address(HEAP), 8)
  // With the address of the heap where elements of variable size have it.
  const element = fc
    .array(byte, { minLength: 18, maxLength: 18 })
    .map(bytes => [...bytes.slice(0, 4), ...address, ...bytes.slice(12)])
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...types), element, object, object, async (type, bytes, one, two) => {
      const read = async () => decode(type, Uint8Array.from(bytes), { heap: { 1: one, 2: two } }).elements
      const outcome = await read().catch(error => error)
      if (outcome instanceof Error) expect(outcome).toMatchObject({ code: 'file-unreadable' })
      else elementsToJson(mapType(type).type, [1], outcome, STYLE)
    }),
  )
})

describe('numbers', () => {
  it.each<[what: string, type: FileType, bytes: number[], json: unknown[]]>([
    ['3 bytes', { ...I16, size: 3, precision: 24 }, [0, 0, 0x80, 1, 2, 3], [-0x800000, 0x30201]],
    [
      '3 bytes, big-endian, unsigned',
      { ...I16, size: 3, precision: 24, order: 'BE', signed: false },
      [0x80, 0, 1],
      [0x800001],
    ],
    [
      'the 5 bits from bit 3 on',
      { ...I16, precision: 5, offset: 3 },
      [0b1000_0111, 0xff, 0b0111_1000, 0],
      [-16, 15],
    ],
    [
      'all but one of 64 bits',
      { ...I16, size: 8, precision: 63, order: 'BE' },
      [0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xfe, 0x40, 0, 0, 0, 0, 0, 0, 0],
      [-2, -(2n ** 62n)],
    ],
    [
      '40 bits',
      { ...I16, size: 5, precision: 40, signed: false },
      [0xff, 0xff, 0xff, 0xff, 0xff],
      [2 ** 40 - 1],
    ],
    [
      'bitfields of 3 bytes',
      { ...I16, class: 'H5T_BITFIELD', size: 3, precision: 3, offset: 1 },
      [1, 2, 3],
      [0x30201],
    ],
    [
      'compounds with gaps, members in any order',
      compound(
        7,
        ['a', 4, { ...I16, order: 'BE' }],
        ['b', 0, I16],
        ['c', 2, { ...I16, size: 1, precision: 8 }],
      ),
      [2, 0, 5, 99, 0, 1, 99, 3, 0, 6, 99, 0, 4, 99],
      [
        [1, 2, 5],
        [4, 3, 6],
      ],
    ],
    [
      'arrays in compounds',
      compound(
        10,
        ['a', 0, { class: 'H5T_ARRAY', size: 6, dims: [2], base: { ...I16, size: 3, precision: 24 } }],
        ['b', 8, I16],
      ),
      [1, 0, 0, 2, 0, 0, 99, 99, 3, 0],
      [[[1, 2], 3]],
    ],
  ])('%s', async (_, type, bytes, json) => {
    const count = bytes.length / type.size
    expect((await toJson(type, writer => writer.put(Uint8Array.from(bytes)), { count })).json).toEqual(json)
  })

  it('of an array that is longer than there are elements', async () => {
    const base = { ...I16, precision: 15 }
    const type = compound(10, ['a', 0, { class: 'H5T_ARRAY', size: 8, dims: [4], base }], ['b', 8, base])
    const write = (writer: FieldWriter) =>
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].forEach(value => void writer.u16(value))
    expect((await toJson(type, write, { count: 2 })).json).toEqual([
      [[1, 2, 3, 4], 5],
      [[6, 7, 8, 9], 10],
    ])
  })
})

describe.each([2, 4, 8] as const)('parts of variable size in a file with addresses of %d bytes', offsets => {
  it('strings end at their length or at the first NUL; no address and no length are the empty string', async () => {
    const write = (writer: FieldWriter) => {
      slot(writer, 5, 1)
      slot(writer, 6, 2)
      slot(writer, 0, 1)
      slot(writer, 3, 1, 0)
      slot(writer, 3, 1, 'none')
      slot(writer, 2, 1)
      slot(writer, 100, 3)
    }
    const heap = { 1: text('h\xe9llo'), 2: text('one\0two'), 3: text(`${'x'.repeat(80)}\0${'y'.repeat(30)}`) }
    const { json } = await toJson(strings(offsets), write, { offsets, heap, count: 7 })
    expect(json).toEqual(['h\xe9ll', 'one', '', '', '', 'h\udcc3', 'x'.repeat(80)])
  })

  it('sequences that were never written, and those that are stored empty', async () => {
    const member = vlen(I16, offsets)
    const inner = compound(member.size + 2, ['n', 0, I16], ['s', 2, member])
    const type: FileType = { class: 'H5T_ARRAY', size: 2 * inner.size, dims: [2], base: inner }
    const unwritten = unwrittenElement(type, offsets)
    if (!unwritten) throw new Error('the type has sequences')
    const both = Buffer.concat([unwritten, new Uint8Array(type.size)])
    const elements = await decode(type, both, { offsets, count: 2 }).elements
    const style = { ...STYLE, unwrittenSequence: 'zero' } as const
    expect(elementsToJson(mapType(type).type, [2], elements, style)).toEqual([
      [
        [0, 0],
        [0, 0],
      ],
      [
        [0, []],
        [0, []],
      ],
    ])
    expect(unwrittenElement(strings(offsets), offsets)).toBeUndefined()
    expect(unwrittenElement(compound(4, ['a', 0, I16], ['b', 2, I16]), offsets)).toBeUndefined()
  })

  it('sequences of sequences of compounds', async () => {
    const inner = vlen(compound(4, ['a', 0, { ...I16, precision: 9 }], ['b', 2, I16]), offsets)
    const heap = {
      1: bytesOf(writer => {
        slot(writer, 2, 2)
        slot(writer, 0, 0)
      }, offsets),
      2: Uint8Array.of(1, 0, 2, 0, 3, 0, 4, 0),
      3: bytesOf(writer => slot(writer, 1, 2), offsets),
    }
    const write = (writer: FieldWriter) => {
      slot(writer, 2, 1)
      slot(writer, 0, 0)
      slot(writer, 1, 3)
    }
    const { json } = await toJson(vlen(inner, offsets), write, { offsets, heap, count: 3 })
    expect(json).toEqual([
      [
        [
          [1, 2],
          [3, 4],
        ],
        [],
      ],
      [],
      [[[1, 2]]],
    ])
  })
})

describe('objects of the heap', () => {
  it('are read many at a time', async () => {
    const write = (writer: FieldWriter) => {
      for (let index = 0; index < 20_000; index++) slot(writer, 4, (index % 3) + 1)
    }
    const heap = { 1: text('aaaa'), 2: text('bbbb'), 3: text('cccc') }
    const { json, reads } = await toJson(strings(), write, { heap, count: 20_000 })
    expect(json).toEqual(Array.from({ length: 20_000 }, (_, index) => 'abc'[index % 3].repeat(4)))
    expect(reads).toEqual([8192, 8192, 20_000 - 2 * 8192])
  })

  it('that are shorter than an element says are damage', async () => {
    const file = bytesOf(writer => slot(writer, 9, 1), 8)
    await expect(decode(strings(), file, { heap: { 1: text('short') } }).elements).rejects.toThrow(
      'object 1 has 5 bytes, an element needs 9',
    )
  })

  it('that name themselves end at the length of the file, not after as many items as their nesting claims', async () => {
    let type: FileType = I16
    for (let depth = 0; depth < 20; depth++) type = vlen(type)
    const heap = {
      1: bytesOf(writer => {
        for (let index = 0; index < 100; index++) slot(writer, 100, 1 + (index % 2))
      }, 8),
    }
    const itself = { ...heap, 2: heap[1] }
    const file = bytesOf(writer => slot(writer, 100, 1), 8)
    await expect(decode(type, file, { heap: itself }).elements).rejects.toThrow(
      'need more bytes than the file has',
    )
  })
})

describe('references', () => {
  const objects: FileType = { class: 'H5T_REFERENCE', size: 8, kind: 'object' }
  const regions: FileType = { class: 'H5T_REFERENCE', size: 12, kind: 'region' }
  const target = 'datasets/d-00000000-00000000-0000-000000-000123'
  const id = '00000000-00000000-0000-000000-000123'

  it('to objects: nothing, all ones and an unknown address are null', async () => {
    const write = (writer: FieldWriter) => {
      for (const address of [123, 0, undefined, 666, 123]) writer.address(address)
    }
    const { json, warnings, hasLostReferences } = await toJson(objects, write, { count: 5 })
    expect(hasLostReferences).toBe(true)
    expect((await toJson(objects, write, { count: 3 })).hasLostReferences).toBe(false)
    const list = { heap: { 1: bytesOf(writer => writer.address(666), 8) } }
    expect((await toJson(vlen(objects), writer => slot(writer, 1, 1), list)).hasLostReferences).toBe(true)
    expect(json).toEqual([target, '', '', '', target])
    expect(warnings).toEqual(['a reference becomes null: no link leads to its object at 666'])
  })

  it('to objects in 8 bytes, of which addresses take 4', async () => {
    const write = (writer: FieldWriter) => {
      writer.address(123)
      writer.u32(0xffff_ffff)
    }
    expect((await toJson(objects, write, { offsets: 4 })).json).toEqual([target])
  })

  it.each<[what: string, selection: FileSelection, json: object]>([
    ['all', { selectType: 'H5S_SEL_ALL' }, { select_type: 'H5S_SEL_ALL', selection: null }],
    ['nothing', { selectType: 'H5S_SEL_NONE' }, { select_type: 'H5S_SEL_NONE', selection: null }],
    [
      'points',
      {
        selectType: 'H5S_SEL_POINTS',
        points: [
          [1, 2],
          [3, 4],
        ],
      },
      {
        select_type: 'H5S_SEL_POINTS',
        selection: [
          [1, 2],
          [3, 4],
        ],
      },
    ],
    [
      'blocks',
      { selectType: 'H5S_SEL_HYPERSLABS', blocks: [{ first: [1, 2], last: [3, 4] }] },
      {
        select_type: 'H5S_SEL_HYPERSLABS',
        selection: [
          [
            [1, 2],
            [3, 4],
          ],
        ],
      },
    ],
    [
      'a regular hyperslab, block by block',
      {
        selectType: 'H5S_SEL_HYPERSLABS',
        regular: [
          { start: 1, stride: 10, count: 1, block: 2 },
          { start: 0, stride: 5, count: 2, block: 3 },
        ],
      },
      {
        select_type: 'H5S_SEL_HYPERSLABS',
        selection: [
          [
            [1, 0],
            [2, 2],
          ],
          [
            [1, 5],
            [2, 7],
          ],
        ],
      },
    ],
  ])('to regions: %s', async (_, selection, json) => {
    const heap = { 1: bytesOf(writer => encodeRegionObject(writer, { address: 123, selection }), 8) }
    const write = (writer: FieldWriter) => {
      writer.address(HEAP)
      writer.u32(1)
    }
    expect((await toJson(regions, write, { heap })).json).toEqual([{ id, ...json }])
  })

  it('to regions that cannot be read are errors, like strings that cannot be read', async () => {
    const all: FileSelection = { selectType: 'H5S_SEL_ALL' }
    const endless = [{ start: 0, stride: 1, count: undefined, block: 1 }]
    const many = [400, 400].map(count => ({ start: 0, stride: 2, count, block: 1 }))
    const points = Array.from({ length: 140_000 }, (_, index) => [index])
    const regionOf = (selection: FileSelection, address = 123) =>
      bytesOf(writer => encodeRegionObject(writer, { address, selection }), 8)
    const heap = {
      1: regionOf(all),
      2: regionOf(all).subarray(0, 12),
      3: regionOf({ selectType: 'H5S_SEL_HYPERSLABS', regular: endless }),
      4: regionOf({ selectType: 'H5S_SEL_HYPERSLABS', regular: many }),
      6: regionOf(all, 666),
      8: regionOf({ selectType: 'H5S_SEL_POINTS', points }),
      9: regionOf(all),
    }
    const read = (...indexes: readonly number[]) =>
      toJson(
        regions,
        writer => {
          for (const index of indexes) {
            writer.address(index === 7 ? 0 : HEAP)
            writer.u32(index)
          }
        },
        { heap, count: indexes.length },
      )
    const damages: readonly (readonly [index: number, rule: string])[] = [
      [5, 'no object 5'],
      [2, 'are left'],
      [3, 'its region is unlimited'],
      [4, 'too large to be listed'],
      [8, 'lists 140000 points or blocks, more than 131072'],
    ]
    for (const [index, rule] of damages) {
      await expect(read(1, index, 9)).rejects.toMatchObject({
        code: 'file-unreadable',
        message: expect.stringContaining(rule),
      })
    }
    const region = { id, select_type: 'H5S_SEL_ALL', selection: null }
    const { json, warnings } = await read(1, 6, 7, 9)
    expect(json).toEqual([region, null, null, region])
    expect(warnings).toEqual(['a reference becomes null: no link leads to its object at 666'])
  })

  const OBJECT = 2
  const REGION = 3
  const ATTRIBUTE = 4
  const EXTERNAL = 1

  function token(writer: FieldWriter): void {
    writer.u8(8)
    writer.address(123)
  }

  /** An element of HDF5 1.12 whose reference is in the heap. */
  function inHeap(writer: FieldWriter, kind: number, flags: number, index: number): void {
    writer.u8(kind)
    writer.u8(flags)
    writer.u32(4711)
    writer.address(HEAP)
    writer.u32(index)
  }

  function region(writer: FieldWriter): void {
    token(writer)
    writer.u32(16)
    writer.u32(1)
    encodeSelection(writer, { selectType: 'H5S_SEL_ALL' })
  }

  const heap = {
    1: bytesOf(region, 8),
    2: bytesOf(writer => {
      token(writer)
      writer.u16(4)
      writer.put(text('name'))
    }, 8),
    3: bytesOf(writer => {
      token(writer)
      writer.u16(5)
      writer.put(text('other'))
    }, 8),
  }

  function writeNew(writer: FieldWriter): void {
    writer.u8(OBJECT)
    writer.u8(0)
    token(writer)
    writer.zeros(7)
    inHeap(writer, REGION, 0, 1)
    inHeap(writer, ATTRIBUTE, 0, 2)
    inHeap(writer, OBJECT, EXTERNAL, 3)
    writer.zeros(18)
  }

  it('of HDF5 1.12 to objects, whatever kind each element names', async () => {
    const type: FileType = { class: 'H5T_REFERENCE', size: 18, kind: 'object2' }
    const { json, warnings } = await toJson(type, writeNew, { heap, count: 5 })
    expect(json).toEqual([target, target, target, '', ''])
    expect(warnings).toEqual([
      'a reference to the region of an object becomes one to the object',
      'a reference to the attribute of an object becomes one to the object',
      'a reference becomes null: its object is in another file',
    ])
  })

  it('of HDF5 1.12 to regions', async () => {
    const type: FileType = { class: 'H5T_REFERENCE', size: 18, kind: 'region2' }
    const { json } = await toJson(type, writeNew, { heap, count: 5 })
    expect(json).toEqual([null, { id, select_type: 'H5S_SEL_ALL', selection: null }, null, null, null])
  })

  it('of HDF5 1.12 of a kind that is not known, or whose object is missing, are errors', async () => {
    const type: FileType = { class: 'H5T_REFERENCE', size: 18, kind: 'object2' }
    const unknown = (writer: FieldWriter) => {
      writer.u8(9)
      writer.zeros(17)
    }
    await expect(toJson(type, unknown, { heap })).rejects.toThrow('there is no kind 9')
    await expect(toJson(type, writer => inHeap(writer, REGION, 0, 7), { heap })).rejects.toThrow(
      'no object 7',
    )
  })
})
