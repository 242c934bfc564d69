import type { Datatype } from '@hyperslab/model/datatype'
import type { Elements } from '@hyperslab/model/values'
import { describe, expect, test } from 'vitest'
import type { FormatInput } from './format.ts'
import { encodeNpyHeader, npy } from './npy.ts'

// NumPy itself reads such files in test/h5py/npy.test.ts.

const I32: Datatype = { class: 'H5T_INTEGER', size: 4, signed: true, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function compound(members: Readonly<Record<string, Datatype>>): Datatype {
  return {
    class: 'H5T_COMPOUND',
    fields: Object.entries(members).map(([name, type]) => ({ name, type })),
  }
}

describe('the header', () => {
  test('is padded so that the elements are aligned', () => {
    const header = encodeNpyHeader(I32, [3, 4])
    expect(header.length).toBe(128)
    expect([...header.subarray(0, 10)]).toEqual([0x93, 0x4e, 0x55, 0x4d, 0x50, 0x59, 1, 0, 118, 0])
    const text = Buffer.from(header.subarray(10)).toString('latin1')
    expect(text).toMatch(/^{'descr': '<i4', 'fortran_order': False, 'shape': \(3, 4\), } *\n$/)
  })

  test('is of version 2.0 where it is long', () => {
    const members = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member ${i}`, I32]))
    const header = encodeNpyHeader(compound(members), [1])
    expect([...header.subarray(6, 8)]).toEqual([2, 0])
    const length = new DataView(header.buffer).getUint32(8, true)
    expect([12 + length, header.length % 64, header.at(-1)]).toEqual([header.length, 0, 0x0a])
  })

  test.each<[string, Datatype, string]>([
    ['strings of variable length', TEXT, 'the values are strings of variable length'],
    ['sequences', { class: 'H5T_VLEN', base: I32 }, 'the values are sequences of variable length'],
    ['references', { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_OBJ' }, 'the values are references'],
    [
      'a member of such a type',
      compound({ a: I32, 'b"': TEXT }),
      'the values of the member "b\\"" are strings',
    ],
    ['a member without a name', compound({ '': I32 }), 'a member has no name'],
  ])('is refused for %s', (_, type, message) => {
    expect(() => encodeNpyHeader(type, [1])).toThrow(message)
  })
})

async function joined(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = []
  for await (const piece of pieces) all.push(piece.slice())
  return Buffer.concat(all)
}

test('dates and durations of h5py are those of NumPy, also in compounds', () => {
  const of = (tag: string): Datatype => ({ class: 'H5T_OPAQUE', size: 8, tag })
  const text = (type: Datatype) => Buffer.from(encodeNpyHeader(type, [1])).toString('latin1')
  expect(text(of('NUMPY:>M8[25s]'))).toContain(`'descr': '>M8[25s]'`)
  expect(text(compound({ t: of('NUMPY:<m8[ns]') }))).toContain(`('t', '<m8[ns]')`)
  expect(text(of('other'))).toContain(`'descr': '|V8'`)
})

describe('complex numbers', () => {
  const complex = (real: string, imaginary: string, size: 2 | 4 | 8): Datatype => {
    const part: Datatype = { class: 'H5T_FLOAT', size, order: 'LE' }
    return compound({ [real]: part, [imaginary]: part })
  }
  const headerOf = (type: Datatype) => Buffer.from(encodeNpyHeader(type, [1])).toString('latin1')

  test.each(['r i', 'real imag', 'Re Im'])('have the names %s', names => {
    const [real, imaginary] = names.split(' ')
    expect(headerOf(complex(real, imaginary, 8))).toContain(`'descr': '<c16'`)
    expect(headerOf(compound({ z: complex(real, imaginary, 4) }))).toContain(`[('z', '<c8')]`)
  })

  test('are no others', () => {
    expect(headerOf(complex('x', 'y', 4))).toContain(`[('x', '<f4'), ('y', '<f4')]`)
  })

  test('of halves are sent with wider parts, which NumPy has', async () => {
    const type = complex('r', 'i', 2)
    async function* elements(): AsyncGenerator<Elements> {
      yield { count: 1, data: Uint8Array.of(0, 0x3c, 0, 0xc0), heap: new Uint8Array(0) }
    }
    const input = { type, shape: [1], elements: elements(), partOf: elements } as unknown as FormatInput
    const { length, bytes, bytesOf } = npy.encode(input)
    const file = await joined(bytes)
    expect(file.length).toBe(length)
    expect(file.toString('latin1')).toContain(`'descr': '<c8'`)
    expect([file.readFloatLE(file.length - 8), file.readFloatLE(file.length - 4)]).toEqual([1, -2])
    const part = bytesOf?.(file.length - 4, 4)
    if (!part) throw new Error('the file has no parts')
    expect((await joined(part)).readFloatLE()).toBe(-2)
  })
})
