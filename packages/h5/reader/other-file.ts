// HDF5 files that an HDF5 file names, each opened once while it is among the last used ones.

import { openFile } from './open-file.ts'
import { type DataFile, openDataFile } from './values/data-file.ts'

/** Undefined: there is none, or it is outside of the folder whose files may be read. */
export function openOther(file: DataFile, name: string): Promise<DataFile | undefined> {
  const known = file.siblings.use(name)
  if (known) return known
  const opened = (async () => {
    const sibling = await file.openSibling(name)
    if (!sibling) return undefined
    const other = await openFile(sibling.source, sibling.path, file.file.options)
    return openDataFile(other, sibling.openSibling, file.decode)
  })()
  file.siblings.set(name, opened)
  opened.then(
    other => {
      if (other && file.siblings.get(name) === opened) file.openedSiblings.set(opened, other)
    },
    // The next read tries again.
    () => file.siblings.forget(name),
  )
  return opened
}
