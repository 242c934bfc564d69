// `hyperslab check`: prints a line for each finding in a data folder, and the totals of the check.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { checkStore, type LocatedFinding, type Totals } from '@hyperslab/store/check'
import { openFilterThreads } from '@hyperslab/store/chunks'
import { needsFolder, openEngineToRead, type StoreLocation } from '@hyperslab/store/engines'
import { noteCheck } from './data-folder/folder-notes.ts'
import { requireDataFolder } from './data-folder/prepare-folder.ts'
import { Progress, type ProgressOptions } from './progress.ts'
import { UsageError } from './usage-error.ts'

const CANNOT_CHECK = 2
const LOOK_MILLISECONDS = 200

export interface CheckCommand extends ProgressOptions {
  /** True: all values are read too. */
  readonly values: boolean
}

/** Resolves with the exit code. */
export async function runCheck(location: StoreLocation, command: CheckCommand): Promise<number> {
  const { keyValue, blobs, close } = await openToCheck(location)
  const filterRunner = command.values ? openFilterThreads() : undefined
  const { located, totals } = checkStore({ keyValue, blobs }, filterRunner && { filterRunner })
  const progress = new Progress(command)
  const stop = SYSTEM_CLOCK.every(LOOK_MILLISECONDS, () => progress.show(() => formatProgress(totals)))
  try {
    for await (const finding of located()) {
      progress.end()
      console.log(formatFinding(finding))
    }
  } catch (error) {
    // Exit code 1 means that the check found errors.
    throw error instanceof HyperslabError ? cannotCheck(location, error.message) : error
  } finally {
    stop()
    progress.end()
    await filterRunner?.close()
    await close()
  }
  console.log(formatTotals(totals))
  const { errors, recordBytes, blobBytes } = totals
  noteCheck(location.dataFolder, { errors, recordBytes, blobBytes })
  return totals.errors > 0 ? 1 : 0
}

async function openToCheck(location: StoreLocation) {
  const { dataFolder } = location
  try {
    // If both are elsewhere, there may be no data folder.
    if (needsFolder(location)) requireDataFolder(dataFolder)
    return await openEngineToRead(location)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    if (error instanceof UsageError) throw new UsageError(reason, CANNOT_CHECK)
    throw cannotCheck(location, reason)
  }
}

function cannotCheck({ dataFolder }: StoreLocation, reason: string): UsageError {
  return new UsageError(`the data folder ${dataFolder} cannot be checked: ${reason}`, CANNOT_CHECK)
}

function formatFinding(finding: LocatedFinding): string {
  const {
    kind,
    severity,
    description,
    domain,
    path,
    object,
    name,
    blob,
    key,
    expected,
    found: actual,
  } = finding
  const details = [
    domain !== undefined && `domain ${JSON.stringify(domain)}`,
    path !== undefined && `path ${JSON.stringify(path)}`,
    object !== undefined && `object ${object}`,
    name !== undefined && JSON.stringify(name),
    blob !== undefined && `blob ${blob}`,
    key && `key ${formatKey(key)}`,
    expected !== undefined && `expected ${expected}`,
    actual !== undefined && `found ${actual}`,
  ].filter(detail => detail !== false && detail !== undefined)
  return `${severity} ${kind}: ${description}: ${details.join(', ')}`
}

/** A key as text: printable characters unchanged, other bytes as hexadecimal digits. */
function formatKey(key: Uint8Array): string {
  return Array.from(key, byte => {
    const isPrintable = byte > 0x20 && byte < 0x7f && byte !== 0x5c
    return isPrintable ? String.fromCharCode(byte) : `\\${byte.toString(16).padStart(2, '0')}`
  }).join('')
}

function formatProgress({ records, blobs, errors }: Totals): string {
  return `checked: ${records} records, ${blobs} blobs; ${errors} errors`
}

function formatTotals(totals: Totals): string {
  const { domains, objects, records, recordBytes, blobs, blobBytes, uncomparedBlobs, errors } = totals
  const uncompared = uncomparedBlobs === 0 ? '' : ` (${uncomparedBlobs} have no checksums)`
  return (
    `${domains} domains and folders, ${objects} objects, ${records} records of ${recordBytes} bytes, ` +
    `${blobs} blobs of ${blobBytes} bytes${uncompared}: ${errors === 0 ? 'nothing is wrong' : `${errors} errors`}`
  )
}
