// `hyperslab copy`: makes another store equal to this one, also while this one is served, and reports the copied
// records and blobs.

import type { Engine } from '@hyperslab/store/engines'
import {
  CopyFailed,
  type CopyProgress,
  type CopySummary,
  makeCopy,
  needsFolder,
  type StoreLocation,
} from '@hyperslab/store/engines'
import { noteCopy } from './data-folder/folder-notes.ts'
import { openEngineAt } from './data-folder/open.ts'
import { prepareDataFolder, requireDataFolder } from './data-folder/prepare-folder.ts'
import { formatBytes, formatCount } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import { Progress, type ProgressOptions } from './progress.ts'
import { parseSetting } from './settings/config.ts'
import { UsageError } from './usage-error.ts'

export interface CopyCommand extends ProgressOptions {
  /** The data folder of the copy. Absent: the two other options give its location. */
  readonly to?: string
  /** `postgres://user@host/database` for its records. Default: the data folder. */
  readonly toRecords?: string
  /** `s3://bucket/prefix` for its values. Default: the data folder. */
  readonly toBlobs?: string
}

export async function runCopy(command: CopyCommand, from: StoreLocation): Promise<void> {
  const to = targetOf(command)
  if (needsFolder(from)) requireDataFolder(from.dataFolder)
  if (needsFolder(to)) {
    if (command.to === undefined)
      throw new UsageError(
        'copy needs --to, the data folder of the copy, or both --to-records and --to-blobs',
      )
    prepareDataFolder(command.to)
  }
  await abortedBySignals(signal => copyAll(from, to, command, signal))
  noteCopy(from.dataFolder)
}

async function copyAll(
  from: StoreLocation,
  to: StoreLocation,
  options: ProgressOptions,
  signal: AbortSignal,
): Promise<void> {
  // No cache is used, so that the comparison reads the stored bytes.
  const source = await openEngineAt(from, { throughService: true, olderFormat: 'keep' })
  try {
    const target = await openEngineAt(to, { throughService: true })
    try {
      console.log(formatCopy(await copy(source, target, options, signal)))
    } finally {
      await target.close()
    }
  } finally {
    await source.close()
  }
}

function targetOf({ to = '', toRecords = '', toBlobs = '' }: CopyCommand): StoreLocation {
  return {
    dataFolder: to,
    records: parseSetting('records', toRecords, '--to-records'),
    blobs: parseSetting('blobs', toBlobs, '--to-blobs'),
  }
}

async function copy(
  source: Engine,
  target: Engine,
  options: ProgressOptions,
  signal: AbortSignal,
): Promise<CopySummary> {
  const progress = new Progress(options)
  try {
    const onProgress = (state: CopyProgress) => progress.show(() => formatProgress(state))
    return await makeCopy(source, target, { signal, progress: onProgress })
  } catch (error) {
    throw error instanceof CopyFailed ? new UsageError(error.message, 1) : error
  } finally {
    progress.end()
  }
}

function formatCopy({ records, changedRecords, blobs, copiedBytes }: CopySummary): string {
  const values = `${formatCount(blobs, 'file')} of values`
  const copied = `${changedRecords} of the records were written, and ${formatBytes(copiedBytes)} of values`
  return `The copy has the same ${formatCount(records, 'record')} and ${values}; ${copied}.`
}

function formatProgress({ phase, done, bytes }: CopyProgress): string {
  const unit = phase === 'records' ? 'records' : 'files of values'
  const verb = phase === 'comparison' ? 'compared' : 'copied'
  return `${verb}: ${done} ${unit}, ${formatBytes(bytes)}`
}
