import { expect, test } from 'vitest'
import type { Picture } from '../../data/image.ts'
import { coloursOf, rgbOf, rgbSettings, rgbTools } from './rgb.ts'
import { newPlot } from './test-plots.ts'

test('an image of colours has the last dimension for them, and begins at the top', () => {
  const subject = rgbOf(newPlot({ shape: [5, 20, 30, 3] }), { slice: [2, 'y', 'x', ':'] })
  expect(subject.uses).toEqual([2, 'y', 'x', ':'])
  const settings = rgbSettings(subject, {})
  expect([settings.flip.value, settings.ratio.value]).toEqual(['y', 'equal'])
  expect(rgbTools(settings).map(({ kind }) => kind)).toEqual([
    'choice',
    'more',
    'toggle',
    'toggle',
    'toggle',
    'toggle',
  ])
})

test.each([
  [255, 255],
  [1023, 1023],
  [4000, 4095],
  [5000, 16_383],
  [65_535, 65_535],
])('colours up to %i of 16 bits have %i as the brightest', (most, brightest) => {
  const data = Float64Array.of(0, 0, 0, most, most, 0)
  const picture = { data, rows: 1, columns: 2, depth: 3 } as unknown as Picture
  const light = Math.round((255 * most) / brightest)
  const colours = coloursOf(picture, { class: 'H5T_INTEGER', base: 'H5T_STD_U16LE' }, false)
  expect([...colours]).toEqual([0, 0, 0, 255, light, light, 0, 255])
})
