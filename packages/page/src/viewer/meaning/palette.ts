// The palette of an image of indices, as the specification of images of HDF5 has it: a dataset that has red, green and
// blue for each index, to which the image refers.

import { numberForm } from '@hyperslab/client/elements'
import { type Attributes, textOf } from '@hyperslab/meaning/meaning'
import type { DomainSource } from './attributes.ts'
import { findById } from './axes.ts'
import { datasetId } from './letters.ts'

/** Three bytes of each index. */
export type Palette = Uint8Array

/** Colours of a palette at most: indices have 16 bits. @limit memory, elements */
const MAX_COLOURS = 65_536

/** Undefined: the image has none, or none that can be drawn. */
export async function readPalette(
  source: DomainSource,
  attributes: Attributes,
  signal?: AbortSignal,
): Promise<Palette | undefined> {
  const isIndexed = textOf(attributes, 'IMAGE_SUBCLASS') === 'IMAGE_INDEXED'
  const id = isIndexed ? datasetId(attributes.get('PALETTE')?.data?.[0]) : undefined
  if (id === undefined) return undefined
  const found = await findById(source, id, signal)
  if (typeof found === 'string') return undefined
  const { dataset } = found
  const [count = 0, ...parts] = dataset.shape ?? []
  const model = textOf(found.attributes, 'PAL_COLORMODEL') ?? 'RGB'
  const { kind, size } = numberForm(dataset.type) ?? {}
  const isOfBytes = kind === 'unsigned' && size === 1
  if (model !== 'RGB' || !isOfBytes || parts.join() !== '3' || count > MAX_COLOURS) return undefined
  const { data } = await source.domain.read(dataset, { ...(signal && { signal }) })
  return Uint8Array.from(data as ArrayLike<number>)
}
