// The conversion of the parts of a file to those of a domain: objects, links and names. Imports and mounted files share
// it, so that both give the same answers.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileDataset, FileLink, FileObject, H5FileReader } from '@hyperslab/h5/reader'
import { isHarmless } from '@hyperslab/h5/reader'
import { elementCount } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectReference } from '@hyperslab/model/names'
import type { LinkTarget } from '@hyperslab/store/store'

/** Objects that are opened at once: a reader joins reads of near bytes. */
export const PARALLEL_OBJECTS = 64

export type OpenObject = Omit<FileObject, 'kind'> &
  (
    | { readonly kind: 'group' }
    | { readonly kind: 'dataset'; readonly dataset: FileDataset }
    | { readonly kind: 'datatype'; readonly type: Datatype }
  )

/** An object without its links, attributes and values. Throws when it cannot be part of a domain. */
export async function readObject(reader: H5FileReader, address: FileAddress): Promise<OpenObject> {
  const object = await reader.object(address)
  const { kind } = object
  switch (kind) {
    case 'group':
      return { ...object, kind }
    case 'datatype':
      return { ...object, kind, type: await reader.datatype(address) }
    case 'dataset': {
      const dataset = await reader.dataset(address)
      // Throws when it has more elements than a service takes.
      elementCount(dataset.space)
      return { ...object, kind, dataset }
    }
  }
}

/** Undefined: the object that a hard link leads to is not in the domain. */
export function linkTargetOf(
  link: FileLink,
  reference: (address: FileAddress) => ObjectReference | undefined,
): LinkTarget | undefined {
  switch (link.class) {
    case 'H5L_TYPE_HARD': {
      const target = reference(link.address)
      return target && { class: link.class, ...target }
    }
    case 'H5L_TYPE_SOFT':
      return { class: link.class, h5path: link.h5path }
    case 'H5L_TYPE_EXTERNAL':
      return { class: link.class, h5path: link.h5path, h5domain: link.file }
    case 'H5L_TYPE_USER_DEFINED':
      return { class: link.class }
  }
}

/** The name; throws if another member of the object has it. */
export function newName(name: string, others: Set<string>): string {
  if (others.has(name)) throw new HyperslabError('file-unreadable', `the file has the name "${name}" twice`)
  others.add(name)
  return name
}

/** The reason why a part of the file is left out; throws errors after which nothing more can be read. */
export function reasonOf(error: unknown): string {
  return harmless(error).message
}

/** The error, if it affects only one part of the file; throws others. */
export function harmless(error: unknown): HyperslabError {
  if (!isHarmless(error)) throw error
  return error
}
