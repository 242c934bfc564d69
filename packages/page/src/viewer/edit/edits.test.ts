import { UnreachableError } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { type Edit, Edits, type Move, shownAfter } from './edits.ts'
import { ChangedMeanwhile } from './places.ts'

function newEdits() {
  const changes: (readonly [id: string, move: Move])[] = []
  return { changes, edits: new Edits((ids, move) => changes.push([[...(ids ?? [])].join(), move])) }
}

const edit = (text: string, undo?: () => Promise<void>, more: Partial<Edit> = {}): Edit => ({
  text,
  ids: new Set([text]),
  undoRight: 'update',
  undo,
  ...more,
})

test('the last change is undone first, and with it the paths', async () => {
  const { changes, edits } = newEdits()
  const undone: string[] = []
  const undo = (text: string) => async () => void undone.push(text)
  edits.done(edit('Changed a.', undo('a')))
  edits.done(edit('Renamed b.', undo('b'), { move: { before: '/b', after: '/c' } }))
  expect(edits.note).toMatchObject({ text: 'Renamed b.', edit: { text: 'Renamed b.' } })
  await edits.undo()
  expect(edits.note).toMatchObject({ text: 'Undone: Renamed b.', edit: { text: 'Changed a.' } })
  await edits.undo()
  await edits.undo()
  expect(undone).toEqual(['b', 'a'])
  expect(changes).toEqual([
    ['Changed a.', {}],
    ['Renamed b.', { before: '/b', after: '/c' }],
    ['Renamed b.', { before: '/c', after: '/b' }],
    ['Changed a.', {}],
  ])
  expect(edits.note?.edit).toBeUndefined()
})

test('a change whose place has changed since is given up; one that could not be sent is not', async () => {
  const { edits } = newEdits()
  let isReached = false
  edits.done(
    edit('Changed a.', async () => {
      if (!isReached) throw new UnreachableError('The service cannot be reached.')
    }),
  )
  edits.done(edit('Changed b.', () => Promise.reject(new ChangedMeanwhile('c'))))
  await edits.undo()
  expect(edits.note?.text).toMatch(/^Not undone \(Changed b\): .*changed elsewhere/)
  await edits.undo()
  expect(edits.note).toMatchObject({ isError: true, text: expect.stringContaining('cannot be reached') })
  isReached = true
  await edits.undo()
  expect(edits.note?.text).toBe('Undone: Changed a.')
})

test('one change is undone at a time', async () => {
  const { edits } = newEdits()
  let count = 0
  let release = () => {}
  const held = new Promise<void>(resolve => {
    release = resolve
  })
  const undo = async () => {
    count++
    await held
  }
  edits.done(edit('Changed a.', undo))
  edits.done(edit('Changed b.', undo))
  const first = edits.undo()
  await edits.undo()
  expect(count).toBe(1)
  release()
  await first
  expect(edits.note?.text).toBe('Undone: Changed b.')
})

test('what was freed is not put back', async () => {
  const { edits } = newEdits()
  const fail = () => Promise.reject(new Error('no'))
  edits.done(edit('Deleted /a.', fail, { free: async () => {} }))
  await edits.free()
  expect(edits.note).toMatchObject({ text: 'Deleted /a. Its space is free.', edit: undefined })
  await edits.undo()
  expect(edits.note?.isError).toBe(false)
  edits.close()
  expect(edits.note).toBeUndefined()
})

test.each<[string, Move, string]>([
  ['/run/data', { before: '/run/data', after: '/run/raw' }, '/run/raw'],
  ['/run/data', { before: '/run', after: '/walk' }, '/walk/data'],
  ['/run/data', { before: '/run/data' }, '/run'],
  ['/run', { before: '/run' }, '/'],
  ['/run/data', { before: '/run' }, '/'],
  ['/runs', { before: '/run', after: '/walk' }, '/runs'],
  ['/', { before: '/run', after: '/walk' }, '/'],
  ['/run', { after: '/run/new' }, '/run'],
])('the object that is shown at %s after %j is at %s', (object, move, shown) => {
  expect(shownAfter(object, move)).toBe(shown)
})
