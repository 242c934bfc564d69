// The link to a dataset's values: to all of them, or to the `preview` of a dataset of more than 100 elements, a corner
// of at most 100 of them (classic 7.3).

import { type Dataspace, elementCount } from '@hyperslab/model/dataset'
import { type Href, hrefTo, link, type Place } from './hrefs.ts'

/** The link to the values, whose path is `path`. */
export function dataLink(place: Place, path: string, space: Dataspace): Href {
  const preview = previewSelection(space)
  if (preview === undefined) return link(place, 'data', path)
  const select = `${place.suffix === '' ? '?' : '&'}select=${preview}`
  return { href: hrefTo(place, path) + select, rel: 'preview' }
}

/** `[0:1,0:10,0:10]`, or undefined when the whole dataset is small enough to show. */
export function previewSelection(space: Dataspace): string | undefined {
  if (space.class !== 'H5S_SIMPLE' || elementCount(space) <= 100) return undefined
  const { dims } = space
  let columns = Math.min(dims.at(-1) ?? 1, 100)
  let rows = dims.length > 1 ? Math.min(dims.at(-2) ?? 1, 100) : 1
  if (rows * columns > 100) {
    if (rows > columns) rows = Math.floor(100 / columns)
    else columns = Math.floor(100 / rows)
  }
  const ranges = dims.map((_, axis) => {
    if (axis === dims.length - 1) return `0:${columns}`
    return axis === dims.length - 2 ? `0:${rows}` : '0:1'
  })
  return `[${ranges.join(',')}]`
}
