// The names that HDF5 files have for other files: in external links, virtual datasets and lists of external files.

/** Absolute on Unix, and on Windows: with a drive, or on another machine. */
const ABSOLUTE = [/^\/(?:.*\/)?([^/]+)$/s, /^(?:[A-Za-z]:[\\/]|\\\\)(?:.*[\\/])?([^\\/]+)$/s]

/**
 * The names by which a file is looked for, in their order: the one that is written and, if it is absolute, its last
 * part, which counts from the folder of the file that names it. So files that were moved together are found, as in
 * libhdf5.
 */
export function namesToTry(name: string): readonly string[] {
  const last = ABSOLUTE.map(absolute => absolute.exec(name)?.[1]).find(part => part !== undefined)
  return last === undefined ? [name] : [name, last]
}
