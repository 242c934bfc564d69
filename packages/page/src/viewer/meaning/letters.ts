// Strings that netCDF stores as letters: a dataset of strings of one byte whose last dimension is the length of strings
// (CF 2.2). The page shows them as a dataset of strings that has one dimension less.
//
// A dimension is the length of strings if it has no coordinates and only such datasets use it, as their last dimension
// (REFERENCE_LIST). Flags of one letter for each measurement stay letters: their dimension is used by numbers too.
// Without dimensions of netCDF letters stay letters.

import type { DatasetShape, Datatype, Domain, Elements, Selection } from '@hyperslab/client'
import { decodeElements, extentsOf, parseDatatype } from '@hyperslab/client/elements'
import { isOnlyName } from '@hyperslab/meaning/meaning'
import type { Attributes, DomainSource } from './attributes.ts'

/** A dataset as the page shows it. */
export interface ShownDataset extends DatasetShape {
  /** The strings are stored as so many letters, along a dimension that is not in the shape. */
  readonly letters?: number
}

/**
 * Other datasets that use a dimension and are looked at: a length of strings is used by few.
 * @limit safety, datasets
 */
const MAX_USERS = 16

/** Whether the elements may be letters. */
export function mayBeLetters({ type, shape = [] }: Pick<DatasetShape, 'type' | 'shape'>): boolean {
  return type.class === 'H5T_STRING' && type.length === 1 && (shape.at(-1) ?? 0) > 0
}

/** The dataset of strings, if the dimension with this scale is their length. */
export async function joinLetters(
  source: DomainSource,
  dataset: DatasetShape,
  scale: Attributes,
  signal: AbortSignal | undefined,
): Promise<ShownDataset> {
  const { shape = [] } = dataset
  if (!mayBeLetters(dataset) || !isOnlyName(scale)) return dataset
  const users = usersOf(scale)
  if (users === undefined) return dataset
  const dimensions = new Map(users)
  dimensions.delete(dataset.id)
  if (dimensions.size > MAX_USERS) return dataset
  const areLetters = await Promise.all(
    Array.from(dimensions, async ([id, dimension]) => {
      const parameters = { id, domain: source.domain.pathOf(id) }
      const other = await source.client.request('GET /datasets/{id}', parameters, { signal })
      const shape = extentsOf(other.shape)
      return (
        mayBeLetters({ type: parseDatatype(other.type), shape }) && dimension === (shape?.length ?? 0) - 1
      )
    }),
  )
  if (areLetters.includes(false)) return dataset
  const letters = shape.at(-1) ?? 0
  return { ...dataset, type: stringOf(letters), shape: shape.slice(0, -1), letters }
}

/** The datasets that use a scale, each with its dimension; undefined: they are not known. */
function usersOf(scale: Attributes): readonly (readonly [id: string, dimension: number])[] | undefined {
  const list = scale.get('REFERENCE_LIST')?.data
  if (list === undefined) return scale.has('REFERENCE_LIST') ? undefined : []
  return Array.from(list as ArrayLike<unknown>).flatMap(item => {
    const [reference, dimension] = Array.isArray(item) ? item : []
    const id = datasetId(reference)
    return id === undefined ? [] : [[id, Number(dimension)] as const]
  })
}

/** The id in a reference such as `datasets/d-…`. */
export function datasetId(reference: unknown): string | undefined {
  return typeof reference === 'string' ? /^(?:datasets\/)?(d-[\w-]+)$/.exec(reference)?.[1] : undefined
}

function stringOf(letters: number): Datatype {
  return { class: 'H5T_STRING', length: letters }
}

/** The selected elements. Blanks behind strings of letters fill their length, and are left out. */
export async function readShown(
  domain: Domain,
  dataset: ShownDataset,
  options: { readonly select?: Selection; readonly signal?: AbortSignal },
): Promise<Elements> {
  const { letters, shape = [] } = dataset
  if (letters === undefined) return (await domain.read(dataset, options)).data
  const bytes: Datatype = { class: 'H5T_INTEGER', base: 'H5T_STD_U8LE' }
  const { data } = await domain.read(
    { ...dataset, type: bytes, shape: [...shape, letters] },
    { ...options, ...(options.select && { select: [...options.select, undefined] }) },
  )
  const stored = data as Uint8Array<ArrayBuffer>
  const strings = decodeElements(stringOf(letters), stored.length / letters, stored)
  return Array.from(strings as ArrayLike<string>, string => string.replace(/[\0 ]+$/, ''))
}
