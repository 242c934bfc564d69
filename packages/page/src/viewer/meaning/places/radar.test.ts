import { numberForm } from '@hyperslab/client/elements'
import { expect, it } from 'vitest'
import type { Contents } from '../../data/contents.ts'
import { meaningOf } from '../values.ts'
import { describeRadar, fromSite } from './radar.ts'

type Value = string | number | readonly number[]

const STRING = { class: 'H5T_STRING', length: 'H5T_VARIABLE' } as const
const DOUBLE = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const

/** Groups that have attributes, by their paths. */
function contentsOf(groups: Readonly<Record<string, Readonly<Record<string, Value>>>>) {
  const attributeOf = ([name, value]: readonly [string, Value]) => {
    const type = typeof value === 'string' ? STRING : DOUBLE
    const data = [value].flat()
    return [name, { name, type, form: numberForm(type), shape: [], data }] as const
  }
  return {
    async at(path: string) {
      const attributes = groups[path]
      if (attributes === undefined) throw new Error(`nothing is at ${path}`)
      return { attributes: new Map(Object.entries(attributes).map(attributeOf)) }
    },
  } as unknown as Contents
}

const WHAT = { quantity: 'DBZH', gain: 0.5, offset: -32, nodata: 255, undetect: 0 }
const SCAN = {
  '/dataset1/data1/what': WHAT,
  '/dataset1/where': { elangle: 0.5, rscale: 500, rstart: 1, nrays: 4, nbins: 3 },
  '/where': { lon: 10, lat: 50, height: 100 },
}

it('a scan has the numbers of its quantity, and the places of its rays', async () => {
  const radar = await describeRadar(contentsOf(SCAN), '/dataset1/data1/data', [4, 3])
  const meaning = meaningOf({ class: 'H5T_INTEGER', base: 'H5T_STD_U8LE' }, radar?.attributes ?? new Map())
  expect([meaning.title, meaning.units]).toEqual(['DBZH', 'dBZ'])
  expect(Array.from(meaning.unpack(Uint8Array.of(0, 64, 255)) as Float64Array)).toEqual([
    Number.NaN,
    0,
    Number.NaN,
  ])
  const { geography } = radar ?? {}
  if (geography?.kind !== 'plane') throw new Error('no places')
  expect([geography.y, geography.x]).toEqual([0, 1])
  expect(await geography.rows.numbers({ start: 0, stop: 4 })).toEqual(Float64Array.of(45, 135, 225, 315))
  expect(await geography.columns.numbers({ start: 1, stop: 3 })).toEqual(Float64Array.of(1750, 2250))
  const [longitude, latitude] = (await geography.toEarth())(2000, 45)
  expect([longitude > 10, latitude > 50]).toEqual([true, true])
})

it('rays have the azimuths that the file gives, and grow over the north', async () => {
  const how = { startazA: [350, 80, 170, 260], stopazA: [80, 170, 260, 350] }
  const radar = await describeRadar(
    contentsOf({ ...SCAN, '/dataset1/how': how }),
    '/dataset1/data1/data',
    [4, 3],
  )
  const { geography } = radar ?? {}
  if (geography?.kind !== 'plane') throw new Error('no places')
  expect(await geography.rows.numbers({ start: 0, stop: 4 })).toEqual(Float64Array.of(395, 485, 575, 665))
})

it('a composite begins with its northern row, at its corner', async () => {
  const where = { projdef: '+proj=merc +R=6371000', xscale: 1000, yscale: 1000, LL_lon: 10, LL_lat: 0 }
  const radar = await describeRadar(
    contentsOf({ '/dataset1/data1/what': WHAT, '/where': where }),
    '/dataset1/data1/data',
    [2, 3],
  )
  const { geography } = radar ?? {}
  if (geography?.kind !== 'plane') throw new Error('no places')
  expect(await geography.rows.numbers({ start: 0, stop: 2 })).toEqual(Float64Array.of(1500, 500))
  expect((await geography.toEarth())(0, 0)).toEqual([expect.closeTo(10), expect.closeTo(0)])
})

it.each([
  ['of another name', SCAN, '/dataset1/data1/values', [4, 3]],
  ['without a quantity', { '/where': { lon: 1, lat: 2 } }, '/dataset1/data1/data', [4, 3]],
])('a dataset %s is of no radar', async (_, groups, path, shape) => {
  expect(await describeRadar(contentsOf(groups), path, shape)).toBeUndefined()
})

it('a scan without a site has numbers, and no places', async () => {
  const { '/where': _, ...others } = SCAN
  const radar = await describeRadar(contentsOf(others), '/dataset1/data1/data', [4, 3])
  expect([radar?.attributes.size, radar?.geography]).toEqual([6, undefined])
})

it('a degree to the north or to the east is where the compass says', () => {
  const distance = (Math.PI / 180) * 6_371_000
  const toEarth = fromSite({ longitude: 179.5, latitude: 0, elevation: 0 })
  const [, north] = toEarth(distance, 360)
  expect(north).toBeCloseTo(1, 2)
  const [east] = toEarth(distance, 90)
  expect(east).toBeCloseTo(180.5, 2)
  // A steep beam is soon high, and above places that are near.
  const [, steep] = fromSite({ longitude: 0, latitude: 0, elevation: 60 })(distance, 0)
  expect(steep).toBeCloseTo(0.5, 1)
})

it('nothing is made of a dataset that is no longer shown', async () => {
  const found = describeRadar(contentsOf(SCAN), '/dataset1/data1/data', [4, 3], AbortSignal.abort())
  await expect(found).rejects.toThrow('abort')
})
