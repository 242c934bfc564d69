// The icon of an object in the tree: how it is shown first, as far as its attributes and the list of its group say so.
// Nothing is requested for it.

import { isComplex, numberForm } from '@hyperslab/client/elements'
import { firstLookOf, textOf, textsOf } from '@hyperslab/meaning/meaning'
import type { IconName } from '../../common/Icon.tsx'
import type { Entity, Kind, Member } from '../data/contents.ts'
import { drawnDataset, pointColumns } from '../data/plot.ts'
import { scalesOf } from '../group/variables.ts'
import { isTableGroup } from '../table/group-table.ts'

/** The icons by what people call such an object. */
export const OBJECT_ICONS = {
  'committed datatype': 'datatype',
  damaged: 'unreadable',
  dataset: 'dataset',
  group: 'folder',
  image: 'picture',
  line: 'line',
  link: 'link',
  map: 'map',
  'not found': 'unreadable',
  points: 'line',
  scalar: 'scalar',
  table: 'table',
  text: 'text',
} as const satisfies Readonly<Record<string, IconName>>

export type ObjectWord = keyof typeof OBJECT_ICONS

/** What a link says of an object that is not loaded. */
export function wordOfKind(kind: Kind | 'link' | undefined): ObjectWord {
  return kind === 'datatype' ? 'committed datatype' : (kind ?? 'link')
}

/** `siblings`: the members of its group. */
export function wordOf(entity: Entity, siblings: readonly Member[]): ObjectWord {
  if (entity.object.damage !== undefined) return 'damaged'
  if (entity.kind === 'dataset') return wordOfDataset(entity, siblings)
  return entity.kind === 'group' && isTableGroup(entity) ? 'table' : wordOfKind(entity.kind)
}

function wordOfDataset({ dataset, attributes }: Entity, siblings: readonly Member[]): ObjectWord {
  const { type, shape = [] } = dataset ?? {}
  if (type?.class === 'H5T_STRING') return 'text'
  if (dataset === undefined || type === undefined || shape.length === 0) return 'scalar'
  if (!isComplex(type)) {
    if (type.class === 'H5T_COMPOUND') return 'table'
    if (numberForm(type) === undefined) return 'dataset'
  }
  const { kind } = firstLookOf(drawnDataset(dataset), attributes, new Map())
  if (kind !== 'image') return kind === 'line' ? 'line' : 'image'
  if (pointColumns(dataset) === 2 && scalesOf({ dataset, attributes }) === undefined) return 'points'
  const titles = new Map(siblings.map(({ id, title }) => [id, title]))
  const names = [
    ...(scalesOf({ dataset, attributes })?.map(id => titles.get(id) ?? '') ?? []),
    ...(textsOf(attributes, '_ARRAY_DIMENSIONS') ?? []),
    ...(textOf(attributes, 'coordinates')?.split(/\s+/) ?? []),
  ]
  return COORDINATES.every(one => names.some(name => one.test(name))) ? 'map' : 'image'
}

/** Names of latitudes and longitudes; `XLAT` is that of WRF, `nav_lat` that of NEMO. */
const COORDINATES = [/(^|[^a-z])x?lat(itude)?s?(_|$)/i, /(^|[^a-z])x?lon(g|gitude)?s?(_|$)/i]
