import { expect, test } from 'vitest'
import { rgbOf, rgbSettings, rgbTools } from './rgb.ts'
import { newPlot } from './test-plots.ts'

test('an image of colours has the last dimension for them, and begins at the top', () => {
  const subject = rgbOf(newPlot({ shape: [5, 20, 30, 3] }), { slice: [2, 'y', 'x', ':'] })
  expect(subject.uses).toEqual([2, 'y', 'x', ':'])
  const settings = rgbSettings(subject, {})
  expect([settings.flip.value, settings.ratio.value]).toEqual(['y', 'equal'])
  expect(rgbTools(settings).map(({ kind }) => kind)).toEqual([
    'choice',
    'separator',
    'toggle',
    'toggle',
    'toggle',
    'toggle',
  ])
})
