import { expect, test } from 'vitest'
import { boundsOfDensity, densityLayer, densityOf } from './density.ts'

/** Four squares of each axis, and one more on each side. */
const SIGHT = { x: [0, 4], y: [40, 0], width: 8, height: 8 } as const

function countsAt({ columns, counts }: ReturnType<typeof densityOf>) {
  return [...counts].flatMap((count, i) =>
    Number.isNaN(count) ? [] : [[i % columns, Math.floor(i / columns), count]],
  )
}

test('the points of each square are counted, also a little outside of what is in sight', () => {
  const x = Float64Array.of(0.5, 0.6, 3.5, -0.5, -1.5, Number.NaN)
  const y = Float64Array.of(35, 35, 5, 45, 5, 5)
  const density = densityOf({ x, y }, SIGHT)
  expect(density).toMatchObject({ columns: 6, rows: 6, x: [-1, 5], y: [50, -10] })
  expect(countsAt(density)).toEqual([
    [0, 0, 1],
    [1, 1, 2],
    [4, 4, 1],
  ])
  expect(boundsOfDensity(density)).toMatchObject({ min: 1, max: 2 })
})

test('squares have one size on the screen, whatever the scale', () => {
  const cloud = { x: Float64Array.of(2, 20, 200, 0), y: Float64Array.of(0, 0, 0, 0) }
  const sight = { x: [1, 10_000], y: [-1, 1], width: 8, height: 2 } as const
  const density = densityOf(cloud, sight, { x: 'log', y: 'linear' })
  expect(countsAt(density).map(([column]) => column)).toEqual([1, 2, 3])
})

test('a square without points has no colour, and the only count has the first', () => {
  const density = densityOf({ x: Float64Array.of(0.5), y: Float64Array.of(35) }, SIGHT)
  const scale = { domain: [1, 1], scale: 'log', gamma: 1, map: 'Gray', isInverted: false } as const
  const { colours } = densityLayer(density, { ...scale, domain: [1, 1] })
  expect([...colours].filter(part => part > 0)).toEqual([255])
})
