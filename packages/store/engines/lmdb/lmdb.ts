// The package `lmdb`, in a build with repairs where there is one for this machine: in the build of the package a
// process that opens a folder can undo a commit that another process makes meanwhile (native/lmdb/repairs.md).
// Elsewhere the guard in each commit (state-numbers.ts) is alone.

import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The package takes its native part from the folder of this variable, in a subfolder named for the machine. */
const VARIABLE = 'LMDB_PREBUILD'
/** Its name for such a file on Linux with glibc. */
const BUILD = 'node.napi.glibc.node'

const given = process.env[VARIABLE]
const repaired = given ?? repairedBuild()
if (repaired !== undefined) process.env[VARIABLE] = repaired
/** See the documentation of the package. */
export const { open, ABORT } = await import('lmdb')
/** Whether it is the repaired build; false also if the environment names another one. */
export const isRepaired = given === undefined && repaired !== undefined
// Other programs that this process starts are not concerned.
if (given === undefined) delete process.env[VARIABLE]

/** The folder of the repaired builds; undefined: none of them runs on this machine. */
function repairedBuild(): string | undefined {
  const file = join('native', 'lmdb', 'prebuilds', `${process.platform}-${process.arch}`, BUILD)
  const top = folderWith(file)
  if (top === undefined) return undefined
  try {
    createRequire(import.meta.url)(join(top, file))
    return join(top, 'native', 'lmdb')
  } catch {
    // The C library of this machine is another one, or older.
    return undefined
  }
}

/** The folder above this file that has the other one: the sources and the two builds are at different depths. */
function folderWith(file: string): string | undefined {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, file))) {
    if (dirname(folder) === folder) return undefined
    folder = dirname(folder)
  }
  return folder
}
