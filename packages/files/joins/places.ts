// The places of files that cannot be read: a file that a joined domain was made of keeps its place while it is gone,
// damaged, or does not fit any more, so that all others keep theirs.

import { inParallel } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, isTopLevel, parentOf } from '@hyperslab/model/names'
import { isUnavailable, type KnownFile } from '@hyperslab/store/store'
import type { MountedFile } from '../mounts/mount.ts'
import type { JoinedSource } from './coordinates.ts'
import type { JoinableFiles } from './find-files.ts'

/** A file with its outline; without a file, only with its place. */
export interface PlacedFile extends JoinedSource {
  readonly path: DomainPath
  readonly file?: MountedFile
}

export type KnownByPath = ReadonlyMap<DomainPath, KnownFile>

/** Known files that are looked for by their paths at once. @limit memory, files */
const LOOKS_AT_ONCE = 8

/**
 * The known files that a search has not found, with the reasons: those that do not answer now will be there again, the
 * others are gone. `unavailable` are the files and folders that did not answer the search.
 */
export async function missingFiles(
  files: JoinableFiles,
  known: KnownByPath,
  found: ReadonlySet<DomainPath>,
  unavailable: ReadonlyMap<DomainPath, HyperslabError>,
): Promise<Map<DomainPath, HyperslabError>> {
  const missing = [...known.keys()].filter(path => !found.has(path))
  const reasons = new Map(
    missing.map(path => [path, new HyperslabError('file-unreadable', `the file ${path} is gone`)]),
  )
  await inParallel(missing, LOOKS_AT_ONCE, async path => {
    const reason = failureAbove(path, unavailable) ?? (await failureOf(files, path))
    if (reason) reasons.set(path, reason)
  })
  return reasons
}

/** The failure of the path itself or of a folder above it. */
function failureAbove(
  path: DomainPath,
  failures: ReadonlyMap<DomainPath, HyperslabError>,
): HyperslabError | undefined {
  return failures.get(path) ?? (isTopLevel(path) ? undefined : failureAbove(parentOf(path), failures))
}

/** The reason why a file that a list lacks does not answer; undefined: it is not for that. */
async function failureOf(files: JoinableFiles, path: DomainPath): Promise<HyperslabError | undefined> {
  try {
    await files.find(path)
    return undefined
  } catch (error) {
    if (!(error instanceof HyperslabError)) throw error
    return isUnavailable(error) ? error : undefined
  }
}

/** The files, which are in their order, and between them the places of those that are unwell, by reason. */
export function placeUnwell(
  files: readonly PlacedFile[],
  unwell: ReadonlyMap<DomainPath, HyperslabError>,
  known: KnownByPath,
): readonly PlacedFile[] {
  if (unwell.size === 0) return files
  const following = new Map<DomainPath | undefined, KnownFile[]>()
  for (const path of unwell.keys()) {
    const place = known.get(path)
    if (!place) continue
    const others = following.get(place.after)
    if (others) others.push(place)
    else following.set(place.after, [place])
  }
  const placed: PlacedFile[] = []
  /** Adds the places after a file, and those after them. */
  const follow = (path: DomainPath | undefined) => {
    const next = takeFrom(following, path).reverse()
    for (let place = next.pop(); place; place = next.pop()) {
      placed.push(placeOf(place, unwell.get(place.path)))
      next.push(...takeFrom(following, place.path).reverse())
    }
  }
  follow(undefined)
  for (const file of files) {
    if (unwell.has(file.path)) continue
    placed.push(file)
    follow(file.path)
  }
  // The files before them are not known any more.
  for (const path of [...following.keys()]) follow(path)
  return placed
}

function takeFrom(following: Map<DomainPath | undefined, KnownFile[]>, path: DomainPath | undefined) {
  const places = following.get(path) ?? []
  following.delete(path)
  return places
}

function placeOf({ path, length }: KnownFile, failure: HyperslabError | undefined): PlacedFile {
  return { name: path, path, outline: { datasets: new Map(), extent: length }, ...(failure && { failure }) }
}

/** The files whose places are new or have changed. */
export function newPlaces(files: readonly PlacedFile[], known: KnownByPath): readonly KnownFile[] {
  return files.flatMap(({ path, outline, taken }, i) => {
    const length = taken?.count ?? outline.extent
    const after = files[i - 1]?.path
    const before = known.get(path)
    if (before?.length === length && before.after === after) return []
    return [{ path, length, ...(after !== undefined && { after }) }]
  })
}
