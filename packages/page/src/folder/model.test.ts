import type { Api } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { BY_NAME, COLUMNS } from './arrange.ts'
import { actionsFor, type FolderChoices, type FolderFacts, folderModel, takesDrop } from './model.ts'
import {
  allToggled,
  areAllSelected,
  columnOrder,
  linkForKey,
  rowHeight,
  rowsInSight,
  rowText,
  toggled,
} from './rows.ts'

const row = (name: string, parts: object = {}) =>
  ({ name: `/f/${name}`, class: 'domain', owner: '', lastModified: 1000, ...parts }) as Api.ListedDomain
const many = (count: number) => Array.from({ length: count }, (_, i) => row(`run${i}.h5`))

const NOBODY = { user: undefined, hasAccounts: true, isOpen: false }
const ANN = { ...NOBODY, user: { name: 'ann', isAdmin: false } }
/** A service without accounts that serves its own machine. */
const OPEN = { user: undefined, hasAccounts: false, isOpen: true }
const SHARE = { ...NOBODY, share: { within: '/f', view: '', end: '' } }
const ALL = { create: true, access: true }
const NOTHING = { create: false, access: false }

function model(facts: Partial<FolderFacts> = {}, choices: Partial<FolderChoices> = {}) {
  return folderModel(
    {
      session: NOBODY,
      path: '/f/',
      isReadOnly: false,
      permissions: undefined,
      rows: many(3),
      isComplete: true,
      hasFailed: false,
      ...facts,
    },
    { filter: '', order: BY_NAME, selection: new Set(), ...choices },
  )
}

describe('the user of a folder', () => {
  test.each<[string, Partial<FolderFacts>, object]>([
    [
      'who has not logged in is invited to',
      {},
      { takesFiles: false, changes: false, invitation: 'Log in to upload files and to change this folder.' },
    ],
    [
      'with permissions uploads, changes and sees the access',
      { session: ANN, permissions: ALL },
      { takesFiles: true, changes: true, hasAccess: true, invitation: undefined, reason: undefined },
    ],
    [
      'without permission to create reads why',
      { session: ANN, permissions: NOTHING },
      {
        takesFiles: false,
        changes: true,
        hasAccess: false,
        reason: 'You have no permission to upload files or to create folders here.',
      },
    ],
    [
      'at the top reads where files go',
      { session: ANN, permissions: NOTHING, path: '/' },
      {
        takesFiles: false,
        reason: 'Only administrators create folders here. Upload files to a folder of your own.',
      },
    ],
    [
      'reads no reason until the permissions are known',
      { session: ANN },
      { takesFiles: false, reason: undefined },
    ],
    [
      'of mounted files changes nothing and reads no reason',
      { session: ANN, permissions: ALL, isReadOnly: true },
      { takesFiles: false, changes: false, joins: true, reason: undefined, invitation: undefined },
    ],
    [
      'of mounted files joins none where there are none',
      { session: ANN, isReadOnly: true, rows: [] },
      { changes: false, joins: false },
    ],
    ['of mounted files who has not logged in joins none', { isReadOnly: true }, { joins: false }],
    [
      'of a service without accounts uploads at once',
      { session: OPEN, permissions: { create: true, access: false } },
      { takesFiles: true, changes: true, joins: false, hasAccess: false, invitation: undefined },
    ],
    [
      'of a service in which nobody can log in is not invited',
      { session: { ...OPEN, isOpen: false } },
      { takesFiles: false, changes: false, invitation: undefined },
    ],
    ['of a share is not invited', { session: SHARE }, { changes: false, invitation: undefined }],
  ])('%s', (_, facts, expected) => {
    expect(model(facts)).toMatchObject(expected)
  })

  test('drops files where they can be uploaded, and nothing else', () => {
    const [mine, other] = [ALL, NOTHING].map(permissions => model({ session: ANN, permissions }))
    if (!mine || !other) throw new Error('there are two')
    expect([
      takesDrop(mine, ['Files']),
      takesDrop(mine, ['text/plain']),
      takesDrop(other, ['Files']),
    ]).toEqual([true, false, false])
  })

  test.each([
    ['domain', NOBODY, false, 'download'],
    ['folder', NOBODY, false, ''],
    ['domain', ANN, true, 'download share access rename move delete'],
    ['folder', ANN, true, 'share access rename move delete'],
    // Of mounted files.
    ['domain', ANN, false, 'download share access'],
    ['domain', OPEN, true, 'download rename move delete'],
  ] as const)('is offered in the menu of a %s: %j, changes %s: %s', (kind, session, changes, actions) => {
    expect(actionsFor({ class: kind }, session, { changes }).join(' ')).toBe(actions)
  })
})

describe('a folder says', () => {
  test.each<[Partial<FolderFacts>, string, string]>([
    [{}, '', '3 entries'],
    [{ rows: many(1) }, '', '1 entry'],
    [{ rows: [] }, '', '0 entries'],
    [{ rows: many(10_000) }, 'run99', '111 of 10000 entries'],
    [{ isComplete: false }, '', '3 entries …'],
    [{ isComplete: false, hasFailed: true }, '', '3 entries'],
  ])('of %j with the filter "%s" its count: %s', (facts, filter, count) => {
    expect(model(facts, { filter }).count).toBe(count)
  })

  const DROP = 'Drop HDF5 files here to upload them, or press Upload files.'
  test.each<[string, Partial<FolderFacts>, string, readonly string[]]>([
    ['to a user', { session: ANN, permissions: ALL }, 'There is nothing in this folder', [DROP]],
    ['to a reader', { session: ANN, permissions: NOTHING }, 'There is nothing in this folder', []],
    [
      'without a login',
      {},
      'There is nothing in this folder that everybody may see',
      ['Log in: there may be more that you may see.'],
    ],
    ['to a share', { session: SHARE }, 'There is nothing in this folder that everybody may see', []],
    ['without accounts', { session: OPEN, permissions: ALL }, 'There is nothing in this folder', [DROP]],
  ])('that it is empty, %s', (_, facts, title, lines) => {
    const { empty, hasRows } = model({ rows: [], ...facts })
    expect([empty, hasRows]).toEqual([{ icon: 'folder', title, lines, isFiltered: false }, false])
  })

  test('that it is not empty while it is loaded, or when it could not be', () => {
    const loading = { rows: [], isComplete: false }
    expect(model(loading)).toMatchObject({ empty: undefined, hasRows: true, isLoading: true })
    expect(model({ ...loading, hasFailed: true })).toMatchObject({ empty: undefined, isLoading: false })
    expect(model({ isComplete: false })).toMatchObject({ hasRows: true, isLoading: false })
  })

  test('that the filter hides all', () => {
    expect(model({}, { filter: 'x' })).toMatchObject({
      empty: { icon: 'search', title: 'No name has “x” in it', lines: [], isFiltered: true },
      hasRows: false,
    })
  })
})

describe('rows', () => {
  const ten = many(10_000)

  test('are drawn in sight only, with some above and below', () => {
    expect(rowsInSight({ top: 0, height: 800 }, 40, 10_000)).toEqual({ first: 0, last: 40 })
    expect(rowsInSight({ top: 200_000, height: 800 }, 40, 10_000)).toEqual({ first: 4980, last: 5040 })
    // The list has become shorter than the place that was in sight.
    expect(rowsInSight({ top: 200_000, height: 800 }, 40, 3)).toEqual({ first: 0, last: 3 })
    expect([rowHeight(false, false), rowHeight(false, true), rowHeight(true, true)]).toEqual([40, 56, 76])
  })

  test('are selected one by one and all that are listed, and keep what the filter hides', () => {
    const { shown } = model({ rows: ten }, { filter: 'run99' })
    const all = allToggled(new Set(), shown)
    expect([all.size, areAllSelected(all, shown), areAllSelected(all, ten)]).toEqual([111, true, false])
    expect(allToggled(all, shown).size).toBe(0)
    const one = toggled(new Set(), '/f/run1.h5')
    expect(model({ rows: ten }, { selection: one }).selected).toEqual([ten[1]])
    expect(toggled(one, '/f/run1.h5').size).toBe(0)
    expect(areAllSelected(new Set(), [])).toBe(false)
    // What is gone is not selected.
    expect(model({ rows: ten.slice(5) }, { selection: one }).selected).toEqual([])
  })

  test('are sorted by a click on a column, and the other way by the next', () => {
    const [name, owner] = COLUMNS
    if (!name || !owner) throw new Error('there are columns')
    expect(columnOrder(name, BY_NAME)).toEqual({
      sort: 'ascending',
      mark: ' ↑',
      next: { column: name, isDescending: true },
    })
    expect(columnOrder(name, { column: name, isDescending: true })).toMatchObject({
      sort: 'descending',
      mark: ' ↓',
      next: { isDescending: false },
    })
    expect(columnOrder(owner, BY_NAME)).toEqual({
      sort: 'none',
      mark: '',
      next: { column: owner, isDescending: false },
    })
  })

  test('lead to a folder or a domain, and say its size, age and damage', () => {
    expect(rowText(row('a.h5', { total_size: 2048, damage: 'cut off' }), 1000)).toEqual({
      name: 'a.h5',
      place: { kind: 'domain', path: '/f/a.h5', object: '/' },
      size: '2.0 KiB',
      small: '2.0 KiB · just now',
      madeOf: undefined,
      damage: { word: 'damaged', reason: 'cut off' },
    })
    expect(rowText(row('sub', { class: 'folder' }), 1000 + 3600)).toEqual({
      name: 'sub',
      place: { kind: 'folder', path: '/f/sub/' },
      size: '',
      small: '1 h ago',
      madeOf: undefined,
      damage: undefined,
    })
    const reason = 'the file system of the mount does not answer'
    expect(rowText(row('beam', { class: 'folder', damage: reason }), 0)).toMatchObject({
      damage: { word: 'not available', reason },
    })
    const joined = { joined: true, num_files: 4400 }
    expect(rowText(row('all.nc', joined), 0)).toMatchObject({
      madeOf: 'made of 4,400 files',
      damage: undefined,
    })
    expect(rowText(row('all.nc', { joined: true, damage: 'they overlap' }), 0)).toMatchObject({
      madeOf: undefined,
      damage: { word: 'not readable', reason: 'they overlap' },
    })
    // Names may have any characters: they are text.
    expect(rowText(row('<img src=x>'), 0).name).toBe('<img src=x>')
  })

  test.each([
    ['ArrowDown', -1, 0],
    ['ArrowDown', 0, 1],
    ['ArrowDown', 2, undefined],
    ['ArrowUp', 2, 1],
    ['ArrowUp', 0, undefined],
    ['ArrowUp', -1, 0],
    ['x', 0, undefined],
  ])('%s leads from link %i of 3 to %s', (key, at, next) => {
    expect(linkForKey(key, at, 3)).toBe(next)
  })
})
