// HDF5 files that an HDF5 file names, each opened once while it is among the last used ones.

import { openFile } from './open-file.ts'
import { type DataFile, FILE_BYTES, heldByFile, openDataFile } from './values/data-file.ts'

/** Undefined: there is none, or it is outside of the folder whose files may be read. */
export function openOther(file: DataFile, name: string): Promise<DataFile | undefined> {
  const known = file.siblings.use(name)
  if (known) return known.opening
  const opening = (async () => {
    const sibling = await file.openSibling(name)
    if (!sibling) return undefined
    const other = await openFile(sibling.source, sibling.path, file.file.options)
    return openDataFile(other, sibling.openSibling, file.decode)
  })()
  file.siblings.set(name, { opening, bytes: FILE_BYTES })
  opening.catch(() => {
    // The next read tries again.
    if (file.siblings.get(name)?.opening === opening) file.siblings.forget(name)
  })
  return opening
}

/** Must be called after reads of the other file, which keeps parts of what it has read. */
export function weighOther(file: DataFile, name: string, other: DataFile): void {
  const known = file.siblings.get(name)
  if (known) file.siblings.set(name, { ...known, bytes: heldByFile(other) })
}
