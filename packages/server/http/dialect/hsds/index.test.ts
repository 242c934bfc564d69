import { type ErrorCode, HyperslabError } from '@hyperslab/base/errors'
import type { ObjectKind } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import { hsdsAt } from './index.ts'

const hsds = hsdsAt('1.0')

const DIGITS = 'acdb532f995a62842453dba711d2ea0c'
const GROUP = 'g-acdb532f-995a6284-2453-dba711-d2ea0c'
const DATASET = 'd-acdb532f-995a6284-2453-dba711-d2ea0c'
const DATATYPE = 't-acdb532f-995a6284-2453-dba711-d2ea0c'

function codeOf(work: () => unknown): string {
  try {
    return String(work())
  } catch (error) {
    if (error instanceof HyperslabError) return error.code
    throw error
  }
}

describe('an id in a path or body (hsds-objects 5.3)', () => {
  it.each<[string, string, ObjectKind, string]>([
    ['of a group', GROUP, 'group', DIGITS],
    ['of a dataset', DATASET, 'dataset', DIGITS],
    ['of a committed datatype', DATATYPE, 'datatype', DIGITS],
    ['in the layout of a UUID', 'g-acdb532f-995a-6284-2453-dba711d2ea0c', 'group', DIGITS],
    ['with the prefix of another kind', DATASET, 'group', 'malformed-id'],
    ['without a prefix', DIGITS, 'group', 'malformed-id'],
    ['spelled as in the classic dialect', 'acdb532f-995a-6284-2453-dba711d2ea0c', 'group', 'malformed-id'],
    ['with an upper-case prefix', GROUP.replace('g', 'G'), 'group', 'malformed-id'],
    ['with upper-case digits', GROUP.replace('acdb', 'ACDB'), 'group', 'malformed-id'],
    ['with a digit too few', GROUP.slice(0, -1), 'group', 'malformed-id'],
    ['with a digit too many', `${GROUP}0`, 'group', 'malformed-id'],
    ['with hyphens at other places', 'g-acdb532f995a6284-2453-dba711-d2ea0c', 'group', 'malformed-id'],
    ['with a letter that is no digit', GROUP.replace('a', 'x'), 'group', 'malformed-id'],
    ['with its collection before it', `groups/${GROUP}`, 'group', 'malformed-id'],
    ['that is no id', 'foobar', 'group', 'malformed-id'],
    ['that is empty', '', 'group', 'malformed-id'],
  ])('%s: %s', (_, text, kind, outcome) => {
    expect(codeOf(() => hsds.parseId(text, kind))).toBe(outcome)
  })

  it('is written with its kind, in 38 characters', () => {
    expect(hsds.formatId({ kind: 'dataset', id: hsds.parseId(DATASET, 'dataset') })).toBe(DATASET)
    expect(DATASET).toHaveLength(38)
  })

  it('tells the kind of a link target', () => {
    expect(hsds.parseTarget(DATATYPE)).toEqual({ kind: 'datatype', id: DIGITS })
    expect(codeOf(() => hsds.parseTarget('x'))).toBe('malformed-id')
  })

  it('is a type only if it is that of a committed datatype', () => {
    expect(hsds.parseTypeId(DATATYPE)).toBe(DIGITS)
    expect(hsds.parseTypeId(GROUP)).toBeUndefined()
    expect(hsds.parseTypeId('H5T_STD_I32LE')).toBeUndefined()
  })
})

it.each<[number, ErrorCode]>([
  [400, 'malformed-id'],
  [400, 'malformed-domain'],
  [400, 'domain-not-named'],
  [400, 'domain-is-folder'],
  [400, 'object-not-in-domain'],
  [400, 'selection-out-of-bounds'],
  [400, 'null-dataspace'],
  [401, 'wrong-credentials'],
  [401, 'credentials-required'],
  [403, 'not-authenticated'],
  [403, 'permission-denied'],
  [403, 'root-group-protected'],
  [404, 'route-not-found'],
  [404, 'domain-not-found'],
  [404, 'folder-not-found'],
  [404, 'object-not-found'],
  [404, 'acl-not-found'],
  [405, 'method-not-allowed'],
  [409, 'domain-exists'],
  [409, 'folder-not-empty'],
  [409, 'link-exists'],
  [409, 'attribute-exists'],
  [409, 'extent-out-of-bounds'],
  [410, 'domain-deleted'],
  [410, 'object-deleted'],
  [410, 'link-deleted'],
  [413, 'body-too-large'],
  [503, 'too-busy'],
])('the status %i of %s (hsds-objects 1.6)', (status, code) => {
  expect(hsds.statusOf(new HyperslabError(code, 'x'), 'get-group')).toBe(status)
})

it.each([
  ['a+b', 'a+b'],
  ['a%2Bb%20c', 'a+b c'],
  ['%2F', '/'],
  ['two%5Cone', 'two\\one'],
  ['%C3%A4', 'ä'],
  ['%C3', 'malformed-url'],
  ['%', 'malformed-url'],
])('the name %s in a path is %s', (raw, name) => {
  expect(codeOf(() => hsds.decodeName(raw))).toBe(name)
})

describe('the levels (hsds-objects 18)', () => {
  it('tell their versions, how queries answer, whether contiguous datasets have filters and a batch may be empty', () => {
    expect(hsds.apiVersion).toBe('1.0.2')
    expect(hsds.rules.queries.rows).toBe('index-beside')
    expect(hsdsAt('0.9').apiVersion).toBe('0.9.4')
    const { rules } = hsds
    const { creation } = rules.datasets
    expect(creation.contiguousFilters).toBe(false)
    expect(hsdsAt('0.9').rules).toEqual({
      ...rules,
      queries: { ...rules.queries, rows: 'index-first', updated: 'elements' },
      domains: { ...rules.domains, bulkAttributes: 'asked' },
      datasets: { ...rules.datasets, creation: { ...creation, contiguousFilters: true } },
      attributes: { ...rules.attributes, emptyBatch: true },
    })
  })
})
