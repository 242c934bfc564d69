// The files that a user dropped or chose, also those in folders.

export interface DroppedFile {
  /** Relative, such as `runs/run7.h5`. */
  readonly path: string
  readonly file: File
}

/**
 * Reads the dropped files. The event's data must be read before anything is awaited, so this is called in its listener.
 */
export async function droppedFiles({ items }: DataTransfer): Promise<DroppedFile[]> {
  const dropped = Array.from(items, item => {
    const entry = item.webkitGetAsEntry()
    if (entry) return filesBelow(entry, '')
    // Files that a program drops may be in no folder.
    const file = item.getAsFile()
    return file ? [{ path: file.name, file }] : []
  })
  return (await Promise.all(dropped)).flat()
}

/** The files that an input for files or for a folder has. */
export function chosenFiles(files: FileList): DroppedFile[] {
  return Array.from(files, file => ({ path: file.webkitRelativePath || file.name, file }))
}

async function filesBelow(entry: FileSystemEntry, above: string): Promise<DroppedFile[]> {
  const path = `${above}${entry.name}`
  if (isFile(entry)) {
    const file = await new Promise<File>((resolve, reject) => entry.file(resolve, reject))
    return [{ path, file }]
  }
  if (!isDirectory(entry)) return []
  const reader = entry.createReader()
  const found: DroppedFile[] = []
  for (;;) {
    // A reader gives some entries at a time, and none at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) =>
      reader.readEntries(resolve, reject),
    )
    if (some.length === 0) return found
    for (const child of some) found.push(...(await filesBelow(child, `${path}/`)))
  }
}

function isFile(entry: FileSystemEntry): entry is FileSystemFileEntry {
  return entry.isFile
}

function isDirectory(entry: FileSystemEntry): entry is FileSystemDirectoryEntry {
  return entry.isDirectory
}
