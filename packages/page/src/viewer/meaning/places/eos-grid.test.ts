import { expect, it } from 'vitest'
import { degreesOf, placesIn } from './eos-grid.ts'

/** As the library writes it: tabs, and numbers with six digits. */
function textOf(lines: readonly string[], field: readonly string[] = []): string {
  return [
    'GROUP=GridStructure',
    '\tGROUP=GRID_1',
    '\t\tGridName="Other"',
    '\t\tXDim=7',
    '\tEND_GROUP=GRID_1',
    '\tGROUP=GRID_2',
    '\t\tGridName="OMI Column"',
    ...lines.map(line => `\t\t${line}`),
    '\t\tGROUP=DataField',
    '\t\t\tOBJECT=DataField_1',
    '\t\t\t\tDataFieldName="O3"',
    ...field.map(line => `\t\t\t\t${line}`),
    '\t\t\tEND_OBJECT=DataField_1',
    '\t\tEND_GROUP=DataField',
    '\tEND_GROUP=GRID_2',
    'END_GROUP=GridStructure',
  ].join('\n')
}

const WORLD = [
  'XDim=4',
  'YDim=2',
  'UpperLeftPointMtrs=(-180000000.000000,90000000.000000)',
  'LowerRightMtrs=(180000000.000000,-90000000.000000)',
  'Projection=HE5_GCTP_GEO',
]
const all = (stop: number) => ({ start: 0, stop })

it('degrees of the world are the middles of its cells, from the north on', async () => {
  const places = placesIn(textOf(WORLD), 'OMI Column', 'O3', [3, 2, 4])
  if (places?.kind !== 'axes') throw new Error('no axes')
  expect([places.y, places.x]).toEqual([1, 2])
  expect(await places.latitude.numbers(all(2))).toEqual(Float64Array.of(45, -45))
  expect(await places.longitude.numbers(all(4))).toEqual(Float64Array.of(-135, -45, 45, 135))
})

it('another corner may be the first, and the columns may come before the rows', async () => {
  const text = textOf([...WORLD, 'GridOrigin=HE5_HDFE_GD_LL'], ['DimList=("XDim","YDim")'])
  const places = placesIn(text, 'OMI Column', 'O3', [4, 2])
  if (places?.kind !== 'axes') throw new Error('no axes')
  expect([places.y, places.x]).toEqual([1, 0])
  expect(await places.latitude.numbers(all(2))).toEqual(Float64Array.of(-45, 45))
})

it('a sinusoidal tile is in metres of its sphere', async () => {
  const side = 1_111_950.519667
  const text = textOf([
    'XDim=2',
    'YDim=2',
    `UpperLeftPointMtrs=(0.000000,${side})`,
    `LowerRightMtrs=(${side},0.000000)`,
    'Projection=HE5_GCTP_SNSOID',
    'ProjParams=(6371007.181000,0,0,0,0,0,0,0,0,0,0,0,0)',
  ])
  const places = placesIn(text, 'OMI Column', 'O3', [2, 2])
  if (places?.kind !== 'plane') throw new Error('no plane')
  const [y = Number.NaN] = (await places.rows.numbers(all(2))) as Float64Array
  const [x = Number.NaN] = (await places.columns.numbers(all(2))) as Float64Array
  const [longitude, latitude] = (await places.toEarth())(x, y)
  expect(latitude).toBeCloseTo(7.5, 4)
  expect(longitude).toBeCloseTo(2.5 / Math.cos((7.5 * Math.PI) / 180), 4)
})

it.each([
  ['of another name', 'None', 'O3', [2, 4], WORLD],
  ['of another shape', 'OMI Column', 'O3', [5, 4], WORLD],
  [
    'in a projection that is not known',
    'OMI Column',
    'O3',
    [2, 4],
    [...WORLD.slice(0, 4), 'Projection=HE5_GCTP_ISINUS'],
  ],
  ['without corners', 'OMI Column', 'O3', [2, 4], WORLD.slice(0, 2)],
  ['of another field', 'Other', 'O3', [2, 4], WORLD],
])('a grid %s has no places', (_, grid, field, shape, lines) => {
  expect(placesIn(textOf(lines), grid, field, shape)).toBeUndefined()
})

it.each([
  [-180_000_000, -180],
  [52_030_000, 52.5],
  [10_000_036, 10.01],
  [0, 0],
])('%d is packed for %d degrees', (packed, degrees) => {
  expect(degreesOf(packed)).toBeCloseTo(degrees)
})
