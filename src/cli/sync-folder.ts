// The names in a folder are durable only when the folder itself is written, which the files in it do not do.

import { closeSync, fsyncSync, openSync } from 'node:fs'

export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
