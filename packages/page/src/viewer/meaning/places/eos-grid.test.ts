import { expect, it } from 'vitest'
import type { Contents } from '../../data/contents.ts'
import { degreesOf, geographyOfEosGrid, placesIn } from './eos-grid.ts'

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

/** A file whose text, as a string of any length, has these pieces; `log` gets what is done with its body. */
function fileOf(pieces: Iterator<string>, log: string[]) {
  const type = { class: 'H5T_STRING', length: 'H5T_VARIABLE' } as const
  const pull = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const { value, done } = pieces.next()
    if (done) controller.close()
    else controller.enqueue(new TextEncoder().encode(value))
  }
  const body = () => new ReadableStream({ pull, cancel: () => void log.push('cancelled') })
  const open = async () => {
    log.push('opened')
    return new Response(body())
  }
  const at = async () => ({ dataset: { id: 'd-1', type, shape: [] } })
  return { at, client: { open }, domain: { pathOf: () => '/file.h5' } } as unknown as Contents
}

const FIELD = '/HDFEOS/GRIDS/OMI Column/Data Fields/O3'

it('a string of any length is read in pieces', async () => {
  const text = textOf(WORLD)
  const pieces = ['\u0001\u0002\u0000\u0000', text.slice(0, 100), text.slice(100)]
  const places = await geographyOfEosGrid(fileOf(pieces.values(), []), FIELD, [2, 4])
  expect(places?.kind).toBe('axes')
})

it('of a string without an end only the beginning is read', async () => {
  function* endless() {
    yield textOf(WORLD)
    for (;;) yield ' '.repeat(2 ** 16)
  }
  const log: string[] = []
  const places = await geographyOfEosGrid(fileOf(endless(), log), FIELD, [2, 4])
  expect([places?.kind, log]).toEqual(['axes', ['opened', 'cancelled']])
})

it('nothing is read of a dataset that is no longer shown', async () => {
  const log: string[] = []
  const file = fileOf([''].values(), log)
  await expect(geographyOfEosGrid(file, FIELD, [2, 4], AbortSignal.abort())).rejects.toThrow('abort')
  expect(log).toEqual([])
})
