// Folders at `/h5/`, as file servers list them: a page of links for programs that walk such pages, and JSON.

import { type DomainPath, isTopLevel, nameOf } from '@hyperslab/model/names'
import type { ListedEntry } from '../../service/domains/folder-listing.ts'
import { presentFolderChildren } from '../dialect/folder-children.ts'
import type { Place } from '../dialect/hrefs.ts'
import { escapeHtml } from '../message/html.ts'
import { jsonReply, type Reply } from '../message/message.ts'

/** Rows of a page of links; another page follows. @limit memory, rows */
export const MAX_ROWS = 10_000

/** A page of a folder. */
export interface ShownFolder {
  readonly path: DomainPath
  readonly entries: readonly ListedEntry[]
  /** Whether entries follow. */
  readonly hasMore: boolean
}

export function folderReply({ path, entries, hasMore }: ShownFolder, place: Place, isJson: boolean): Reply {
  const last = entries.at(-1)
  const next = hasMore && last ? `?Marker=${encodeURIComponent(nameOf(last.entry.path))}` : undefined
  const headers = {
    'Content-Security-Policy': "default-src 'none'",
    ...(next !== undefined && { Link: `<${next}>; rel="next"` }),
  }
  if (isJson) return { ...jsonReply(presentFolderChildren(place, entries)), headers }
  const rows = [
    ...(isTopLevel(path) ? [] : ['<a href="../">../</a>']),
    ...entries.map(rowOf),
    ...(next === undefined ? [] : [`<a href="${escapeHtml(next)}" rel="next">the next page</a>`]),
  ]
  // GDAL looks for this title, and reads dates in this form.
  const title = escapeHtml(`Index of ${place.prefix}/h5${isTopLevel(path) ? '' : path}/`)
  const head = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${title}</title>\n`
  const text = `${head}<h1>${title}</h1>\n<pre>${rows.join('\n')}\n</pre>\n`
  return { status: 200, headers, text: { contentType: 'text/html; charset=utf-8', text } }
}

/** The name, the time of the last change and the size, which only mounted files have before they are read. */
function rowOf({ entry }: ListedEntry): string {
  const { path, root, lastModified, fileSize } = entry
  const slash = root === undefined ? '/' : ''
  const name = nameOf(path)
  const [, day, month, year, time] = new Date(lastModified / 1000).toUTCString().split(' ')
  const shown = `${day}-${month}-${year} ${time.slice(0, 5)}`
  return `<a href="${encodeURIComponent(name)}${slash}">${escapeHtml(name)}${slash}</a> ${shown} ${fileSize ?? '-'}`
}
