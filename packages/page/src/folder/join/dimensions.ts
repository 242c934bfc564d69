// The dimensions of a file that its datasets name: dimension scales and labels. The dialog offers them.

import type { Api, Domain, Hyperslab } from '@hyperslab/client'
import {
  bytesOfBase64,
  decodeElements,
  elementsFromJson,
  extentsOf,
  parseDatatype,
  productOf,
} from '@hyperslab/client/elements'
import { nameOf } from '../../shell/address.ts'
import { joinable } from './pattern.ts'

export interface Dimensions {
  readonly names: readonly string[]
  /** The one along which files are probably joined; undefined: any may be it. */
  readonly likely: string | undefined
}

/** Datasets that are looked at, those near the root first. @limit safety, datasets */
const MAX_DATASETS = 300
/** Bytes of an attribute: names are shorter. @limit memory, bytes */
const MAX_VALUE_BYTES = 4096
/** Datasets whose dimensions have no names, and that are offered. @limit safety, datasets */
const MAX_UNNAMED = 20

/** Folders within each other that are searched for a file. @limit safety, folders */
const MAX_DEPTH = 8
/** Entries of each that are looked at. @limit safety, entries */
const MAX_ENTRIES = 100

type Row = Parameters<typeof joinable>[0][number]

/** The first file of a list, or of the first folder in it; undefined: there is none soon. */
export async function firstFile(
  client: Pick<Hyperslab, 'folder'>,
  rows: readonly Row[],
  signal: AbortSignal,
  depth = MAX_DEPTH,
): Promise<string | undefined> {
  const [file] = joinable(rows)
  const folder = rows.find(row => row.class === 'folder')
  if (file || folder === undefined || depth === 0) return file?.name
  const inside: Row[] = []
  for await (const row of client.folder(folder.name, { pageSize: MAX_ENTRIES, signal })) {
    inside.push(row)
    if (inside.length === MAX_ENTRIES) break
  }
  return firstFile(client, inside, signal, depth - 1)
}

export async function dimensionsOf(
  domain: Pick<Domain, 'paths' | 'objects'>,
  signal: AbortSignal,
): Promise<Dimensions> {
  const scales: string[] = []
  const unlimited: string[] = []
  const labels = new Set<string>()
  const unnamed: string[] = []
  for (const [path, object] of await datasetsOf(domain, signal)) {
    const texts = (name: string) => textsIn(object.attributes?.[name])
    const [extent] = extentsOf(object.shape) ?? []
    if (extent === undefined) continue
    if (texts('CLASS')[0] === 'DIMENSION_SCALE') {
      scales.push(nameOf(path))
      if ('maxdims' in object.shape && object.shape.maxdims?.[0] === 0) unlimited.push(nameOf(path))
    }
    const named = texts('DIMENSION_LABELS').filter(label => label !== '')
    for (const label of named) labels.add(label)
    if (named.length === 0 && unnamed.length < MAX_UNNAMED) unnamed.push(`${path}#0`)
  }
  const names = [...new Set([...unlimited, ...scales, ...labels])]
  if (names.length === 0) return { names: unnamed, likely: unnamed.length === 1 ? unnamed[0] : undefined }
  return {
    names,
    likely:
      unlimited[0] ?? names.find(name => /^time$/i.test(name)) ?? (names.length === 1 ? names[0] : undefined),
  }
}

type FoundDataset = Extract<Api.FoundObject, { readonly class: 'dataset' }>

async function datasetsOf(
  domain: Pick<Domain, 'paths' | 'objects'>,
  signal: AbortSignal,
): Promise<readonly (readonly [string, FoundDataset])[]> {
  const paths: string[] = []
  for await (const listed of domain.paths({ signal })) {
    paths.push(...listed.flatMap(({ path, kind }) => (kind === 'dataset' ? [path] : [])))
    if (paths.length >= MAX_DATASETS) break
  }
  const found = await domain.objects(paths.slice(0, MAX_DATASETS), { attributes: MAX_VALUE_BYTES, signal })
  return [...found].flatMap(([path, object]) =>
    'class' in object && object.class === 'dataset' ? [[path, object] as const] : [],
  )
}

/** The strings of an attribute; none: it has others, or none. */
function textsIn(item: Api.AttributeItem | undefined): readonly string[] {
  if (item === undefined || 'unreadable' in item || item.value === undefined) return []
  const type = parseDatatype(item.type)
  const shape = extentsOf(item.shape)
  if (type.class !== 'H5T_STRING' || shape === undefined) return []
  const elements =
    item.encoding === 'base64'
      ? decodeElements(type, productOf(shape), bytesOfBase64(String(item.value)))
      : elementsFromJson(type, shape, item.value)
  return Array.from(elements, String)
}
