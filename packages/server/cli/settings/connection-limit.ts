// The limits of open connections, and of open files of values and of mounts: each uses a file descriptor. If
// connections, which may be idle, used all of them, nothing could be read or written; if files used all, no client
// could connect.

/** Descriptors reserved for files: half of all, and at most this many. @limit safety, descriptors */
const MAX_RESERVED = 1024
/** Descriptors of these for other files: LMDB, threads, pipes, listings of folders (25 or so). */
const OTHER_FILES = 48

/** `setting` is max_connections; 0 or a larger number means as many as the limit of open files allows. */
export function connectionLimit(setting: number, maxOpenFiles = openFilesLimit()): number {
  const allowed = maxOpenFiles - reservedForFiles(maxOpenFiles)
  return setting === 0 ? allowed : Math.min(setting, allowed)
}

/** Files of values that may be open at once; a put needs two. */
export function openFilesOfStorage(maxOpenFiles = openFilesLimit()): number {
  return Math.max(2, reservedForFiles(maxOpenFiles) - OTHER_FILES)
}

/** Mounted files that are kept open in addition to those that requests use. */
export function keptMountedFiles(maxOpenFiles = openFilesLimit()): number {
  return Math.min(Math.max(16, Math.floor(maxOpenFiles / 16)), 1024)
}

/** Files that files of one of several mounts name, such as sources of virtual datasets, and that are open at once. */
export function openSiblingFiles(mounts: number, maxOpenFiles = openFilesLimit()): number {
  return Math.min(Math.max(8, Math.floor(maxOpenFiles / 16 / mounts)), 1024)
}

function reservedForFiles(maxOpenFiles: number): number {
  return Math.min(Math.floor(maxOpenFiles / 2), MAX_RESERVED)
}

let knownLimit: number | undefined

/** The limit of this process: Node raises it as far as allowed when it starts. */
export function openFilesLimit(): number {
  knownLimit ??= readOpenFilesLimit()
  return knownLimit
}

/** Takes some milliseconds. */
function readOpenFilesLimit(): number {
  // In the types of Node it is only an object.
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
  }
  // `unlimited`, or a system that has no such limit.
  const limit = Number(report.userLimits?.open_files?.soft)
  return limit > 0 ? limit : Number.POSITIVE_INFINITY
}
