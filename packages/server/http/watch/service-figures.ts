// Figures about the service as a whole: its build, whether it is ready, its disk, the last check and copy of its store,
// its mounts, its audit and its workers.

import { hostname } from 'node:os'
import type { AuditLog } from './audit-log.ts'
import { type FigureList, Glance } from './figure-list.ts'
import type { Readiness, UnwellMount } from './readiness.ts'

/** The disk of the data folder, and the notes that commands have left there. */
export interface DataFolderFigures {
  room(): Promise<{ readonly freeBytes: number; readonly bytes: number }>
  /** Undefined: the store has not been checked, or not been copied, with this data folder. */
  lastCheck(): Promise<CheckNote | undefined>
  lastCopy(): Promise<CopyNote | undefined>
}

export interface CopyNote {
  /** The time of its end, in seconds since the epoch. */
  readonly time: number
}

export interface CheckNote extends CopyNote {
  readonly errors: number
  readonly recordBytes: number
  readonly blobBytes: number
}

export interface ServiceParts {
  readonly build: { readonly version: string; readonly commit: string }
  readonly readiness: Pick<Readiness, 'check'>
  /** Absent: the store is not in a folder that is known here. */
  readonly dataFolder?: DataFolderFigures
  readonly audit?: Pick<AuditLog, 'written' | 'failed'>
  readonly unwellMounts: () => readonly UnwellMount[]
}

export function addServiceFigures(figures: FigureList, parts: ServiceParts): void {
  const { build, readiness, dataFolder, audit, unwellMounts } = parts
  figures.facts('hyperslab_build_info', 'The version, its commit and the machine; always 1', {
    ...build,
    node: hostname(),
  })
  const isReady = new Glance(() =>
    readiness.check().then(
      () => 1,
      () => 0,
    ),
  )
  figures.gauge('hyperslab_ready', '1 if /ready answers 200, else 0', () => isReady.take(), 'min')
  if (dataFolder) addFolderFigures(figures, dataFolder)
  addMountFigures(figures, unwellMounts)
  figures.counter('hyperslab_audit_lines_total', 'Lines of the audit written', () => audit?.written ?? 0)
  figures.counter(
    'hyperslab_audit_lost_total',
    'Lines of the audit that could not be written',
    () => audit?.failed ?? 0,
  )
}

function addFolderFigures(figures: FigureList, folder: DataFolderFigures): void {
  const room = new Glance(() => folder.room())
  const check = new Glance(() => folder.lastCheck())
  const copy = new Glance(() => folder.lastCopy())
  const gauge = (name: string, help: string, value: () => Promise<number | undefined>) =>
    figures.gauge(name, help, value, 'first')
  gauge(
    'hyperslab_data_folder_free_bytes',
    'Bytes that the disk of the data folder can still take',
    async () => (await room.take())?.freeBytes,
  )
  gauge(
    'hyperslab_data_folder_size_bytes',
    'Bytes of the disk of the data folder',
    async () => (await room.take())?.bytes,
  )
  gauge(
    'hyperslab_last_check_timestamp_seconds',
    'When hyperslab check ended last; absent: never',
    async () => (await check.take())?.time,
  )
  gauge('hyperslab_last_check_errors', 'Errors that it found', async () => (await check.take())?.errors)
  gauge(
    'hyperslab_last_check_record_bytes',
    'Bytes of all records that it found',
    async () => (await check.take())?.recordBytes,
  )
  gauge(
    'hyperslab_last_check_blob_bytes',
    'Bytes of all files or objects of values that it found',
    async () => (await check.take())?.blobBytes,
  )
  gauge(
    'hyperslab_last_copy_timestamp_seconds',
    'When hyperslab copy of this store ended last; absent: never',
    async () => (await copy.take())?.time,
  )
}

function addMountFigures(figures: FigureList, unwellMounts: () => readonly UnwellMount[]): void {
  figures.gauges(
    'hyperslab_mount_overdue_calls',
    'Calls of the file system of a mount that have not ended in time; a mount whose calls have is not listed',
    'mount',
    () => unwellMounts().flatMap(({ path, overdue }) => (overdue > 0 ? [[path, overdue] as const] : [])),
  )
  figures.gauges(
    'hyperslab_mount_unwell',
    '1 for a mount whose file system does not answer, or fails for several files; others are not listed',
    'mount',
    () => unwellMounts().map(({ path }) => [path, 1] as const),
    'max',
  )
}

export interface WorkerFigures {
  readonly answering: number
  readonly silent: number
  readonly restarts: number
}

export function addWorkerFigures(figures: FigureList, { answering, silent, restarts }: WorkerFigures): void {
  figures.gauge('hyperslab_workers', 'Processes that these figures are of', () => answering)
  figures.gauge('hyperslab_workers_silent', 'Processes that gave no figures in time', () => silent)
  figures.counter(
    'hyperslab_worker_restarts_total',
    'Workers that have ended and were started again',
    () => restarts,
  )
}
