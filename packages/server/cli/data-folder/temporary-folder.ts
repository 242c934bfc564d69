// The folder of temporary files in the data folder. Large bodies are kept there while they are read, so that the
// service writes nowhere else (a container may have no other place) and they take room on the disk that is meant for
// data. Each file is for the user of the service only, and has no name once it is open.

import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

/** Makes the folder, and removes what a process that was killed has left in it. Several processes may do so at once. */
export function prepareTemporaryFolder(dataFolder: string): string {
  const folder = join(dataFolder, '.temporary')
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(folder)) rmSync(join(folder, name), { recursive: true, force: true })
  return folder
}
