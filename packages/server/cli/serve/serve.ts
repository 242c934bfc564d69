// `hyperslab serve`: connects the parts of the server, prints commands to try, and ends in order on a signal.

import { availableParallelism } from 'node:os'
import { format } from 'node:util'
import { setFlagsFromString } from 'node:v8'
import { HyperslabError } from '@hyperslab/base/errors'
import { openFilterThreads } from '@hyperslab/store/chunks'
import {
  type Engine,
  endAtOnceWhen,
  isInFolder,
  type KeyValue,
  serveFolderRecords,
} from '@hyperslab/store/engines'
import type { Store } from '@hyperslab/store/store'
import { destination, type Logger, pino, stdSerializers } from 'pino'
import { newFirstAccountCode } from '../../http/auth/first-account.ts'
import { withoutSecrets } from '../../http/message/share-address.ts'
import { createServer, type Server } from '../../http/server.ts'
import { requireUsableFileSystem } from '../data-folder/file-system.ts'
import { openEngineToUse, openStoreOn } from '../data-folder/open.ts'
import { checkDataFolder, folderWarnings } from '../data-folder/prepare-folder.ts'
import { prepareTemporaryFolder } from '../data-folder/temporary-folder.ts'
import type { Settings } from '../settings/table.ts'
import { accountReports, type Callers, prepareCallers } from './callers.ts'
import { endOnSignal } from './end.ts'
import { greeting } from './greeting.ts'
import { closedToNetwork, isOnlyFiles, refuseOpenNetwork } from './guard-network.ts'
import { addressWarning, type InheritedSocket, inheritedSocket } from './inherited-socket.ts'
import { listenWith, requireFreeAddress } from './listen.ts'
import { auditsToFile, openAudit } from './open-audit.ts'
import { openSettingsMounts, prepareMounts } from './open-mounts.ts'
import { createSampleIfEmpty } from './sample.ts'
import { serverParts } from './server-parts.ts'
import { superviseWorkers } from './supervisor.ts'
import { joinSupervisor, type SupervisedWorker, shareOf } from './worker.ts'

/**
 * V8 allocates objects in old space whose kind outlived the last scavenges. An object of a request gets there while
 * many requests are in flight, and then keeps everything that it refers to until the next full garbage collection, so
 * that more kinds of objects outlive scavenges, and so on: scavenges took 7 times as long (docs/decisions/013).
 */
const NO_PRETENURING = '--no-allocation-site-pretenuring'

/**
 * A full garbage collection is due when the heap and the memory outside it, together, are four times as large as after
 * the last one; the option has the growth in percent. A body comes in pieces of 64 KiB outside the heap, which is
 * small: left to itself, by default V8 collects all garbage after each 12 MiB of a body (docs/decisions/058).
 */
const COLLECT_LATER = '--heap-growing-percent=300'

/** Serves until a signal, then ends the process. */
export async function serve(given: Settings): Promise<void> {
  const inherited = inheritedSocket()
  const settings = settingsAt(given, inherited)
  refuseOpenNetwork(settings)
  const options = {
    level: settings.logLevel,
    serializers: { err: stdSerializers.errWithCause },
    // Requests may have secrets anywhere: in the name of a domain, of a host, of a user.
    hooks: { streamWrite: withoutSecrets },
  }
  const log = pino(options, destination({ dest: 2, sync: true }))
  // Packages print errors, for example LMDB on a full disk; each line of the log must be JSON.
  console.error = console.warn = (...parts: readonly unknown[]) => log.warn(format(...parts))
  const worker = joinSupervisor()
  if (worker) return serveAs(shareOf(settings), log, { worker, inherited })
  const warning = inherited && addressWarning(given, inherited)
  if (warning !== undefined) log.warn(warning)
  if (settings.workers === 1) return serveAs(settings, log, { worker, inherited })
  checkFolder(settings)
  const port = inherited?.port ?? (await requireFreeAddress(settings))
  return superviseWorkers(settings.workers, port, message => log.warn(message), {
    reopens: auditsToFile(settings),
    inherits: inherited !== undefined,
  })
}

/** The settings with the address of a socket that was handed over, which decides on the rights of callers too. */
function settingsAt(given: Settings, inherited: InheritedSocket | undefined): Settings {
  const settings = inherited ? { ...given, host: inherited.host, port: inherited.port } : given
  return isOnlyFiles(settings) ? closedToNetwork(settings) : settings
}

/** True for a new data folder; throws unless it can be used. */
function checkFolder({ records, dataFolder, dataOnNetwork }: Settings): boolean {
  const isNew = checkDataFolder(dataFolder)
  if (records.kind === 'folder') requireUsableFileSystem(dataFolder, dataOnNetwork)
  return isNew
}

/** Only a service gives a store of an older format the present one. */
function openToServe(settings: Settings, reports: Parameters<typeof openEngineToUse>[1]): Promise<Engine> {
  return openEngineToUse(settings, { ...reports, olderFormat: settings.upgrade ? 'raise' : 'refuse' })
}

/** The place of this process: as a worker or alone, with or without a socket that was handed over. */
interface Place {
  readonly worker: SupervisedWorker | undefined
  readonly inherited: InheritedSocket | undefined
}

/** Serves in this process. */
async function serveAs(settings: Settings, log: Logger, { worker, inherited }: Place): Promise<void> {
  for (const flag of [NO_PRETENURING, COLLECT_LATER]) setFlagsFromString(flag)
  // Wrong settings are found before a new data folder is created.
  const isNew = checkFolder(settings)
  // The first worker reports wrong settings for all.
  const warn = (message: string): void => {
    if (worker === undefined || worker.slot === 0) log.warn(message)
  }
  const openCallers = await prepareCallers(settings, accountReports(log, warn))
  const warnAlways = (message: string): void => log.warn(message)
  const prepared = await prepareMounts(settings, warnAlways)
  const isHung = () => prepared.unwell().some(({ overdue }) => overdue > 0)
  endAtOnceWhen(isHung, 'a mount did not answer')
  // A worker shares the address with others.
  if (isNew && !worker && !inherited) await requireFreeAddress(settings)
  const report = storageReport(log)
  const engine = await openToServe(settings, { report, warn })
  for (const warning of folderWarnings(settings.dataFolder)) warn(warning)
  const commands = await serveCommands(settings, engine.keyValue, log)
  let close = async () => {
    await commands?.close()
    await engine.close()
  }
  try {
    const callers = await openCallers(engine.keyValue, report)
    const filterRunner = openFilterThreads(Math.ceil(availableParallelism() / settings.workers))
    const mounts = await openSettingsMounts(settings, prepared, engine.keyValue, filterRunner, warnAlways)
    const store = openStoreOn(engine, {
      report,
      warn: warnAlways,
      ...storeLimits(settings),
      filterRunner,
      sweeps: worker?.sweeps ?? true,
      mounts,
    })
    close = async () => {
      await commands?.close()
      await callers.logins.storeUses()
      await store.close()
    }
    // Users with files of their own need no sample, nor does a service with a database or a bucket.
    if (settings.mount.length === 0 && isInFolder(settings)) await createSampleIfEmpty(store)
    const own = processParts(settings, log, worker, callers)
    const server = createServer({
      ...serverParts(settings, store, filterRunner, log, callers),
      ...own,
      unwellMounts: prepared.unwell,
      temporaryFolder: prepareTemporaryFolder(settings.dataFolder),
    })
    const port = await startListening(server, settings, inherited)
    logStart(log, settings, port, store)
    endOnSignal({ server, close, settings, log, worker, isHung, inherited })
    const text = await greeting({ settings, port, store, isNew, inherited, ...own, files: prepared.files })
    if (worker) worker.serving(text)
    else process.stdout.write(text)
  } catch (error) {
    await close()
    throw error
  }
}

/** The port. */
async function startListening(
  server: Server,
  settings: Settings,
  inherited: InheritedSocket | undefined,
): Promise<number> {
  if (!inherited) return listenWith(({ host, port }) => server.listen(host, port), settings)
  server.listenOn(inherited.socket)
  return inherited.port
}

/** The parts by which processes of one service work together. */
function processParts(
  settings: Settings,
  log: Logger,
  worker: SupervisedWorker | undefined,
  { accounts }: Callers,
) {
  const code = worker?.firstAccountCode ?? newFirstAccountCode()
  return {
    audit: openAudit(settings, log, worker),
    ...(accounts.areUnused() && { firstAccountCode: code }),
    ...(worker && { askProcesses: worker.askProcesses }),
  }
}

function logStart(log: Logger, { host, dataFolder }: Settings, port: number, { figures }: Store): void {
  log.info({ host, port, dataFolder, snapshotSlots: figures.snapshotSlots }, 'started')
}

/** Logs errors of the storage. */
function storageReport(log: Logger): (error: unknown) => void {
  return error => {
    // Space is freed by an operator, and nothing is broken.
    const isFull = error instanceof HyperslabError && error.code === 'storage-full'
    log[isFull ? 'warn' : 'error']({ err: error }, 'storage')
  }
}

function storeLimits({ maxSnapshotAge, maxWriteBytes, eventHours, eventBytes }: Settings) {
  return {
    maxSnapshotAgeSeconds: maxSnapshotAge,
    maxWriteBytes,
    keptEvents: { hours: eventHours, bytes: eventBytes },
  }
}

/** Lets commands use the records of the data folder through this process; without, they open them themselves. */
async function serveCommands({ records, dataFolder }: Settings, keyValue: KeyValue, log: Logger) {
  if (records.kind !== 'folder') return undefined
  return serveFolderRecords(dataFolder, keyValue).catch((error: unknown) => {
    log.warn({ err: error }, 'commands beside this service open the data folder themselves')
    return undefined
  })
}
