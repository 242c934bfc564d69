// `hyperslab serve`: connects the parts of the server, prints commands to try, and ends in order on a signal.

import { once } from 'node:events'
import { createServer as createProbe } from 'node:net'
import { availableParallelism } from 'node:os'
import { format } from 'node:util'
import { getHeapStatistics, setFlagsFromString } from 'node:v8'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { openDomainFiles } from '@hyperslab/files/import'
import type { Permission } from '@hyperslab/model/names'
import { isLoopbackHost, isTopLevel } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { openFilterThreads } from '@hyperslab/store/chunks'
import type { KeyValue } from '@hyperslab/store/engines'
import {
  endAtOnceWhen,
  endProcess,
  isInFolder,
  serveFolderRecords,
  systemRandom,
} from '@hyperslab/store/engines'
import { makeMountSecret, noteUsers } from '@hyperslab/store/records'
import type { Store } from '@hyperslab/store/store'
import { destination, pino, stdSerializers } from 'pino'
import { type AccountReports, openAccountFiles, openAccounts } from '../../accounts/accounts.ts'
import { StoredLogins } from '../../accounts/logins.ts'
import { openProviderUsers } from '../../accounts/provider-users.ts'
import { openUsers } from '../../accounts/users.ts'
import { readAssets } from '../../http/assets/assets.ts'
import type { VerifyToken } from '../../http/auth/tokens.ts'
import { withoutSecrets } from '../../http/message/share-address.ts'
import { createServer, type Server } from '../../http/server.ts'
import { permissionsOf } from '../../service/access/access.ts'
import type { LoginProvider, ProviderUsers } from '../../service/providers.ts'
import { openEngineToUse, openStoreOn } from '../data-folder/open.ts'
import { checkDataFolder, folderWarnings } from '../data-folder/prepare-folder.ts'
import { packageVersion } from '../package-version.ts'
import { bucketsOf, type Settings } from '../settings/config.ts'
import { connectionLimit } from '../settings/connection-limit.ts'
import { readLoginProviders } from '../settings/login-providers.ts'
import { isOpenUntilAccounts, namesUsers } from '../settings/open-service.ts'
import { requestMemory } from '../settings/request-memory.ts'
import { foreseen, UsageError } from '../usage-error.ts'
import { greeting } from './greeting.ts'
import { openSettingsMounts, prepareMounts } from './open-mounts.ts'
import { createSampleIfEmpty } from './sample.ts'
import { superviseWorkers } from './supervisor.ts'
import { joinSupervisor, type SupervisedWorker, shareOf } from './worker.ts'

const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

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
  const settings = isOnlyFiles(given) ? closedToNetwork(given) : given
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
  if (worker) return serveAs(worker, shareOf(settings), log)
  if (settings.workers === 1) return serveAs(undefined, settings, log)
  checkDataFolder(settings.dataFolder)
  const port = await requireFreeAddress(settings)
  return superviseWorkers(settings.workers, port, message => log.warn(message))
}

/** Serves in this process, as a worker or alone. */
async function serveAs(
  worker: SupervisedWorker | undefined,
  settings: Settings,
  log: ServerParts['log'],
): Promise<void> {
  setFlagsFromString(NO_PRETENURING)
  setFlagsFromString(COLLECT_LATER)
  // Wrong settings are found before a new data folder is created.
  const isNew = checkDataFolder(settings.dataFolder)
  // The first worker reports wrong settings for all.
  const warn = (message: string): void => {
    if (worker === undefined || worker.slot === 0) log.warn(message)
  }
  const reports = accountReports(log, warn)
  const files = openAccountFiles(settings, reports)
  const openProviders = await providersOpener(settings, reports.warn)
  const openVerifier = await tokenVerifier(settings, reports.report)
  const prepared = await prepareMounts(settings, message => log.warn(message))
  const isHung = () => prepared.hung().length > 0
  endAtOnceWhen(isHung, 'a mount did not answer')
  // A worker shares the address with others.
  if (isNew && !worker) await requireFreeAddress(settings)
  const report = (error: unknown) => {
    // Space is freed by an operator, and nothing is broken.
    const isFull = error instanceof HyperslabError && error.code === 'storage-full'
    log[isFull ? 'warn' : 'error']({ err: error }, 'storage')
  }
  const engine = await openEngineToUse(settings, { report, warn })
  for (const warning of folderWarnings(settings.dataFolder)) warn(warning)
  const { keyValue } = engine
  const commands = await serveCommands(settings, keyValue, log)
  let close = async () => {
    await commands?.close()
    await engine.close()
  }
  try {
    if (namesUsers(settings)) await noteUsers(keyValue, systemRandom)
    const accounts = await openAccounts(settings, files, { keyValue, now: SYSTEM_CLOCK.elapsed }, reports)
    const logins = new StoredLogins({
      keyValue,
      random: systemRandom,
      accounts,
      settings,
      clock: SYSTEM_CLOCK,
      report,
    })
    const users = openUsers({ keyValue, random: systemRandom, accounts })
    const providerUsers = openProviderUsers({ keyValue, random: systemRandom, accounts })
    const list = openProviders?.() ?? []
    const secret = list.length > 0 ? await makeMountSecret(keyValue, systemRandom) : undefined
    const verifyToken = openVerifier?.(list, providerUsers)
    const callers: Callers = {
      accounts,
      users,
      logins,
      ...(verifyToken && { verifyToken }),
      ...(secret && { providers: { list, users: providerUsers, secret } }),
    }
    const filterRunner = openFilterThreads(Math.ceil(availableParallelism() / settings.workers))
    const mounts = await openSettingsMounts(settings, prepared, keyValue, filterRunner, message =>
      log.warn(message),
    )
    const store = openStoreOn(engine, {
      report,
      warn: message => log.warn(message),
      maxSnapshotAgeSeconds: settings.maxSnapshotAge,
      maxWriteBytes: settings.maxWriteBytes,
      keptEvents: { hours: settings.eventHours, bytes: settings.eventBytes },
      filterRunner,
      sweeps: worker?.sweeps ?? true,
      ...(mounts && { mounts }),
    })
    close = async () => {
      await commands?.close()
      await logins.storeUses()
      await store.close()
    }
    // Users with files of their own need no sample, nor does a service with a database or a bucket.
    if (!mounts && isInFolder(settings)) await createSampleIfEmpty(store)
    const server = createServer({
      ...serverParts(settings, store, filterRunner, log, callers),
      ...(worker && { shareMetrics: worker.shareMetrics }),
      hungMounts: prepared.hung,
    })
    const port = await listenWith(({ host, port }) => server.listen(host, port), settings)
    const { snapshotSlots } = store.figures
    log.info({ host: settings.host, port, dataFolder: settings.dataFolder, snapshotSlots }, 'started')
    endOnSignal({ server, close, settings, log, worker, isHung })
    const isOpen = isOpenUntilAccounts(settings) && accounts.areUnused()
    const text = await greeting({ settings, port, store, isNew, isOpen, files: prepared.files })
    if (worker) worker.serving(text)
    else process.stdout.write(text)
  } catch (error) {
    await close()
    throw error
  }
}

/** Lets commands use the records of the data folder through this process; without, they open them themselves. */
async function serveCommands(
  { records, dataFolder }: Settings,
  keyValue: KeyValue,
  log: ServerParts['log'],
): Promise<{ close(): Promise<void> } | undefined> {
  if (records.kind !== 'folder') return undefined
  return serveFolderRecords(dataFolder, keyValue).catch((error: unknown) => {
    log.warn({ err: error }, 'commands beside this service open the data folder themselves')
    return undefined
  })
}

type ServerParts = Parameters<typeof createServer>[0]

/** The parts that identify callers. */
type Callers = Pick<ServerParts, 'accounts' | 'users' | 'logins' | 'verifyToken' | 'providers'>

function accountReports(log: ServerParts['log'], warn: (message: string) => void): AccountReports {
  return {
    report(error) {
      const message = foreseen(error)
      if (message === undefined) log.error({ err: error }, 'accounts')
      else log.warn(message)
    },
    warn,
  }
}

function serverParts(
  settings: Settings,
  store: Store,
  filterRunner: FilterRunner,
  log: ServerParts['log'],
  callers: Callers,
): ServerParts {
  const { publicUrl } = settings
  return {
    store,
    files: openDomainFiles(store, { ...settings, filterRunner }),
    // The build puts them beside the command (scripts/pages.mjs).
    pages: {
      docs: readAssets(new URL('./docs/', import.meta.url)),
      ui: readAssets(new URL('./ui/', import.meta.url)),
      frameAncestors: settings.frameAncestors,
    },
    ...callers,
    log,
    limits: {
      requests: settings.maxRequests,
      // JSON bodies and the values parsed from them are on the heap.
      bytes: Math.min(requestMemory(settings.maxRequestMemory), getHeapStatistics().heap_size_limit / 2),
      waitSeconds: settings.maxWait,
    },
    clientTimeoutSeconds: settings.clientTimeout,
    keepAliveSeconds: settings.keepAliveTimeout,
    minClientRate: settings.minClientRate,
    maxConnections: connectionLimit(settings.maxConnections),
    maxListeners: settings.maxListeners,
    service: {
      defaultAcl: settings.defaultAcl,
      defaultPublic: settings.defaultPublic,
      newDomains: settings.newDomains,
      isKnownUser: name => callers.accounts.isKnownUser(name),
      hasAccounts: () => callers.accounts.exist(),
      isAdmin: name => callers.accounts.find(name).admin,
      groupsOf: name => callers.accounts.find(name).groups,
    },
    http: {
      baseDomain: settings.baseDomain,
      homeFolder: settings.home,
      ...(publicUrl !== '' && { publicUrl }),
      corsOrigins: settings.corsOrigins,
      allowAnonymous: settings.allowNoauth,
      openUntilAccounts: isOpenUntilAccounts(settings),
      maxJsonBody: settings.maxJsonBody,
      hsdsLevel: settings.hsdsLevel,
      buckets: bucketsOf(settings),
      version: packageVersion(),
      metrics: settings.metrics,
      traces: settings.trace,
    },
  }
}

/** Reads the file of identity providers. Undefined: there are none, and the library is not loaded. */
async function providersOpener(
  { loginProviders, publicUrl }: Settings,
  report: (problem: string) => void,
): Promise<(() => readonly LoginProvider[]) | undefined> {
  if (loginProviders === '') return undefined
  if (!/^https?:/.test(publicUrl)) {
    throw new UsageError(
      '--login-providers needs --public-url, the address of this service to which the providers send people back',
    )
  }
  const providers = readLoginProviders(loginProviders)
  const { OidcProvider } = await import('../../oidc/oidc-provider.ts')
  const now = SYSTEM_CLOCK.elapsed
  return () => providers.map(settings => new OidcProvider({ settings, report, now }))
}

type OpenVerifier = (providers: readonly LoginProvider[], users: ProviderUsers) => VerifyToken

/** Undefined: no bearer token is accepted, and the library that verifies them is not loaded. */
async function tokenVerifier(
  settings: Settings,
  report: (error: unknown) => void,
): Promise<OpenVerifier | undefined> {
  const { tokenKeys, tokenIssuer, tokenAudience } = settings
  if (tokenKeys === '') return undefined
  if (tokenAudience.length === 0) {
    throw new UsageError(
      '--token-keys needs --token-audience: without it, tokens for other services would be accepted',
    )
  }
  const { openTokenKeys } = await import('./token-keys.ts')
  const { createVerifyToken } = await import('../../http/auth/tokens.ts')
  const { keyOf, issuer } = openTokenKeys(tokenKeys, report)
  return (providers, providerUsers) =>
    createVerifyToken({
      keyOf,
      issuer: () => tokenIssuer || issuer(),
      audience: tokenAudience,
      algorithms: settings.tokenAlgorithms,
      userClaim: settings.tokenUserClaim,
      groupsClaim: settings.tokenGroupsClaim,
      clockTolerance: settings.tokenClockTolerance,
      providers,
      providerUsers,
    })
}

/** Rejects settings with which every client of the network could change data, unless --open-to-network allows that. */
function refuseOpenNetwork(settings: Settings): void {
  const { defaultAcl, newDomains } = settings
  if (!isUnguarded(settings)) return
  const { create, update, delete: remove, updateACL } = defaultAcl
  const holes = [
    ...(create || update || remove || updateACL
      ? [{ danger: 'change stored data', remedy: '--default-acl read' }]
      : []),
    ...(newDomains === 'anyone' ? [{ danger: 'create domains', remedy: '--new-domains authenticated' }] : []),
  ]
  if (holes.length === 0) return
  throw new UsageError(
    `every client that reaches ${settings.host} could ${holes.map(({ danger }) => danger).join(' and ')}: ` +
      `give ${holes.map(({ remedy }) => remedy).join(' ')}, or --open-to-network to allow it`,
  )
}

/** Whether other machines reach the service, and the settings do not say that this is meant for open data. */
function isUnguarded({ host, openToNetwork }: Settings): boolean {
  return !isLoopbackHost(host) && !openToNetwork
}

/** Whether the service shows files that it never changes, at the top level: it needs no accounts then. */
function isOnlyFiles({ mount: mounts }: Settings): boolean {
  return mounts.some(({ path }) => isTopLevel(path))
}

/** On a network, callers without an item of their own read files, and create nothing beside them. */
function closedToNetwork(settings: Settings): Settings {
  if (!isUnguarded(settings)) return settings
  const { defaultAcl, newDomains } = settings
  return {
    ...settings,
    defaultAcl: permissionsOf(permission => READING.has(permission) && defaultAcl[permission]),
    newDomains: newDomains === 'anyone' ? 'nobody' : newDomains,
  }
}

const READING: ReadonlySet<Permission> = new Set(['read', 'readACL'])

/** The port, a free one instead of 0. Throws if the address is in use. */
async function requireFreeAddress(settings: Settings): Promise<number> {
  const probe = createProbe()
  await listenWith(async address => {
    probe.listen(address)
    await once(probe, 'listening')
  }, settings)
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : settings.port
}

type Address = Pick<Settings, 'host' | 'port'>

/** Listens; an address that cannot be used is an error with the remedy. */
async function listenWith<T>(listen: (address: Address) => Promise<T>, { host, port }: Address): Promise<T> {
  try {
    return await listen({ host, port })
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const address = `${host}:${port}`
    if (code === 'EADDRINUSE') throw new UsageError(`${address} is in use; --port takes another port`, 1)
    if (code === 'EACCES')
      throw new UsageError(`this user may not listen on ${address}; --port takes another port`, 1)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`${host} is not an address of this machine`, 1)
    }
    throw error
  }
}

interface ServiceToEnd {
  readonly server: Server
  readonly close: () => Promise<void>
  readonly settings: Settings
  readonly log: ServerParts['log']
  readonly worker: SupervisedWorker | undefined
  /** Whether the file system of a mount does not answer. */
  readonly isHung: () => boolean
}

/** Ends the process at once: `process.exit` would wait for threads that are blocked in the storage or in a mount. */
function endBySignal(signal: string): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/**
 * The first signal ends in order, a second one at once. A terminal sends SIGINT to a worker and to its supervisor,
 * which then instructs the worker.
 */
function endOnSignal({ server, close, settings, log, worker, isHung }: ServiceToEnd): void {
  let isEnding = false
  const endInOrder = (signal: string): void => {
    if (isEnding) return
    isEnding = true
    log.info({ signal }, 'stopping')
    end(server, close, settings)
      .then(() => {
        log.info('stopped')
        if (isHung()) endBySignal(signal)
        process.exit(0)
      })
      .catch((error: unknown) => {
        process.stderr.write(`hyperslab: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      })
  }
  if (worker) worker.end = endInOrder
  for (const [signal, exitCode] of Object.entries(SIGNAL_EXIT_CODES)) {
    process.on(signal, () => {
      if (worker && signal === 'SIGINT') return
      if (isEnding) {
        endBySignal(signal)
        process.exit(exitCode)
      }
      endInOrder(signal)
    })
  }
}

async function end(
  server: Server,
  close: () => Promise<void>,
  { shutdownDelay, shutdownGrace: graceSeconds }: Settings,
): Promise<void> {
  // Load balancers see it at /ready, and send no more requests.
  server.announceEnd()
  await SYSTEM_CLOCK.sleep(shutdownDelay * 1000)
  const answered = server.close()
  const requests = server.requestsInFlight
  if (requests > 0) {
    const amount = requests === 1 ? '1 request' : `${requests} requests`
    process.stderr.write(
      `hyperslab: finishing ${amount} (at most ${graceSeconds} s); a second signal ends it at once\n`,
    )
  }
  const isAnswered = await isDoneWithin(graceSeconds, answered)
  if (!isAnswered) {
    process.stderr.write(
      `hyperslab: some requests were not answered within ${graceSeconds} s and are cut off\n`,
    )
    // The writes of these requests are not committed.
    server.cutOff()
  }
  // Requests of clients that have left end when they notice it.
  const isClosed = await isDoneWithin(CLOSE_SECONDS, answered.then(close))
  if (!isClosed) endProcess(`The data folder could not be closed in ${CLOSE_SECONDS} s`)
  if (!isAnswered) process.exit(1)
}

/** The time to end requests of clients that have left, and to close the files. */
const CLOSE_SECONDS = 15

function isDoneWithin(seconds: number, work: Promise<void>): Promise<boolean> {
  return Promise.race([work.then(() => true), SYSTEM_CLOCK.sleep(seconds * 1000).then(() => false)])
}
