// A service on a store for one command: the service of `serve` in this process, without a port. It takes connections at
// a socket in a folder that only the user of the command can open, and its caller may do everything, because the user
// of the files may.

import { mkdtemp, rm } from 'node:fs/promises'
import { Agent, type IncomingMessage, request } from 'node:http'
import { createServer as createSocketServer, type Socket, type Server as SocketServer } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { openFilterThreads } from '@hyperslab/store/chunks'
import { type Engine, needsFolder, systemRandom } from '@hyperslab/store/engines'
import { destination, pino } from 'pino'
import { openAccountFiles, openAccounts } from '../../accounts/accounts.ts'
import { StoredLogins } from '../../accounts/logins.ts'
import { openUsers } from '../../accounts/users.ts'
import { createServer } from '../../http/server.ts'
import { type AuditEntry, AuditLog } from '../../http/watch/audit-log.ts'
import { openEngineAt, openEngineToUse, openStoreOn } from '../data-folder/open.ts'
import { requireDataFolder } from '../data-folder/prepare-folder.ts'
import { accountReports, type Callers } from '../serve/callers.ts'
import { serverParts } from '../serve/server-parts.ts'
import type { Settings } from '../settings/table.ts'

/** A host that is this machine for every client. */
export const ADDRESS = 'http://localhost'
const LOOPBACK = '127.0.0.1'
/** Bytes of files that a command copies. */
const ANY_LENGTH = Number.MAX_SAFE_INTEGER
const NO_PAGES = { docs: new Map(), ui: new Map() }

export interface ServiceOfStore {
  readonly fetch: typeof fetch
  readonly close: () => Promise<void>
}

/** `writes`: the command changes something; a store of an older format is refused then, and read otherwise. */
export async function openServiceOfStore(given: Settings, writes: boolean): Promise<ServiceOfStore> {
  const settings = forOneCommand(given)
  if (needsFolder(settings)) requireDataFolder(settings.dataFolder)
  const engine = await (writes
    ? openEngineToUse(settings, { throughService: true })
    : openEngineAt(settings, { throughService: true, olderFormat: 'keep' }))
  const filterRunner = openFilterThreads()
  const store = openStoreOn(engine, { filterRunner, maxSnapshotAgeSeconds: Infinity, sweeps: writes })
  try {
    const log = pino({ level: 'error' }, destination({ dest: 2, sync: true }))
    const callers = await openCallers(
      settings,
      engine,
      accountReports(log, message => log.warn(message)),
    )
    const parts = serverParts(settings, store, filterRunner, log, callers, NO_PAGES)
    const server = createServer({
      ...parts,
      http: { ...parts.http, openUntilAccounts: true },
      audit: new CommandAudit({ setting: settings.audit, report: reportLostLine }),
    })
    const socket = await listen(connection => server.accept(connection))
    return {
      fetch: socket.fetch,
      async close() {
        server.cutOff()
        await socket.close()
        await server.close()
        await store.close()
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}

/** Without what protects a service from its callers, and without addresses of its own. */
function forOneCommand(settings: Settings): Settings {
  return { ...settings, budget: [], metrics: 'off', maxUpload: ANY_LENGTH, publicUrl: '', accelRedirect: '' }
}

/** The users of the store, because lists name them. No request has a login. */
async function openCallers(
  settings: Settings,
  { keyValue }: Engine,
  reports: ReturnType<typeof accountReports>,
): Promise<Callers> {
  const files = openAccountFiles(settings, reports)
  const stored = { keyValue, now: SYSTEM_CLOCK.elapsed }
  const accounts = { ...(await openAccounts(settings, files, stored, reports)), areUnused: () => true }
  const parts = { keyValue, random: systemRandom, accounts }
  const logins = new StoredLogins({ ...parts, settings, clock: SYSTEM_CLOCK, report: reports.report })
  return { accounts, users: openUsers({ ...parts, settings }), logins }
}

/** The audit, whose lines name the user of the system and no address. */
class CommandAudit extends AuditLog {
  override write({ address: _, ...entry }: AuditEntry): void {
    super.write({ ...entry, login: 'command', systemUser: userInfo().username })
  }
}

function reportLostLine(error: unknown): void {
  process.stderr.write(`The audit has no line of this command: ${String(error)}\n`)
}

/** Listens at a socket that is a file, and gives a `fetch` that connects there. */
async function listen(accept: (connection: Socket) => void): Promise<ServiceOfStore> {
  // The folder of `mkdtemp` is for its user only.
  const folder = await mkdtemp(join(tmpdir(), 'hyperslab-'))
  const path = join(folder, 'socket')
  const sockets: SocketServer = createSocketServer(connection => {
    // Such a socket has no address, and the open service answers callers of this machine.
    accept(Object.defineProperty(connection, 'remoteAddress', { value: LOOPBACK }))
  })
  await new Promise<void>((resolve, reject) => {
    sockets.once('error', reject)
    sockets.listen(path, resolve)
  })
  const agent = new Agent({ keepAlive: true })
  return {
    fetch: (input, init) => fetchAt(path, agent, String(input), init),
    async close() {
      agent.destroy()
      await new Promise(resolve => sockets.close(resolve))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** `fetch` of the client, of what it uses: a method, headers, a signal, and a body of text, bytes or a stream. */
function fetchAt(
  socketPath: string,
  agent: Agent,
  address: string,
  init: RequestInit = {},
): Promise<Response> {
  const { method = 'GET', headers, body, signal } = init
  const { pathname, search, host } = new URL(address)
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        socketPath,
        agent,
        path: pathname + search,
        method,
        headers: { ...Object.fromEntries(new Headers(headers)), host },
        ...(signal && { signal }),
      },
      answer => resolve(responseOf(answer)),
    )
    sent.once('error', reject)
    // The error of the body is that of the request, too.
    if (body instanceof ReadableStream) pipeline(Readable.fromWeb(body as never), sent).catch(reject)
    else sent.end(body ?? undefined)
  })
}

function responseOf(answer: IncomingMessage): Response {
  const { statusCode: status = 0, headersDistinct } = answer
  const headers = new Headers()
  for (const [name, values = []] of Object.entries(headersDistinct))
    for (const value of values) headers.append(name, value)
  const hasBody = status !== 204 && status !== 304
  if (!hasBody) answer.resume()
  const body = hasBody ? (Readable.toWeb(answer) as ReadableStream<Uint8Array>) : null
  return new Response(body, { status, headers })
}
