// `hyperslab copy`: makes another store equal to this one, also while this one is served, and reports the copied
// records and blobs.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { checkStore } from '@hyperslab/store/check'
import type { Engine } from '@hyperslab/store/engines'
import {
  CopyDiffers,
  type CopyProgress,
  type CopySummary,
  copyStore,
  needsFolder,
  type StoreLocation,
  systemRandom,
} from '@hyperslab/store/engines'
import { beginCopy, endCopy, makeIdentity } from '@hyperslab/store/records'
import { openEngineAt } from './data-folder/open.ts'
import { prepareDataFolder, requireDataFolder } from './data-folder/prepare-folder.ts'
import { formatBytes, formatCount } from './import/import-report.ts'
import { abortOnSignals } from './interruption.ts'
import { parseSetting } from './settings/config.ts'
import { UsageError } from './usage-error.ts'

export interface CopyCommand {
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
  const signal = abortOnSignals()
  // No cache is used, so that the comparison reads the stored bytes.
  const source = await openEngineAt(from, { throughService: true, keepsFormat: true })
  try {
    const target = await openEngineAt(to, { throughService: true })
    try {
      console.log(formatCopy(await copy(source, target, signal)))
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

async function copy(source: Engine, target: Engine, signal: AbortSignal): Promise<CopySummary> {
  const { id, copy: earlier } = await makeIdentity(source.keyValue, systemRandom)
  if (earlier?.isComplete === false)
    throw new UsageError('the store to copy is a copy itself, which is not complete', 1)
  await beginCopy(target.keyValue, systemRandom, id).catch((error: unknown) => {
    throw new UsageError(error instanceof Error ? error.message : String(error), 1)
  })
  const line = new ProgressLine()
  try {
    const summary = await copyStore(source, target, { signal, progress: progress => line.show(progress) })
    await requireSound(target)
    await endCopy(target.keyValue)
    return summary
  } catch (error) {
    throw error instanceof CopyDiffers ? new UsageError(error.message, 1) : error
  } finally {
    line.clear()
  }
}

/** Throws unless the copy is sound: each record is compared with those that it names, each blob with its record. */
async function requireSound(engine: Engine): Promise<void> {
  const { findings, totals } = checkStore(engine)
  for await (const _ of findings);
  if (totals.errors > 0)
    throw new UsageError(
      `the copy has ${totals.errors} errors, as hyperslab check says, and is not complete`,
      1,
    )
}

function formatCopy({ records, changedRecords, blobs, copiedBytes }: CopySummary): string {
  const values = `${formatCount(blobs, 'file')} of values`
  const copied = `${changedRecords} of the records were written, and ${formatBytes(copiedBytes)} of values`
  return `The copy has the same ${formatCount(records, 'record')} and ${values}; ${copied}.`
}

const REDRAW_MILLISECONDS = 200
const CLEAR = '\r\x1b[K'

/** A line with the progress, on a terminal only. */
class ProgressLine {
  #shown = 0

  show({ phase, done, bytes }: CopyProgress): void {
    if (!process.stderr.isTTY || SYSTEM_CLOCK.elapsed() - this.#shown < REDRAW_MILLISECONDS) return
    this.#shown = SYSTEM_CLOCK.elapsed()
    const unit = phase === 'records' ? 'records' : 'files of values'
    const verb = phase === 'comparison' ? 'compared' : 'copied'
    process.stderr.write(`${CLEAR}${verb}: ${done} ${unit}, ${formatBytes(bytes)}`)
  }

  clear(): void {
    if (this.#shown > 0) process.stderr.write(CLEAR)
  }
}
