// The secret of a data folder from which the ids of mounted objects follow (mounts/object-ids.ts): without it, nobody could tell
// from an id which path it belongs to, and ids of two servers would be the same. It is made once, in the file `mounts.key`.

import { randomBytes } from 'node:crypto'
import { linkSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { replaceFile, syncFolder } from '../durable-file.ts'
import { UsageError } from './usage-error.ts'

const FILE = 'mounts.key'
const BYTES = 32
const OWNER_ONLY = 0o600

/** Of the data folder, which must be there; made durably if it is missing, the same for all processes. */
export function mountKey(dataFolder: string): Uint8Array {
  const path = join(dataFolder, FILE)
  return readKey(path) ?? makeKey(dataFolder, path)
}

function readKey(path: string): Uint8Array | undefined {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
  const key = Buffer.from(text.trim(), 'hex')
  if (key.length === BYTES) return key
  throw new UsageError(
    `${path} should hold ${2 * BYTES} hexadecimal digits: remove it, and mounted objects get other ids`,
    1,
  )
}

/** The link fails where another process was faster: then its key counts. */
function makeKey(dataFolder: string, path: string): Uint8Array {
  const key = randomBytes(BYTES)
  const temporary = `${path}.${randomBytes(6).toString('hex')}`
  replaceFile(temporary, `${key.toString('hex')}\n`, OWNER_ONLY)
  try {
    linkSync(temporary, path)
    syncFolder(dataFolder)
    return key
  } catch (error) {
    const made = readKey(path)
    if (made === undefined) throw error
    return made
  } finally {
    rmSync(temporary, { force: true })
  }
}
