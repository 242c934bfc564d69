// One process of a service in a world: the server, with the accounts of ann, bob and boss (an administrator), whose
// passwords are their names, over the disk of the world. It ends in order, or is killed and leaves what it has synced.

import { openDomainFiles } from '@hyperslab/files/import'
import { type OpenStore, openStore, type StoreOptions, storeClock } from '@hyperslab/store/engines'
import type { Mounts } from '@hyperslab/store/store'
import { pino } from 'pino'
import { StoredLogins } from '../../packages/server/accounts/logins.ts'
import { createServer, type Server, type ServerSettings } from '../../packages/server/http/server.ts'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import type { Accounts } from '../../packages/server/service/accounts.ts'
import { seededRandom } from '../engines/clock.ts'
import { NO_ACCOUNTS, NO_USERS } from '../fixtures/service.ts'
import type { WorldClock } from './clock.ts'
import type { Disk } from './disk.ts'
import type { SocketEnd } from './network.ts'

export interface ServiceOptions
  extends Partial<
    Pick<
      ServerSettings,
      | 'clientTimeoutSeconds'
      | 'keepAliveSeconds'
      | 'limits'
      | 'maxConnections'
      | 'maxListeners'
      | 'minClientRate'
    >
  > {
  readonly mounts?: Mounts
  readonly store?: Partial<StoreOptions>
  /** Seconds after which sessions that are not used end, and all. */
  readonly sessions?: { readonly sessionIdle: number; readonly sessionEnd: number }
}

export interface ServiceParts {
  readonly name: string
  readonly seed: number
  readonly clock: WorldClock
  readonly disk: Disk
  /** Gets the lines of the log. */
  readonly log: (line: string) => void
}

const USERS = ['ann', 'bob', 'boss']
const ACCOUNTS: Accounts = {
  ...NO_ACCOUNTS,
  find: name => ({
    groups: [],
    admin: name === 'boss',
    ...(USERS.includes(name) && { password: { plain: name } }),
  }),
  isKnownUser: name => USERS.includes(name),
  exist: () => true,
  areUnused: () => false,
}
const HTTP = {
  baseDomain: 'example.org',
  homeFolder: 'home',
  publicUrl: 'http://world.example',
  corsOrigins: [],
  allowAnonymous: true,
  maxJsonBody: 2 ** 20,
  hsdsLevel: '1.0',
  buckets: { defaultName: 'hyperslab', otherNames: [] },
  version: '0.0.0',
  commit: '',
  metrics: 'public',
} as const

export class WorldService {
  readonly name: string
  readonly clock: WorldClock
  readonly store: OpenStore
  readonly logins: StoredLogins
  readonly server: Server
  isAlive = true
  readonly #kill: () => void
  readonly #connections = new Set<SocketEnd>()

  constructor({ name, seed, clock, disk, log }: ServiceParts, options: ServiceOptions = {}) {
    const { mounts, store, sessions = { sessionIdle: 3600, sessionEnd: 86_400 }, ...settings } = options
    const { engine, kill } = disk.open(name)
    this.name = name
    this.clock = clock
    this.#kill = kill
    const report = (error: unknown) => log(`${name}: storage: ${error}`)
    this.store = openStore(engine, {
      clock: storeClock(clock),
      random: seededRandom(seed),
      report,
      ...(mounts && { mounts }),
      ...store,
    })
    this.logins = new StoredLogins({
      keyValue: engine.keyValue,
      random: seededRandom(seed + 1),
      accounts: ACCOUNTS,
      settings: sessions,
      clock,
      report,
    })
    this.server = createServer({
      store: this.store,
      files: openDomainFiles(this.store, { maxUpload: 2 ** 30 }),
      accounts: ACCOUNTS,
      users: NO_USERS,
      logins: this.logins,
      service: {
        defaultAcl: ALL_PERMISSIONS,
        newDomains: 'anyone',
        isKnownUser: ACCOUNTS.isKnownUser,
        isAdmin: user => user === 'boss',
      },
      http: HTTP,
      log: pino({ level: 'info' }, { write: line => log(`${name}: ${line.trim()}`) }),
      clock,
      ...settings,
    })
  }

  accept(connection: SocketEnd): void {
    if (!this.isAlive) {
      connection.cut()
      return
    }
    this.#connections.add(connection)
    connection.once('close', () => this.#connections.delete(connection))
    this.server.accept(connection)
  }

  /** Ends in order: requests in flight are answered. */
  async end(): Promise<void> {
    await this.server.close()
    await this.logins.storeUses()
    await this.store.close()
    this.isAlive = false
    this.clock.stop()
  }

  /** Ends at once. */
  kill(): void {
    this.isAlive = false
    this.clock.stop()
    this.#kill()
    for (const connection of this.#connections) connection.cut()
  }
}
