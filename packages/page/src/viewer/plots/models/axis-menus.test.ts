import { expect, test } from 'vitest'
import { axisMenus } from './axis-menus.ts'

const dimensions = (...names: readonly string[]) => names.map(name => ({ name }))

test('each axis offers all dimensions, and the exchange of both', () => {
  const { x, y } = axisMenus(dimensions('time', 'row', 'column'), [3, 'y', 'x'], ['y', 'x'])
  expect([x?.name, y?.name]).toEqual(['column', 'row'])
  expect(x?.choices).toEqual([
    { text: 'time', isChosen: false, uses: ['x', 'y', 3] },
    { text: 'row', isChosen: false, uses: [3, 'x', 'y'] },
    { text: 'column', isChosen: true, uses: [3, 'y', 'x'] },
    { text: 'Swap x and y', isChosen: undefined, uses: [3, 'x', 'y'] },
  ])
})

test('an axis of a line is not exchanged with its values', () => {
  const { x, y } = axisMenus(dimensions('a', 'b'), [0, 'x'], ['x'])
  expect(x?.choices.map(({ text }) => text)).toEqual(['a', 'b'])
  expect(y).toBeUndefined()
})

test('the dimension of colours is no axis, and dimensions of one name are told apart', () => {
  const { y } = axisMenus(dimensions('n', 'n', 'colour'), ['y', 'x', ':'], ['y', 'x'])
  expect(y?.choices.map(({ text, uses }) => [text, uses])).toEqual([
    ['n (dimension 0)', ['y', 'x', ':']],
    ['n (dimension 1)', ['x', 'y', ':']],
    ['Swap x and y', ['x', 'y', ':']],
  ])
})

test('one dimension leaves no choice', () => {
  expect(axisMenus(dimensions('a'), ['x'], ['x'])).toEqual({})
})
