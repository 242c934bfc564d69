import { expect, test } from 'vitest'
import { formatView, parseView } from '../view-address.ts'
import { changedView, chosenView, tabChoice, tabForKey } from './object-model.ts'
import type { Subject } from './view.ts'

const SUBJECT = {} as Subject
const view = (name: string, rank: number) => ({ name, rank: () => rank })
const VIEWS = [view('matrix', 2), view('line', 5), view('image', 5), view('inspect', 0)]

test('the view is that of the address, or the first one of the greatest rank', () => {
  expect(chosenView(VIEWS, SUBJECT, 'inspect')?.name).toBe('inspect')
  expect(chosenView(VIEWS, SUBJECT, undefined)?.name).toBe('line')
  // An address that names what is not there.
  expect(chosenView(VIEWS, SUBJECT, 'rgb')?.name).toBe('line')
  expect(chosenView([], undefined, undefined)).toBeUndefined()
})

test('the button Back takes back the choice of a tab, and no other one', () => {
  const first = formatView({ ...parseView('tab=image'), colours: 'Magma' })
  expect(changedView(first, { colours: 'Magma' })).toBeUndefined()
  const coloured = changedView(first, { colours: 'Viridis' })
  expect([coloured?.isStep, parseView(coloured?.query ?? '')]).toMatchObject([false, { colours: 'Viridis' }])
  const step = changedView(first, tabChoice('line'))
  expect([step?.isStep, parseView(step?.query ?? '')]).toMatchObject([
    true,
    { tab: 'line', colours: 'Magma' },
  ])
})

test('another tab loses the zoom, the slice and the range, and keeps the colours', () => {
  const before = parseView('tab=image&slice=y,3,x&range=10,9000&zoom=1,2,3,4&colours=Magma&scale=sqrt')
  expect([before.slice, before.range, before.zoom].includes(undefined)).toBe(false)
  const after = parseView(changedView(formatView(before), tabChoice('line'))?.query ?? '')
  expect(after).toMatchObject({ tab: 'line', colours: 'Magma', scale: 'sqrt' })
  expect([after.slice, after.range, after.zoom]).toEqual([undefined, undefined, undefined])
})

test('the arrow keys go from tab to tab, in a circle', () => {
  const tabs = ['a', 'b', 'c']
  expect(tabForKey('ArrowRight', tabs, 'a')).toBe('b')
  expect(tabForKey('ArrowRight', tabs, 'c')).toBe('a')
  expect(tabForKey('ArrowLeft', tabs, 'a')).toBe('c')
  expect(tabForKey('Enter', tabs, 'a')).toBeUndefined()
})
