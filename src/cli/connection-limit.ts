// How many connections may be open, and how many files of values: each takes a descriptor. Were all taken by clients, who may
// be idle, nothing could be read or written; were all taken by files, nobody could connect.

/** Descriptors that are kept for files: half of all, and never more than so many. */
const MOST_KEPT = 1024
/** Of these, for what the process has open besides: LMDB, threads, pipes, listings of folders (25 or so). */
const OTHER_FILES = 48

/** `setting` is max_connections; 0 or too much means as many as the limit of open files allows. */
export function connectionLimit(setting: number, maxOpenFiles = openFilesLimit()): number {
  const allowed = maxOpenFiles - keptForFiles(maxOpenFiles)
  return setting === 0 ? allowed : Math.min(setting, allowed)
}

/** Files of values that may be open at once; a put needs two. */
export function openFilesOfStorage(maxOpenFiles = openFilesLimit()): number {
  return Math.max(2, keptForFiles(maxOpenFiles) - OTHER_FILES)
}

function keptForFiles(maxOpenFiles: number): number {
  return Math.min(Math.floor(maxOpenFiles / 2), MOST_KEPT)
}

/** Of this process, as the system has it now: Node raises it as far as it may when it starts. */
function openFilesLimit(): number {
  // The types of Node say only that it is an object.
  const report = process.report.getReport() as {
    readonly userLimits?: { readonly open_files?: { readonly soft?: number | string } }
  }
  // `unlimited`, or a system that has no such limit.
  const limit = Number(report.userLimits?.open_files?.soft)
  return limit > 0 ? limit : Number.POSITIVE_INFINITY
}
