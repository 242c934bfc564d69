import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import type { Entity, Member } from '../data/contents.ts'
import { memberText, objectText } from './object-text.ts'

const INT16: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_I16BE' }
const DOUBLE: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }

function dataset(shape: readonly number[] | undefined): Entity {
  const known = { dataset: { id: 'd-1', type: DOUBLE, shape, stamp: 0 }, type: DOUBLE }
  return { kind: 'dataset', object: { class: 'dataset', id: 'd-1' }, ...known } as unknown as Entity
}
const datatype = { kind: 'datatype', object: { class: 'datatype' }, type: INT16 } as unknown as Entity
const group = { kind: 'group', object: { class: 'group', linkCount: 5000 } } as unknown as Entity

const hard = (kind: Member['kind']) => ({ link: 'hard', kind }) as Member

test.each<[string, Entity, Member, Partial<ReturnType<typeof memberText>>]>([
  ['2 × 3, float64', dataset([2, 3]), hard('dataset'), { kind: 'dataset', shape: '2 × 3', type: 'float64' }],
  ['scalar, float64', dataset([]), hard('dataset'), { shape: 'scalar' }],
  ['no elements, float64', dataset(undefined), hard('dataset'), { shape: 'no elements', type: 'float64' }],
  [
    'committed datatype, int16 (big-endian)',
    datatype,
    hard('datatype'),
    { kind: 'committed datatype', shape: undefined, type: 'int16 (big-endian)' },
  ],
  ['group of 5,000', group, hard('group'), { kind: 'group', link: undefined, shape: undefined }],
])('%s', (text, entity, member, cells) => {
  expect(objectText(entity)).toBe(text)
  expect(memberText(member, entity)).toMatchObject(cells)
})

test.each<[Partial<Member>, Partial<ReturnType<typeof memberText>>]>([
  [
    { link: 'hard', kind: 'dataset' },
    { kind: 'dataset', link: undefined },
  ],
  [
    { link: 'soft', target: '/nowhere' },
    { kind: '', link: 'soft link to /nowhere' },
  ],
  [{ link: 'external', target: '/b: /on' }, { link: 'external link to /b: /on' }],
  [{ link: 'other' }, { link: 'link' }],
])('of the member %j is said before its object has come', (member, cells) => {
  expect(memberText(member as Member, undefined)).toMatchObject({ ...cells, shape: undefined })
})
