// A picture of a domain, for listings: of the default plot of a NeXus file, else of the first field of numbers that
// links lead to. It reads about as many elements as a small picture has points.

import { isTurnOver, nextTurn } from '../../bounded/turns.ts'
import { extentsOf } from '../../hdf5/dataspace.ts'
import { isNumeric } from '../../hdf5/reduction/reduction.ts'
import type { SelectionRequest } from '../../hdf5/selection/request.ts'
import type { Dataset } from '../../storage/store.ts'
import { hasPermission, requirePermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'
import type { LocatedObject } from '../links/paths.ts'
import { findDefaultPlot } from './default-plot.ts'
import { reduceValues } from './reductions.ts'
import { readValues, type SelectedValues } from './values.ts'

/** Rows and columns, at most. */
const SIDE = 128
/** The most links that are read: hard links, and links of other classes that are skipped. */
const MAX_OBJECTS = 1000
const MAX_PASSED = 10_000
/** Elements of a field that are read for a picture. */
const MAX_ELEMENTS = 2 ** 24
/** A last dimension of up to this many elements is one of colours, not of columns. */
const MAX_COLOURS = 4

/** The dimensions of a picture in a dataset, and its index in the others. */
interface Field {
  readonly domain: OpenDomain
  readonly dataset: Dataset
  readonly rows: number
  readonly columns: number
}

/**
 * Undefined: the domain has no such field, or none that the caller may read. Needs the permission to read the root
 * group.
 */
export async function readThumbnail(
  context: Context,
  domain: OpenDomain,
): Promise<SelectedValues | undefined> {
  requirePermission(context, 'read', domain)
  const plot = await findDefaultPlot(context, domain)
  // The picture shows the same as the page, or there is none: a line has no rows and columns.
  const field = plot ? await fieldOf(context, plot) : await findField(context, domain)
  if (!field) return undefined
  const { dataset, rows, columns } = field
  const extents = extentsOf(dataset.space)
  const isShown = (dimension: number) => dimension === rows || dimension === columns
  const selection: SelectionRequest = {
    kind: 'select',
    grammar: 'lists',
    // A stack is shown by its middle slice: the first one is often empty.
    items: extents.map((extent, d) => {
      const middle = d > columns ? 0 : Math.floor(extent / 2)
      return isShown(d) ? {} : { start: middle, stop: middle + 1 }
    }),
  }
  const factor = Math.ceil(Math.max(extents[rows], extents[columns]) / SIDE)
  const factors = extents.map((_, d) => (isShown(d) ? factor : 1))
  const values = await readValues(context, field.domain, dataset.id, { selection })
  return reduceValues(context, values, { name: 'mean', factors })
}

/** Groups near the root first, their members by name. */
async function findField(context: Context, domain: OpenDomain): Promise<Field | undefined> {
  const { reader } = context
  const groups = new Set([domain.root.id])
  let [count, passed] = [0, 0]
  for (const group of groups) {
    context.signal.throwIfAborted()
    for await (const { target } of reader.links(group)) {
      if (isTurnOver()) await nextTurn()
      if (target.class !== 'H5L_TYPE_HARD') {
        if (++passed > MAX_PASSED) return undefined
        continue
      }
      if (++count > MAX_OBJECTS) return undefined
      const object = await reader.object(target.id)
      if (!object || !hasPermission(context, 'read', domain, object)) continue
      if (object.kind === 'group') groups.add(object.id)
      const field = await fieldOf(context, { domain, object })
      if (field) return field
    }
  }
  return undefined
}

async function fieldOf({ reader }: Context, { domain, object }: LocatedObject): Promise<Field | undefined> {
  if (object.kind !== 'dataset' || object.unreadable !== undefined || !isNumeric(object.type))
    return undefined
  const extents = extentsOf(object.space)
  const columns = extents.length - (extents.length > 2 && (extents.at(-1) ?? 0) <= MAX_COLOURS ? 2 : 1)
  const rows = columns - 1
  if (rows < 0 || extents.includes(0)) return undefined
  const [height, width] = [extents[rows], extents[columns]]
  if (height < 2 || width < 2 || height * width > MAX_ELEMENTS) return undefined
  // Elements that were never written have one colour.
  if ((await reader.allocation(object.id)).chunks === 0) return undefined
  return { domain, dataset: object, rows, columns }
}
