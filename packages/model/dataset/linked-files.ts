// The locations of the files that the external links of an HDF5 file name: by the names in the links, paths relative to
// the folder of the file. A name that ends with `/` is a folder, and its path applies to each file in it. A client
// sends this with a file, because a server sees only the file itself.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt, isJsonObject } from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'

export type LinkedFiles = ReadonlyMap<string, string>

/** The linked files in fewer entries: files of one folder that are together under their own names share its entry. */
export function groupByFolder(files: LinkedFiles): LinkedFiles {
  const grouped = new Map<string, string>()
  for (const [name, path] of files) {
    const [folder, last] = splitName(name)
    const [pathFolder, pathLast] = splitName(path)
    const isInFolder = folder !== '' && pathFolder !== '' && last === pathLast
    if (isInFolder && (grouped.get(folder) ?? pathFolder) === pathFolder) grouped.set(folder, pathFolder)
    else grouped.set(name, path)
  }
  return grouped
}

/** The location of a file; undefined: it is unknown. */
export function locateFile(files: LinkedFiles, name: string): string | undefined {
  const [folder, last] = splitName(name)
  if (last === '') return undefined
  const path = files.get(name)
  if (path !== undefined) return path
  const pathFolder = files.get(folder)
  return pathFolder === undefined ? undefined : pathFolder + last
}

/** Reads a JSON object of names and paths. */
export function parseLinkedFiles(text: string, parameter: string): LinkedFiles {
  const json = parseJson(text)
  if (!isJsonObject(json)) {
    throw malformed(`${parameter}=${excerpt(text)} must be a JSON object, such as {"/data/b/":"../b/"}`)
  }
  const files = new Map<string, string>()
  for (const [name, path] of json) {
    const shown = `${parameter}: the path of ${excerpt(name)}`
    if (typeof path !== 'string' || path === '' || path.startsWith('/')) {
      throw malformed(`${shown} must be a string, seen from the folder of the file, such as "../b/y.h5"`)
    }
    if (name.endsWith('/') !== path.endsWith('/')) {
      throw malformed(`${shown} must end with "/" if the name does, for a folder, and only then`)
    }
    files.set(name, path)
  }
  return files
}

/** The folder, with its last `/`, and the last part. */
function splitName(name: string): readonly [string, string] {
  const end = name.lastIndexOf('/') + 1
  return [name.slice(0, end), name.slice(end)]
}

function malformed(rule: string): HyperslabError {
  return new HyperslabError('malformed-parameter', rule)
}
