// Files of NumPy as NumPy reads them.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Datatype } from '@hyperslab/model/datatype'
import { elementsFromJson, parseJson } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES, toNullPadded } from '@hyperslab/model/values'
import { encodeNpyHeader } from '@hyperslab/views/formats'
import { afterAll, describe, expect, it } from 'vitest'
import { isMissing, PYTHON, run } from './h5py.ts'

const I8: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const U16: Datatype = { class: 'H5T_INTEGER', size: 2, signed: false, order: 'BE' }
const U64: Datatype = { class: 'H5T_INTEGER', size: 8, signed: false, order: 'LE' }
const F16: Datatype = { class: 'H5T_FLOAT', size: 2, order: 'LE' }
const F32: Datatype = { class: 'H5T_FLOAT', size: 4, order: 'BE' }
const F64: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const FIXED: Datatype = {
  class: 'H5T_STRING',
  length: 4,
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_SPACEPAD',
}
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: I8,
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const ENUM: Datatype = { class: 'H5T_ENUM', base: U16, members: [{ name: 'RED', value: 500 }] }

function compound(members: Readonly<Record<string, Datatype>>): Datatype {
  return {
    class: 'H5T_COMPOUND',
    fields: Object.entries(members).map(([name, type]) => ({ name, type })),
  }
}

/** Type, shape, JSON; dtype, shape and elements of NumPy. */
const CASES: readonly [Datatype, readonly number[], string, string, readonly number[], string][] = [
  [I8, [], '-5', "'|i1'", [], '-5'],
  [U16, [2, 2], '[[1,2],[3,65535]]', "'>u2'", [2, 2], '[[1, 2], [3, 65535]]'],
  [U64, [1], '[18446744073709551615]', "'<u8'", [1], '[18446744073709551615]'],
  [F16, [2], '[0.5,NaN]', "'<f2'", [2], '[0.5, nan]'],
  [F32, [2], '[0.25,-Infinity]', "'>f4'", [2], '[0.25, -inf]'],
  [F64, [0, 3], '[]', "'<f8'", [0, 3], '[]'],
  [FIXED, [2], '["é","abcd"]', "'|S4'", [2], "[b'\\xc3\\xa9', b'abcd']"],
  [BOOLEAN, [2], '[true,false]', "'|b1'", [2], '[True, False]'],
  [ENUM, [1], '[500]', "'>u2'", [1], '[500]'],
  [{ class: 'H5T_BITFIELD', size: 1, order: 'LE' }, [1], '[255]', "'|u1'", [1], '[255]'],
  [{ class: 'H5T_OPAQUE', size: 3 }, [1], '["AQID"]', "'|V3'", [1], "[b'\\x01\\x02\\x03']"],
  [
    { class: 'H5T_ARRAY', base: I8, dims: [2, 1] },
    [2],
    '[[[1],[2]],[[3],[4]]]',
    "'|i1'",
    [2, 2, 1],
    '[[[1], [2]], [[3], [4]]]',
  ],
  [compound({ r: F64, i: F64 }), [1], '[[1,-2]]', "'<c16'", [1], '[(1-2j)]'],
  [compound({ r: F16, i: F16 }), [1], '[[1,-2]]', "[('r', '<f2'), ('i', '<f2')]", [1], '[(1.0, -2.0)]'],
  [
    compound({ a: I8, b: { class: 'H5T_ARRAY', base: F64, dims: [2] }, c: compound({ d: FIXED }) }),
    [2],
    '[[1,[2,3],["x"]],[4,[5,6],["y"]]]',
    "[('a', '|i1'), ('b', '<f8', (2,)), ('c', [('d', '|S4')])]",
    [2],
    "[(1, array([2., 3.]), (b'x',)), (4, array([5., 6.]), (b'y',))]",
  ],
  [
    compound({ "it's\\\n": I8, 'é😀': I8 }),
    [1],
    '[[1,2]]',
    "[(\"it's\\\\\\n\", '|i1'), ('é😀', '|i1')]",
    [1],
    '[(1, 2)]',
  ],
  [
    compound(Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`member ${i}`, I8]))),
    [0],
    '[]',
    `[${Array.from({ length: 5000 }, (_, i) => `('member ${i}', '|i1')`).join(', ')}]`,
    [0],
    '[]',
  ],
]

const folder = mkdtempSync(join(tmpdir(), 'hyperslab-npy-'))
afterAll(() => rmSync(folder, { recursive: true }))

describe.skipIf(isMissing('a Python with h5py', PYTHON !== undefined))('files of NumPy', () => {
  it('are read by NumPy as what was stored', () => {
    const names = CASES.map(([type, shape, json], i) => {
      const { data } = elementsFromJson(type, shape, parseJson(json), PREFIXED_REFERENCES)
      const name = join(folder, `${i}.npy`)
      writeFileSync(name, Buffer.concat([encodeNpyHeader(type, shape), toNullPadded(type, data)]))
      return name
    })
    const lines = run('read-npy.py', names).trimEnd().split('\n')
    expect(lines.map(line => JSON.parse(line))).toEqual(
      CASES.map(([, , , dtype, shape, elements]) => ({ dtype, shape, elements })),
    )
  })
})
