import { expect, test } from 'vitest'
import type { Attributes, DomainSource } from './attributes.ts'
import { readPalette } from './palette.ts'

type Texts = Readonly<Record<string, string>>

function itemsOf(texts: Texts) {
  const type = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
  return Object.entries(texts).map(([name, value]) => ({
    name,
    type,
    shape: { class: 'H5S_SCALAR' },
    value,
  }))
}

/** A service that has one dataset, the palette. */
function sourceOf(base: string, dims: readonly number[], texts: Texts): DomainSource {
  const shape = { class: 'H5S_SIMPLE', dims }
  const dataset = { type: { class: 'H5T_INTEGER', base }, shape, attributeCount: 1, alias: ['/palette'] }
  const request = async (route: string) =>
    route.endsWith('attributes') ? { attributes: itemsOf(texts) } : dataset
  const domain = { pathOf: () => '/a', read: async () => ({ data: Uint8Array.of(1, 2, 3, 4, 5, 6) }) }
  return { client: { request }, domain } as unknown as DomainSource
}

function imageWith(texts: Texts): Attributes {
  return new Map(Object.entries(texts).map(([name, value]) => [name, { data: [value] }])) as never
}

const INDEXED = { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_INDEXED', PALETTE: 'datasets/d-1-2' }
const BYTE = 'H5T_STD_U8LE'

test('an image of indices has the colours of the dataset that it refers to', async () => {
  const source = sourceOf(BYTE, [2, 3], { PAL_COLORMODEL: 'RGB' })
  expect(await readPalette(source, imageWith(INDEXED))).toEqual(Uint8Array.of(1, 2, 3, 4, 5, 6))
})

test.each<[string, Texts, string, readonly number[], string]>([
  ['the image has numbers', { ...INDEXED, IMAGE_SUBCLASS: 'IMAGE_GRAYSCALE' }, BYTE, [2, 3], 'RGB'],
  ['it refers to nothing', { CLASS: 'IMAGE', IMAGE_SUBCLASS: 'IMAGE_INDEXED' }, BYTE, [2, 3], 'RGB'],
  ['it refers to a group', { ...INDEXED, PALETTE: 'groups/g-1-2' }, BYTE, [2, 3], 'RGB'],
  ['the palette has other parts', INDEXED, BYTE, [2, 4], 'RGB'],
  ['the palette is too long', INDEXED, BYTE, [2 ** 17, 3], 'RGB'],
  ['its parts are no bytes', INDEXED, 'H5T_STD_U16LE', [2, 3], 'RGB'],
  ['its parts are no light', INDEXED, BYTE, [2, 3], 'HSV'],
])('there is none where %s', async (_, image, base, dims, model) => {
  expect(await readPalette(sourceOf(base, dims, { PAL_COLORMODEL: model }), imageWith(image))).toBeUndefined()
})
