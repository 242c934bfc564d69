// HDF5 files that an HDF5 file names, each opened once.

import { openFile } from './open-file.ts'
import { type DataFile, openDataFile } from './values/data-file.ts'

/** Undefined: there is none, or it is outside of the folder whose files may be read. */
export function openOther(file: DataFile, name: string): Promise<DataFile | undefined> {
  const known = file.siblings.get(name)
  if (known) return known
  const opened = (async () => {
    const sibling = await file.openSibling(name)
    if (!sibling) return undefined
    const other = await openFile(sibling.source, sibling.path, file.file.options)
    const opened = openDataFile(other, sibling.openSibling, file.decode)
    file.openedSiblings.push(opened)
    return opened
  })()
  file.siblings.set(name, opened)
  // The next read tries again.
  opened.catch(() => file.siblings.delete(name))
  return opened
}
