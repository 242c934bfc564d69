import { expect, test } from 'vitest'
import { describeScene } from './describe.ts'
import { frameOf, WHOLE } from './frame.ts'
import type { Scene, SceneAxis } from './scene.ts'

const axis = (from: number, to: number, more: Partial<SceneAxis> = {}): SceneAxis => ({
  domain: [from, to],
  hasGrid: false,
  ...more,
})

function textOf(x: SceneAxis, y: SceneAxis, camera = WHOLE): string {
  const scene: Scene = { title: 'Counts', x, y, layers: [] }
  return describeScene(
    scene,
    frameOf({ width: 400, height: 200 }, x, y, false),
    camera,
    'Numbers from 1 to 2.',
  )
}

test('a drawing in words has what its axes have in sight', () => {
  expect(textOf(axis(0, 200, { label: 'time (s)' }), axis(0, 10))).toBe(
    'x: time (s) from 0 to 200. y from 0 to 10. Numbers from 1 to 2.',
  )
  const left = { position: { x: -100, y: 0 }, scale: { x: 0.5, y: 1 } }
  expect(textOf(axis(0, 200), axis(0, 10), left)).toContain('x from 0 to 100.')
})

test('a drawing in words has coordinates as people read them, and nothing that is not known', () => {
  const format = (value: number) => (Number.isInteger(value) ? `day ${value}` : '')
  expect(textOf(axis(1, 3, { format }), axis(0, 1, { isEmpty: true }))).toBe(
    'x from day 1 to day 3. Numbers from 1 to 2.',
  )
  expect(textOf(axis(0.5, 3, { format }), axis(0, 1))).toContain('x from 0.5 to day 3.')
})
