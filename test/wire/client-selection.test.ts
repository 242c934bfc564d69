import { describe, expect, it } from 'vitest'
import {
  formatSelection,
  parseSelection,
  selectedShape,
  selectionWithin,
} from '../../packages/client/selection.ts'

describe('a selection as text', () => {
  it.each([
    ['3', '[3]'],
    ['[3, 0:10:2, :]', '[3,0:10:2,:]'],
    [' [ -1 , -5: , :-1 , ::3 ] ', '[-1,-5:,:-1,::3]'],
  ])('%s', (text, formatted) => {
    expect(formatSelection(parseSelection(text))).toBe(formatted)
  })

  it.each(['', '[]', '1,', '1;2', '1:2:3:4', '1.5', 'a', '[1', '--1', '0x10', '...'])('is not "%s"', text => {
    expect(() => parseSelection(text)).toThrow(/must have an index or a range/)
  })
})

describe('negative numbers count from the end', () => {
  it.each([
    ['-1', [5], '[4]'],
    ['-5', [5], '[0]'],
    ['-2:', [5], '[3:]'],
    [':-2', [5], '[:3]'],
    // Ranges end where the dimension does, as in NumPy.
    ['-9:', [5], '[0:]'],
    [':-9', [5], '[:0]'],
    ['-1,::2,-2:-1', [3, 4, 5], '[2,::2,3:4]'],
    ['-1:', [0], '[0:]'],
  ])('%s of %j', (text, shape, formatted) => {
    const selection = selectionWithin(parseSelection(text), shape)
    expect(formatSelection(selection)).toBe(formatted)
    expect(selectedShape(shape, selection).every(extent => extent >= 0)).toBe(true)
  })

  it('and must be within the dimension as an index', () => {
    expect(() => selectionWithin([-6], [5])).toThrow(
      'the index -6 must be within dimension 0, whose extent is 5',
    )
    expect(() => selectionWithin([-1], [0])).toThrow(/extent is 0/)
    expect(() => selectionWithin([0, -1], [5])).toThrow(/no more than 1 dimensions/)
  })
})
