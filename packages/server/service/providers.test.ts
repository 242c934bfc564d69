import { describe, expect, it } from 'vitest'
import { claimOf, freeUserName, groupsIn, userOfClaims } from './providers.ts'
import { isAccountName } from './user-names.ts'

const LAB = { name: 'lab', claims: { user: 'preferred_username', displayName: 'name', groups: 'roles' } }
const ANN = { iss: 'https://id.example', sub: '1' }

describe('the user of claims', () => {
  it.each<[string, object, object]>([
    [
      'all',
      { preferred_username: 'ann', name: 'Ann', roles: ['a', 'b'] },
      { wantedName: 'ann', displayName: 'Ann' },
    ],
    ['no name', {}, { wantedName: '1', groups: [] }],
    ['names that are none', { preferred_username: 7, name: ['Ann'] }, { wantedName: '1', groups: [] }],
    ['an empty name', { preferred_username: '', name: ' \n' }, { wantedName: '1', groups: [] }],
    ['a name in lines', { name: ' Ann\n\tB.\u202e x\ud800 ' }, { displayName: 'Ann B. x' }],
    ['one group', { roles: 'a' }, { groups: ['a@lab'] }],
    ['odd groups', { roles: ['a', '', 1, null, 'b@uni'] }, { groups: ['a@lab', 'b@uni@lab'] }],
  ])('has the parts that there are: %s', (_, claims, expected) => {
    expect(userOfClaims({ ...ANN, ...claims }, LAB)).toMatchObject({
      issuer: ANN.iss,
      subject: '1',
      ...expected,
    })
  })

  it('shows 100 characters of a long name, each whole', () => {
    const user = userOfClaims({ ...ANN, name: '😀'.repeat(200) }, LAB)
    expect(user?.displayName).toBe('😀'.repeat(100))
  })

  it.each([
    {},
    { iss: 'x' },
    { sub: '1' },
    { iss: 'x', sub: '' },
    { iss: 'x', sub: 1 },
    { iss: 1, sub: '1' },
  ])('is nobody without an issuer and a subject: %j', claims => {
    expect(userOfClaims(claims, LAB)).toBeUndefined()
  })
})

it('finds claims by their names and within others, and nothing of prototypes', () => {
  const claims = { 'a.b': 1, a: { b: 2, c: { d: 3 } }, list: ['x'] }
  expect(
    ['a.b', 'a.c.d', 'a.x', 'x', 'list.0', '__proto__', 'a.constructor'].map(name => claimOf(claims, name)),
  ).toEqual([1, 3, undefined, undefined, 'x', undefined, undefined])
  expect(groupsIn({ '': ['a'] }, '')).toEqual([])
})

describe('the name of a new user', () => {
  it.each([
    ['ann', [], 'ann@lab'],
    ['ann', ['ann@lab'], 'ann-2@lab'],
    ['ann', ['ann@lab', 'ann-2@lab', 'ann-3@lab'], 'ann-4@lab'],
    ['ann@uni.example', [], 'ann@uni.example@lab'],
    ['Ann B. Čapek', [], 'Ann-B.-apek@lab'],
    ['g:all', [], 'g-all@lab'],
    ['默认', [], '-@lab'],
    ['x'.repeat(100), [], `${'x'.repeat(60)}@lab`],
    ['x'.repeat(100), [`${'x'.repeat(60)}@lab`], `${'x'.repeat(58)}-2@lab`],
  ])('%s beside %j', (wanted, taken, expected) => {
    const name = freeUserName(wanted, 'lab', name => taken.includes(name))
    expect(name).toBe(expected)
    expect(isAccountName(name)).toBe(true)
  })
})
