// Compounds of the model as they are in files.

import { type CompoundLayout, type CompoundType, type Datatype, elementSize } from '@hyperslab/model/datatype'
import { describe, expect, it } from 'vitest'
import { modelType } from '../reader/elements/types.ts'
import { elementFormOf, fileTypeOf } from './file-types.ts'

const BYTE: Datatype = { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' }
const DOUBLE: Datatype = { class: 'H5T_FLOAT', size: 8, order: 'LE' }
const TEXT: Datatype = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
}

function compound(types: readonly Datatype[], inFile?: CompoundLayout): CompoundType {
  const fields = types.map((type, index) => ({ name: `${index}`, type }))
  return { class: 'H5T_COMPOUND', fields, ...(inFile && { inFile }) }
}

const ALIGNED = compound([BYTE, DOUBLE], { size: 24, offsets: [0, 8] })

/** The size of an element in the file, and where its members begin. */
function layoutInFile(type: Datatype): CompoundLayout | undefined {
  const file = fileTypeOf(type)
  if (file.class !== 'H5T_COMPOUND') return undefined
  return { size: file.size, offsets: file.members.map(({ offset }) => offset) }
}

describe('a compound in a file', () => {
  it.each<[what: string, type: CompoundType, layout: CompoundLayout]>([
    ['one after another', compound([BYTE, DOUBLE]), { size: 9, offsets: [0, 1] }],
    ['with gaps', ALIGNED, { size: 24, offsets: [0, 8] }],
    [
      'in another order',
      compound([BYTE, DOUBLE], { size: 9, offsets: [8, 0] }),
      { size: 9, offsets: [8, 0] },
    ],
    ['with gaps inside', compound([BYTE, ALIGNED, BYTE]), { size: 26, offsets: [0, 1, 25] }],
    [
      'with room for longer members',
      compound([TEXT, BYTE], { size: 40, offsets: [8, 24] }),
      { size: 40, offsets: [8, 24] },
    ],
    [
      'one after another, where the first has no room',
      compound([TEXT, BYTE], { size: 40, offsets: [8, 23] }),
      { size: 17, offsets: [0, 16] },
    ],
    [
      'one after another, where the last has no room',
      compound([BYTE, TEXT], { size: 23, offsets: [0, 8] }),
      { size: 17, offsets: [0, 1] },
    ],
  ])('has its members %s', (_, type, layout) => {
    expect(layoutInFile(type)).toEqual(layout)
    expect(elementFormOf(type)).toMatchObject({ size: elementSize(type), fileSize: layout.size })
  })

  it.each<[what: string, type: Datatype, kind: string, hasAddresses: boolean]>([
    ['packed members', compound([BYTE, compound([DOUBLE])]), 'plain', false],
    ['gaps', ALIGNED, 'compound', false],
    ['another order', compound([BYTE, DOUBLE], { size: 9, offsets: [8, 0] }), 'compound', false],
    ['text', compound([BYTE, TEXT]), 'compound', true],
    ['text in what has gaps', compound([ALIGNED, TEXT]), 'compound', true],
  ])('with %s has elements of its own form', (_, type, kind, hasAddresses) => {
    expect(elementFormOf(type)).toMatchObject({ kind, hasAddresses })
    const array: Datatype = { class: 'H5T_ARRAY', base: type, dims: [3] }
    expect(elementFormOf(array)).toMatchObject({ kind: kind === 'plain' ? kind : 'array', hasAddresses })
  })

  it('is read again with its gaps, and without any where it has none', () => {
    for (const type of [ALIGNED, compound([BYTE, ALIGNED]), compound([BYTE, DOUBLE])]) {
      expect(modelType(fileTypeOf(type)).type).toEqual(type)
    }
  })
})
