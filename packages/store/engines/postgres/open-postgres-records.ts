// The records half of an engine in a database of PostgreSQL.

import { HyperslabError } from '@hyperslab/base/errors'
import type { RecordsEngine } from '../../interfaces/engine.ts'
import { type OlderFormat, raisedFormat, refusedFormat } from '../data-folder.ts'
import { Connections } from './connections.ts'
import { MAX_KEY_LENGTH } from './group.ts'
import { PostgresKeyValue } from './key-value.ts'
import { CREATE_SCHEMA, FORMAT, OLDER_FORMATS, RAISE_SCHEMA } from './schema.ts'

/**
 * Bytes of a value that is a record: longer ones would take the room of the records that a process keeps; and pg gives
 * them as hexadecimal digits, twice as long.
 * @limit memory, bytes
 */
const MAX_INLINE_BYTES = 4096
const READ_CONNECTIONS = 8
const STATEMENT_MILLISECONDS = 10_000
/** The limit of the first statements: wrong settings are reported within 10 seconds. */
const START_MILLISECONDS = 4000
const OLDEST_VERSION = 150_000

export interface PostgresRecordsOptions {
  readonly readConnections?: number
  /** Milliseconds after which a statement without an answer has failed. Default: 10 seconds. */
  readonly timeoutMilliseconds?: number
  /** Called with failures of work in the background. Default: a warning of the process. */
  readonly report?: (error: unknown) => void
  /** Called with warnings about the settings of the database, for the operator. Default: nothing is called. */
  readonly warn?: (message: string) => void
  /** A database that holds no store is an error. Default: the store is created. */
  readonly mustExist?: boolean
  /** True: an existing store is opened for reading. Only a lease is written to the database, and removed at the end. */
  readonly toRead?: boolean
  /** Default: it is raised. */
  readonly olderFormat?: OlderFormat
}

/**
 * Opens the records at `postgres://user:password@host:port/database`, and creates their missing parts. Throws within 10
 * seconds, with a message of one line and without the password, when the database cannot be used.
 */
export async function openPostgresRecords(
  address: string,
  {
    readConnections = READ_CONNECTIONS,
    timeoutMilliseconds = STATEMENT_MILLISECONDS,
    report = warnOfFailure,
    warn = () => undefined,
    mustExist = false,
    toRead = false,
    olderFormat = toRead ? 'keep' : 'raise',
  }: PostgresRecordsOptions = {},
): Promise<RecordsEngine> {
  const location = locationOf(address)
  await prepare(address, location, { mustExist: mustExist || toRead, olderFormat, warn })
  const keyValue = new PostgresKeyValue(address, { readConnections, timeoutMilliseconds, report })
  try {
    await keyValue.open(!toRead)
  } catch (error) {
    await keyValue.close()
    throw unusable(location, error)
  }
  return {
    keyValue,
    recordBytes: () => keyValue.bytes(),
    processes: () => keyValue.processes(),
    databaseFigures: () => keyValue.figures,
    maxKeyLength: MAX_KEY_LENGTH,
    maxInlineBytes: MAX_INLINE_BYTES,
    close: () => keyValue.close(),
  }
}

interface Preparation {
  /** False: a missing schema is created. */
  readonly mustExist: boolean
  readonly olderFormat: OlderFormat
  readonly warn: (message: string) => void
}

/** Checks the database and, unless it must exist, creates the schema if it is missing. */
async function prepare(
  address: string,
  location: string,
  { mustExist, olderFormat, warn }: Preparation,
): Promise<void> {
  const connections = new Connections({ address, max: 1, timeoutMilliseconds: START_MILLISECONDS })
  try {
    await checkServer(connections, location, warn)
    if (!(await hasSchema(connections))) {
      if (mustExist) throw new UnusableDatabase('it holds no store')
      await connections.send(CREATE_SCHEMA, [])
    }
    await checkFormat(connections, location, { olderFormat, warn })
  } catch (error) {
    throw unusable(location, error)
  } finally {
    await connections.close()
  }
}

const SETTINGS = [
  'server_version_num',
  'fsync',
  'full_page_writes',
  'synchronous_commit',
  'synchronous_standby_names',
  'default_transaction_isolation',
]

async function checkServer(
  connections: Connections,
  location: string,
  warn: (message: string) => void,
): Promise<void> {
  const [row] = await connections.send(
    `select ${SETTINGS.map(name => `current_setting('${name}')`).join(', ')}`,
    [],
  )
  const [version, ...settings] = row.map(String)
  if (Number(version) < OLDEST_VERSION)
    throw new UnusableDatabase(
      `it is PostgreSQL ${Math.floor(Number(version) / 10_000)}: 15 or later is needed`,
    )
  const [fsync, fullPageWrites, synchronousCommit, standbys, isolation] = settings
  const off = Object.entries({
    fsync,
    full_page_writes: fullPageWrites,
    synchronous_commit: synchronousCommit,
  }).find(([, value]) => value === 'off')
  if (off) throw new UnusableDatabase(`${off[0]} is off, so acknowledged writes could be lost: set it to on`)
  if (isolation !== 'read committed')
    throw new UnusableDatabase(
      `default_transaction_isolation is "${isolation}": set it to "read committed" for this user`,
    )
  // With `local` a commit does not wait for the standby.
  if (standbys === '' || synchronousCommit === 'local')
    warn(
      `records: ${location} has no synchronous standby (synchronous_standby_names, synchronous_commit): if its ` +
        'machine is lost, all changes since the last backup are lost; if another server takes over, the newest changes are',
    )
}

async function hasSchema(connections: Connections): Promise<boolean> {
  const [[table]] = await connections.send(`select to_regclass('hyperslab.store')::text`, [])
  return table !== null
}

async function checkFormat(
  connections: Connections,
  location: string,
  { olderFormat, warn }: Pick<Preparation, 'olderFormat' | 'warn'>,
): Promise<void> {
  const [[format]] = await connections.send('select format from hyperslab.store', [])
  if (Number(format) === FORMAT) return
  if (OLDER_FORMATS.includes(Number(format))) {
    if (olderFormat === 'keep') return
    if (olderFormat === 'refuse')
      throw new UnusableDatabase(refusedFormat('the store', Number(format), FORMAT))
    await connections.send(RAISE_SCHEMA, [])
    warn(raisedFormat(location, Number(format), FORMAT))
    return
  }
  const version = Number(format) > FORMAT ? 'a newer' : 'an older'
  throw new UnusableDatabase(
    `it has the format ${String(format)}, but this version of Hyperslab reads the format ${FORMAT}: use ` +
      `${version} version`,
  )
}

class UnusableDatabase extends Error {}

function unusable(location: string, error: unknown): Error {
  return new Error(`records: ${location} cannot be used: ${reasonOf(error)}`, { cause: error })
}

function reasonOf(error: unknown): string {
  const cause = error instanceof HyperslabError && error.cause instanceof Error ? error.cause : error
  return (cause instanceof Error ? cause.message || String(cause) : String(cause)).split('\n')[0]
}

/** The host and the database, without the user and the password. */
function locationOf(address: string): string {
  if (!URL.canParse(address)) throw new Error('records: it must be postgres://user@host/database')
  const { host, pathname } = new URL(address)
  return `postgres://${host}${pathname}`
}

function warnOfFailure(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
