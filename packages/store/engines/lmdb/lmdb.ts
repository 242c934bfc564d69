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
const repaired = given === undefined ? repairedBuild() : undefined
if (repaired) process.env[VARIABLE] = repaired.folder
/** See the documentation of the package. */
export const { open, ABORT } = await import('lmdb')
/** Whether it is the repaired build; false also if the environment names another one. */
export const isRepaired = repaired !== undefined
/** See `Additions`; undefined with another build. */
export const writeTransaction = repaired?.additions.writeTransaction
// Other programs that this process starts are not concerned.
if (given === undefined) delete process.env[VARIABLE]

/** Additions of the repaired build, for an environment that its address names. */
interface Additions {
  /** Writes and syncs its write transaction on another thread, and then calls `done`; false: it has no changes. */
  writeTransaction(address: number, done: (error?: Error) => void): boolean
}

/** The folder of the repaired builds, and the one for this machine; undefined: none of them runs here. */
function repairedBuild(): { readonly folder: string; readonly additions: Additions } | undefined {
  const file = join('native', 'lmdb', 'prebuilds', `${process.platform}-${process.arch}`, BUILD)
  const top = folderWith(file)
  if (top === undefined) return undefined
  try {
    const additions: Additions = createRequire(import.meta.url)(join(top, file))
    return { folder: join(top, 'native', 'lmdb'), additions }
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
