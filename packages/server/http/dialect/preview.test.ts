import { expect, it } from 'vitest'
import { previewSelection } from './preview.ts'

// The examples of classic 7.3.
it.each([
  [[101], '[0:100]'],
  [[20, 10], '[0:10,0:10]'],
  [[200, 2], '[0:50,0:2]'],
  [[3, 60], '[0:3,0:33]'],
  [[5, 200, 300], '[0:1,0:100,0:1]'],
  [[100], undefined],
  [[0, 5000], undefined],
])('the preview of %j is %s', (dims, selection) => {
  expect(previewSelection({ class: 'H5S_SIMPLE', dims })).toBe(selection)
})

it('a scalar and a null dataspace have no preview', () => {
  expect(previewSelection({ class: 'H5S_SCALAR' })).toBeUndefined()
  expect(previewSelection({ class: 'H5S_NULL' })).toBeUndefined()
})
