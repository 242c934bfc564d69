import { expect, test } from 'vitest'
import { imageOf } from '../models/image.ts'
import { rgbOf } from '../models/rgb.ts'
import { newPlot } from '../models/test-plots.ts'
import { channelsOf } from './channels.ts'

test('an image is one channel; of an image in colours each colour is one, in its order', () => {
  const image = imageOf(newPlot({ shape: [4, 5] }), {})
  expect(channelsOf(image)).toEqual([{ label: image.label, colour: undefined, uses: ['y', 'x'] }])
  const plot = newPlot({ shape: [2, 4, 5, 4] })
  const subject = rgbOf(plot, { slice: [1, 'y', 'x', ':'] })
  expect(channelsOf(subject).map(({ label, uses }) => [label, uses])).toEqual([
    ['Red', [1, 'y', 'x', 0]],
    ['Green', [1, 'y', 'x', 1]],
    ['Blue', [1, 'y', 'x', 2]],
    ['Opacity', [1, 'y', 'x', 3]],
  ])
  const other = rgbOf(plot, { slice: [1, 'y', 'x', ':'], order: 'bgr' })
  expect(channelsOf(other).map(({ label }) => label)).toEqual(['Blue', 'Green', 'Red', 'Opacity'])
})
