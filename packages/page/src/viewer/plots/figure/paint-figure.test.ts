import { expect, test } from 'vitest'
import { WHOLE } from '../../drawing/frame.ts'
import { newSurface } from '../../drawing/test-surface.ts'
import type { ColourBarProps } from './colour-bar.ts'
import type { Figure } from './figure.ts'
import { paintFigure, sizeOfFigure } from './paint-figure.ts'

const AXIS = { domain: [0, 10] as [number, number], hasGrid: false }
const drawing = {
  scene: { title: 'Temperature', x: AXIS, y: { ...AXIS, label: 'lat' }, layers: [] },
  size: { width: 600, height: 400 },
  camera: WHOLE,
  isSquare: false,
}
const bar: ColourBarProps = {
  domain: [0, 300],
  scale: 'linear',
  gamma: 1,
  map: 'Viridis',
  isInverted: false,
  label: 'T (K)',
  isCut: { low: false, high: true },
}

const one = { drawing, second: undefined }

const textsOf = (figure: Figure) => {
  const { surface, of } = newSurface()
  paintFigure(surface, figure, { family: 'sans-serif', ratio: 1, imageOf: () => new Image() })
  return of('fillText').map(call => call.replace(/^fillText (.*) \S+ \S+$/, '$1'))
}

test('a figure has the title, the axes, and the bar of colours beside the drawing', () => {
  expect(sizeOfFigure({ ...one, bar })).toEqual({ width: 696, height: 428 })
  expect(textsOf({ ...one, bar })).toEqual(
    expect.arrayContaining(['Temperature', 'lat', '10', '0', '100', '≥ 300', 'T (K)']),
  )
})

test('a figure without a bar is as wide as the drawing; without a drawing there is none', () => {
  expect(sizeOfFigure({ ...one, bar: undefined })).toEqual({ width: 600, height: 428 })
  expect(textsOf({ ...one, bar: undefined })).not.toContain('T (K)')
  expect(textsOf({ ...one, bar: { ...bar, isEmpty: true } })).not.toContain('T (K)')
  expect(sizeOfFigure({ ...one, drawing: undefined, bar })).toBeUndefined()
  expect(textsOf({ ...one, drawing: undefined, bar })).toEqual([])
})

test('a figure of two images has both, each with its title, and one bar', () => {
  const second = { ...drawing, scene: { ...drawing.scene, title: 'Pressure' } }
  expect(sizeOfFigure({ drawing, second, bar })).toEqual({ width: 1296, height: 428 })
  const texts = textsOf({ drawing, second, bar })
  expect(texts.filter(text => ['Temperature', 'Pressure', 'lat', 'T (K)'].includes(text))).toEqual([
    'Temperature',
    'lat',
    'Pressure',
    'lat',
    'T (K)',
  ])
})
