import { expect, it } from 'vitest'
import type { Attribute } from './attributes.ts'
import { readRadar } from './radar.ts'

type Groups = Readonly<Record<string, Readonly<Record<string, string | number>>>>

/** The values of the attributes that the groups give to a dataset, and the groups that were asked for. */
async function valuesOf(groups: Groups, path: string) {
  const asked: string[] = []
  const radar = await readRadar(path, async group => {
    asked.push(group)
    const attributes = Object.entries(groups[group] ?? {})
    return new Map(attributes.map(([name, value]): [string, Attribute] => [name, { data: [value] }]))
  })
  const values =
    radar && Object.fromEntries([...radar.attributes].map(([name, { data }]) => [name, data?.[0]]))
  return { values, asked, radar }
}

const WHAT = { quantity: 'DBZH', gain: 0.5, offset: -32, nodata: 255, undetect: 0 }

it('a dataset has what the groups around it say, the nearest first', async () => {
  const groups = {
    '/dataset1/what': { quantity: 'TH', gain: 9 },
    '/dataset1/data1/what': WHAT,
    '/where': { lon: 10 },
  }
  const { values, asked, radar } = await valuesOf(groups, '/dataset1/data1/data')
  expect(values).toEqual({
    scale_factor: 0.5,
    add_offset: -32,
    _FillValue: 255,
    missing_value: 0,
    long_name: 'DBZH',
    units: 'dBZ',
  })
  expect(asked).toEqual(['/what', '/dataset1/what', '/dataset1/data1/what'])
  expect((await radar?.around('where'))?.get('lon')?.data).toEqual([10])
})

it.each([
  ['/dataset1/data1/values', { '/dataset1/data1/what': WHAT }],
  ['/dataset1/data1/data', { '/dataset1/data1/what': { gain: 1 } }],
  ['/dataset1/data1/data', {}],
])('%s among %o is of no radar', async (path, groups) => {
  expect((await valuesOf(groups, path)).values).toBeUndefined()
})

it('a quantity without known units has none', async () => {
  const { values } = await valuesOf({ '/data1/what': { quantity: 'X', gain: 1 } }, '/data1/data')
  expect(values).toEqual({ scale_factor: 1, long_name: 'X' })
})
