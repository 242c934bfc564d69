// How many connections may be open: each takes a descriptor, and so does each file that the storage opens. Were all taken
// by clients, who may be idle, nothing could be read or written.

/** Descriptors that are kept for files: half of all, and never more than so many. */
const MOST_KEPT = 1024

/** `setting` is max_connections; 0 or too much means as many as the limit of open files allows. */
export function connectionLimit(setting: number, maxOpenFiles = openFilesLimit()): number {
  const allowed = maxOpenFiles - Math.min(Math.floor(maxOpenFiles / 2), MOST_KEPT)
  return setting === 0 ? allowed : Math.min(setting, allowed)
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
