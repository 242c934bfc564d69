import { expect, test, vi } from 'vitest'
import { contentsOf, type FakeObject } from '../data/test-contents.ts'
import { detectorOf } from './detector.ts'

const isA = (name: string): FakeObject => ({ attributes: { NX_class: name } })
const SIDES = [4, 5]
const COUNTS = { class: 'H5T_INTEGER', base: 'H5T_STD_U16LE' } as const
const FLOAT = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' } as const

const FILE: Readonly<Record<string, FakeObject>> = {
  '/': {},
  '/e': isA('NXentry'),
  '/e/data': isA('NXdata'),
  '/e/data/data': { shape: [3, ...SIDES] },
  '/e/data/dectris': { shape: [7, 7], attributes: { image_nr_low: 1 } },
  '/e/instrument': isA('NXinstrument'),
  '/e/instrument/beam': isA('NXbeam'),
  '/e/instrument/eiger': isA('NXdetector'),
  '/e/instrument/eiger/flat': { shape: SIDES },
  '/e/instrument/eiger/detectorSpecific': {},
  '/e/instrument/eiger/detectorSpecific/pixel_mask': { shape: SIDES },
  '/e/instrument/eiger/saturation_value': { shape: [1] },
  '/e/instrument/other': isA('NXdetector'),
  '/e/instrument/other/image': { shape: [7, 7] },
}

function detectorAt(path: string, type: typeof COUNTS | typeof FLOAT, shape: readonly number[], limit = 500) {
  const contents = contentsOf(FILE)
  vi.spyOn(contents.domain, 'read').mockResolvedValue({ shape: [1], data: Float64Array.of(limit) })
  return detectorOf({ contents, path }, { id: path.replaceAll('/', '.'), type, shape })
}

const MASK = '.e.instrument.eiger.detectorSpecific.pixel_mask'

test('an image has the mask of the detector of its entry whose sides are the same', async () => {
  expect(await detectorAt('/e/data/data', FLOAT, [3, ...SIDES])).toMatchObject({
    mask: { id: MASK },
    saturation: 500,
  })
})

test('numbers from the saturation on are bad, and the greatest of a type of counts', async () => {
  const of = async (limit: number, type: typeof COUNTS | typeof FLOAT) =>
    (await detectorAt('/e/instrument/eiger/flat', type, SIDES, limit))?.saturation
  expect([await of(1e9, COUNTS), await of(1000, COUNTS), await of(0, FLOAT)]).toEqual([
    65_535,
    1000,
    undefined,
  ])
})

test.each(['/e/instrument/other/image', '/e/data/dectris'])(
  'an image of a detector without a mask has the greatest number only: %s',
  async path => {
    expect(await detectorAt(path, COUNTS, [7, 7])).toEqual({
      mask: undefined,
      saturation: 65_535,
    })
  },
)

test.each([
  ['another size', '/e/data/data', [3, 9]],
  ['one dimension', '/e/data/data', [5]],
  ['no entry above', '/alone', SIDES],
])('a dataset with %s is no image of a detector', async (_, path, shape) => {
  expect(await detectorAt(path, FLOAT, shape)).toBeUndefined()
})

test('the mask itself has no bad pixels', async () => {
  const contents = contentsOf(FILE)
  const path = '/e/instrument/eiger/detectorSpecific/pixel_mask'
  vi.spyOn(contents.domain, 'read').mockResolvedValue({ shape: [], data: Float64Array.of(5) })
  expect(await detectorOf({ contents, path }, { id: MASK, type: COUNTS, shape: SIDES })).toBeUndefined()
})
