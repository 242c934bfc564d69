// The places of files that cannot be read: a file that a joined domain was made of keeps its place while it is gone,
// damaged, or does not fit any more, so that all others keep theirs.

import type { DomainPath } from '@hyperslab/model/names'
import type { KnownFile } from '@hyperslab/store/store'
import type { MountedFile } from '../mounts/mount.ts'
import type { JoinedSource } from './coordinates.ts'

/** A file with its outline; without a file, only with its place. */
export interface PlacedFile extends JoinedSource {
  readonly path: DomainPath
  readonly file?: MountedFile
}

export type KnownByPath = ReadonlyMap<DomainPath, KnownFile>

/** The files, which are in their order, and between them the places of those that are unwell, by reason. */
export function placeUnwell(
  files: readonly PlacedFile[],
  unwell: ReadonlyMap<DomainPath, string>,
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
      placed.push(placeOf(place, unwell.get(place.path) ?? ''))
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

function placeOf({ path, length }: KnownFile, damage: string): PlacedFile {
  return { name: path, path, outline: { datasets: new Map(), extent: length }, damage }
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
