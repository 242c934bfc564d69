// The objects of a file, which are put beside those of other files.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { extentsOf } from '@hyperslab/model/dataset'
import { type Outline, readDimensions } from '../outlines/outline.ts'
import { type OutlinedObject, type WalkedObject, walkObjects } from './walk-objects.ts'

/** Links, or attributes of groups, of one file of a union. @limit safety, links */
const MAX_MEMBERS = 65_536

export async function readObjects(reader: H5FileReader): Promise<Outline> {
  let left = MAX_MEMBERS
  const use = (members: number) => {
    left -= members
    if (left < 0)
      throw new HyperslabError(
        'file-unreadable',
        `its groups have more than ${MAX_MEMBERS} links and attributes`,
      )
  }
  const readGroup = async (address: FileAddress) => {
    const links: FileLink[] = []
    for await (const batch of reader.links(address)) {
      use(batch.length)
      links.push(...batch)
    }
    const attributes: string[] = []
    for await (const batch of reader.attributes(address, () => undefined)) {
      use(batch.length)
      attributes.push(...batch.map(({ name }) => name))
    }
    return { links, attributes }
  }
  const read = async ({ address, path, kind }: WalkedObject) => {
    const members = kind === 'group' ? await readGroup(address) : {}
    const dimensions = kind === 'dataset' ? await readScales(reader, address) : {}
    return [address, { path, kind, ...members, ...dimensions }] as const
  }
  return { datasets: new Map(), extent: 0, objects: new Map(await walkObjects(reader, read)) }
}

async function readScales(
  reader: H5FileReader,
  address: FileAddress,
): Promise<Pick<OutlinedObject, 'scale' | 'scales'>> {
  const { isScale, names, number } = await readDimensions(reader, address)
  const scales = names.map(name => (typeof name === 'object' ? name.scale : undefined))
  const own = scales.some(scale => scale !== undefined) && { scales }
  if (!isScale) return { ...own }
  const [length] = extentsOf((await reader.dataset(address)).space)
  // A scalar is no coordinate of a dimension.
  return {
    ...own,
    ...(length !== undefined && { scale: { length, ...(number !== undefined && { number }) } }),
  }
}
