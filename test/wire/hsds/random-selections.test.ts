// Random programs of writes and reads by ranges, lists of coordinates and points, over HTTP, compared with a map from
// coordinates to values. `SELECTION_SEED` repeats a run; a failure tells its seed.

import { beforeAll, expect, test } from 'vitest'
import { USER1 } from '../client.ts'
import { partsOf } from '../several-values.ts'
import { makeHome, newDomain, OCTETS } from './domain.ts'

beforeAll(makeHome)

const SEED = Number(process.env.SELECTION_SEED ?? Math.floor(Math.random() * 2 ** 32))
const READ_BYTES = { user: USER1, headers: { accept: OCTETS } }
const WRITE_BYTES = { user: USER1, headers: { 'content-type': OCTETS } }

type Random = (below: number) => number

function randomFrom(seed: number): Random {
  let state = seed >>> 0
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i)

interface Item {
  readonly text: string
  readonly coordinates: readonly number[]
  readonly isList: boolean
}

function randomItem(extent: number, length: number, random: Random): Item {
  const kind = random(4)
  if (kind === 0) {
    const coordinates = upTo(length).map(() => random(extent))
    return { text: `[${coordinates}]`, coordinates, isList: true }
  }
  if (kind === 1) return { text: ':', coordinates: upTo(extent), isList: false }
  const start = random(extent)
  if (kind === 2) return { text: `${start}`, coordinates: [start], isList: false }
  const stop = start + 1 + random(extent - start)
  const step = 1 + random(extent + 1)
  const coordinates = upTo(stop - start).flatMap(i => (i % step === 0 ? [start + i] : []))
  return { text: `${start}:${stop}:${step}`, coordinates, isList: false }
}

/** Every selected coordinate in order: the lists advance together, at the place of the first. */
function selected(items: readonly Item[]): number[][] {
  const firstList = items.findIndex(item => item.isList)
  let all: { coordinates: number[]; position: number }[] = [{ coordinates: [], position: 0 }]
  for (const [d, { coordinates, isList }] of items.entries()) {
    all = all.flatMap(before =>
      isList && d !== firstList
        ? [{ ...before, coordinates: [...before.coordinates, coordinates[before.position] ?? -1] }]
        : coordinates.map((coordinate, i) => ({
            coordinates: [...before.coordinates, coordinate],
            position: isList ? i : before.position,
          })),
    )
  }
  return all.map(({ coordinates }) => coordinates)
}

function int32s(numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length)
  for (const [i, number] of numbers.entries()) bytes.writeInt32LE(number, 4 * i)
  return bytes
}

test(`random writes and reads, seed ${SEED}`, async () => {
  const random = randomFrom(SEED)
  const domain = await newDomain()
  const asked: { readonly item: object; readonly expected: () => Buffer }[] = []
  for (let run = 0; run < 12; run++) {
    const shape = upTo(1 + random(4)).map(() => 1 + random(8))
    const layout = { class: 'H5D_CHUNKED', dims: shape.map(extent => 1 + random(extent)) }
    const creationProperties = { layout }
    const link = { id: domain.root, name: `d${run}` }
    const id = await domain.dataset({ type: 'H5T_STD_I32LE', shape, creationProperties, link })
    const path = `/datasets/${id}/value`
    const stored = new Map<string, number>()
    const expected = (coordinates: readonly number[][]) =>
      int32s(coordinates.map(coordinate => stored.get(coordinate.join()) ?? 0))
    for (let step = 0; step < 8; step++) {
      const length = 1 + random(6)
      const items = shape.map(extent => randomItem(extent, length, random))
      const select = `[${items.map(item => item.text)}]`
      const coordinates = selected(items)
      if (random(2) === 0) {
        const values = coordinates.map(() => random(1000))
        coordinates.forEach((coordinate, i) => {
          stored.set(coordinate.join(), values[i] ?? 0)
        })
        const named = { h5path: `/d${run}`, select }
        const earlier = { ...named, value: values.map(() => -1) }
        const way = random(3)
        if (way === 0) await domain.want(200, 'PUT', `${path}?select=${select}`, int32s(values), WRITE_BYTES)
        else if (way === 1) await domain.want(200, 'PUT', path, { select, value: values })
        else await domain.want(200, 'PUT', '/values', { values: [earlier, { id, select, value: values }] })
      }
      asked.push({
        item: random(2) === 0 ? { id, select } : { h5path: `d${run}`, select },
        expected: () => expected(coordinates),
      })
      const read = await domain.send('GET', `${path}?select=${select}`, undefined, READ_BYTES)
      expect(read.status, read.story).toBe(200)
      expect(read.bytes, `${select} of [${shape}]`).toEqual(expected(coordinates))

      const points = upTo(random(20)).map(() => shape.map(extent => random(extent)))
      const found = await domain.send('POST', path, { points }, READ_BYTES)
      expect(found.status, found.story).toBe(200)
      expect(found.bytes, `${JSON.stringify(points)} of [${shape}]`).toEqual(expected(points))
      asked.push({ item: { id, points }, expected: () => expected(points) })
    }
  }
  const values = asked.map(({ item }) => item)
  const together = await domain.send('POST', '/values?format=multipart', { values })
  expect(together.status, together.story).toBe(200)
  const parts = partsOf(together)
  expect(parts).toHaveLength(asked.length)
  for (const [i, { item, expected }] of asked.entries()) {
    expect(parts[i]?.body, JSON.stringify(item)).toEqual(expected())
  }
})
