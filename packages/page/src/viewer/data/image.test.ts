import type { DatasetShape, Domain, Elements } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import type { DimensionUse } from '../view-address.ts'
import { numbersOf } from './axis.ts'
import { fill, fillFrom, ImageLoader, type ImageRequest, type Picture } from './image.ts'
import { Tiles } from './tiles.ts'

const { NaN: none } = Number

function picture(start: number, block: number, rows: readonly (readonly number[])[], depth = 1): Picture {
  const columns = (rows[0]?.length ?? 0) / depth
  const extent = (count: number) => ({ start, stop: start + count * block, block })
  const data = Float64Array.from(rows.flat())
  return {
    y: extent(rows.length),
    x: extent(columns),
    rows: rows.length,
    columns,
    depth,
    data,
    progress: undefined,
  }
}

describe('a picture that begins with the points of another one', () => {
  test('has each coarse point in all places that it covers, and keeps what lies beyond', () => {
    const next = picture(4, 1, [
      [1, none, none, none, 9],
      [none, none, none, none, none],
    ])
    fillFrom(
      next,
      picture(0, 2, [
        [0, 0, 0, 0],
        [0, 0, 0, 0],
        [0, 0, 5, 6],
      ]),
    )
    expect([...next.data]).toEqual([5, 5, 6, 6, 9, 5, 5, 6, 6, none])
  })

  test('takes no missing number, and one of several fine points', () => {
    const next = picture(0, 2, [[7, none]])
    fillFrom(
      next,
      picture(0, 1, [
        [none, none, none, none],
        [none, none, none, 4],
      ]),
    )
    expect([...next.data]).toEqual([7, 4])
  })

  test('takes all numbers of a point, and nothing from points of another form', () => {
    const next = picture(0, 1, [[none, none, none, none]], 2)
    fillFrom(next, picture(0, 1, [[3, 3, 3, 3]]))
    expect([...next.data]).toEqual([none, none, none, none])
    fillFrom(next, picture(0, 2, [[1, 2]], 2))
    expect([...next.data]).toEqual([1, 2, 1, 2])
  })
})

test.each<readonly [readonly DimensionUse[], readonly number[]]>([
  [
    ['y', 'x', ':'],
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
  ],
  [
    ['y', ':', 'x'],
    [0, 2, 4, 1, 3, 5, 6, 8, 10, 7, 9, 11],
  ],
  [
    [':', 'y', 'x'],
    [0, 4, 8, 1, 5, 9, 2, 6, 10, 3, 7, 11],
  ],
  [
    [':', 7, 'x', 'y'],
    [0, 4, 8, 2, 6, 10, 1, 5, 9, 3, 7, 11],
  ],
  [
    ['x', 'y'],
    [0, 1, 2, 6, 7, 8, 3, 4, 5, 9, 10, 11],
  ],
])('numbers in the order %j come to the points whose colours they are', (uses, numbers) => {
  const drawn = picture(0, 1, Array(2).fill(Array(6).fill(none)), 3)
  fill(
    drawn,
    drawn,
    Float64Array.from({ length: 12 }, (_, i) => i),
    uses,
  )
  expect([...drawn.data]).toEqual(numbers)
})

type Range = { readonly start: number; readonly stop: number }

/** An image of 65,536 x 65,536 on a canvas of 512 x 512; each answer takes as many milliseconds as `clock` says. */
function largeImage() {
  const clock = { now: 0, answer: 10 }
  const requests: (readonly [y: Range, x: Range])[] = []
  const read = async (
    _: DatasetShape,
    { select: [y, x], reduce }: { select: readonly [Range, Range]; reduce?: string },
  ) => {
    if (reduce !== undefined) requests.push([y, x])
    clock.now += clock.answer
    const block = Number(reduce?.split(',')[1] ?? 128)
    const data: Elements = new Float64Array(((y.stop - y.start) / block) * ((x.stop - x.start) / block))
    return { shape: [], data: data.map((_, i) => y.start + x.start + i) }
  }
  const screen = { now: () => clock.now, whenDrawn: () => {} }
  const tiles = new Tiles({ read } as unknown as Domain, screen)
  const dataset = {
    id: 'd-1',
    type: { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' },
    shape: [65_536, 65_536],
    stamp: 0,
  } satisfies DatasetShape & { stamp: number }
  let changed = () => {}
  const loader = new ImageLoader(() => changed())
  let giveUp = () => {}
  /** The requests for what is in sight from an element on, and the picture. */
  const look = async (from?: number, to = 0) => {
    const sight = from === undefined ? undefined : { y: [from, to] as const, x: [from, to] as const }
    const request: ImageRequest = {
      dataset,
      uses: ['y', 'x'],
      reduction: 'mean',
      isSquare: true,
      convert: numbersOf,
      sight,
      size: { width: 512, height: 512 },
    }
    giveUp()
    requests.length = 0
    await new Promise<void>((resolve, reject) => {
      changed = () => loader.imageOf(request).isComplete && resolve()
      giveUp = loader.load(tiles, request, reject)
    })
    return { requests: [...requests], picture: loader.imageOf(request).picture }
  }
  return { clock, look }
}

const elementsIn = (parts: readonly (readonly [Range, Range])[]) =>
  parts.reduce((sum, [y, x]) => sum + (y.stop - y.start) * (x.stop - x.start), 0)

describe('a large image', () => {
  test('is read in few requests once answers come at once, and in many while they take long', async () => {
    const { clock, look } = largeImage()
    const all = await look()
    expect([all.requests.length, elementsIn(all.requests)]).toEqual([7, 2 ** 32])
    const part = await look(16_384, 49_152)
    expect([part.requests.length, elementsIn(part.requests)]).toEqual([4, 2 ** 30])
    clock.answer = 1000
    await look(49_152, 65_536)
    expect((await look(0, 16_384)).requests).toHaveLength(4)
    const slow = await look(32_768, 49_152)
    expect([slow.requests.length, elementsIn(slow.requests)]).toEqual([16, 2 ** 28])
    expect(slow.picture?.data.some(Number.isNaN)).toBe(false)
  })

  test('moved by a little has its own points, and only the new ones are read', async () => {
    const { look } = largeImage()
    await look()
    const before = await look(16_384, 49_152)
    const { requests, picture } = await look(24_576, 57_344)
    expect(elementsIn(requests)).toBe(7 * 2 ** 26)
    const isKnown = ([y, x]: readonly [Range, Range]) => y.start < 49_152 && x.start < 49_152
    expect(requests.filter(isKnown)).toEqual([])
    const row = (one: Picture | undefined, y: number, count: number, x: number) =>
      one?.data.slice(y * one.columns + x, y * one.columns + x + count)
    expect(row(picture, 0, 384, 0)).toEqual(row(before.picture, 128, 384, 128))
    expect(picture?.data.some(Number.isNaN)).toBe(false)
  })
})
