// Statements to PostgreSQL. Each is a transaction of its own: no later statement needs the same session, and no
// transaction waits for this process. A statement has a deadline; a repeatable one is sent again when its connection is
// lost.
//
// Sessions keep statements prepared, which saves them the parsing: a seventh of the processor time of a small write. A
// pooler may give each statement to another session; from the first missing prepared statement on, none is prepared.

import { createHash } from 'node:crypto'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import pg from 'pg'
import type { CallFigures } from '../../interfaces/engine.ts'
import { databaseError, isConnectionLost, isPasswordRefused, isStatementMissing } from './failures.ts'
import { passwordInFile } from './password-file.ts'

/** A value of a parameter; `null`: absent. Bytes are a bytea, or an array in the binary format (arrays.ts). */
export type Parameter = string | number | bigint | boolean | Uint8Array | null

/** Columns: text, numbers of 64 bits as text, `Buffer` for bytea, arrays of these. */
export type Row = readonly unknown[]

export interface ConnectionsOptions {
  /** The address, `postgres://user:password@host:port/database`. */
  readonly address: string
  /** Connections at once; more statements wait. */
  readonly max: number
  /** The limit of making a connection, and of a statement. */
  readonly timeoutMilliseconds: number
}

interface Statement {
  readonly text: string
  readonly name?: string
}

/** A statement was not sent. `cause` is the reason. */
export class NotSent extends Error {
  constructor(cause: unknown) {
    super('no connection to the database', { cause })
  }
}

/** Pauses before a statement is sent again: a backend may have been ended, or the database may be starting. */
const RETRY_MILLISECONDS = [0, 100, 400]
/** Longer than the lease goes without a statement, so that a connection is not made for each. */
const IDLE_MILLISECONDS = 60_000
/** The pause before a connection is tried again whose password was refused. */
const PASSWORD_MILLISECONDS = 400

/** A connection whose password is in the address, in PGPASSWORD, or else in the password file, which it reads. */
class Client extends pg.Client {
  constructor(config?: string | pg.ClientConfig) {
    super(config)
    // A password in the settings of the pool would be lost: the address replaces it even if it has none. `pg` accepts a
    // function, but its type does not.
    if (!this.password) Object.assign(this, { password: this.#readPassword })
  }

  readonly #readPassword = async (connection: Parameters<typeof passwordInFile>[0]): Promise<string> => {
    try {
      return await passwordInFile(connection)
    } catch (error) {
      // The pool does not end a connection that fails here.
      void this.end()
      throw error
    }
  }
}

export class Connections {
  readonly #pool: pg.Pool
  readonly #timeout: number
  readonly #counted = { calls: 0, failures: 0, retries: 0, seconds: 0 }
  /**
   * The names of prepared statements by their SQL; those without parameters are seldom sent. Undefined: sessions may
   * lose them.
   */
  #prepared: Map<string, string> | undefined = new Map()

  constructor({ address, max, timeoutMilliseconds }: ConnectionsOptions) {
    this.#timeout = timeoutMilliseconds
    this.#pool = new pg.Pool({
      Client,
      connectionString: address,
      max,
      connectionTimeoutMillis: timeoutMilliseconds,
      query_timeout: timeoutMilliseconds,
      idleTimeoutMillis: IDLE_MILLISECONDS,
      keepAlive: true,
      application_name: 'hyperslab',
    })
    // A connection that is lost while it is idle is replaced when the next statement needs one; the statement that
    // loses it rejects. `pg` also emits events for both, which without a listener would end this process.
    this.#pool.on('error', () => undefined)
    this.#pool.on('connect', client => client.on('error', () => undefined))
  }

  /** Notes that a statement is sent again. */
  noteRetry(): void {
    this.#counted.retries++
  }

  /** Counts of statements. */
  get figures(): CallFigures {
    const { totalCount, waitingCount } = this.#pool
    return { ...this.#counted, connections: totalCount, waiting: waitingCount }
  }

  /**
   * Sends a statement once. Rejects with `NotSent` when there was no connection, else with the error of pg: then the
   * change may have been made.
   */
  async sendOnce(text: string, parameters: readonly Parameter[]): Promise<Row[]> {
    const name = parameters.length > 0 ? this.#nameOf(text) : undefined
    if (name === undefined) return this.#send({ text }, parameters)
    try {
      return await this.#send({ text, name }, parameters)
    } catch (error) {
      if (!isStatementMissing(error)) throw error
      // The statement was not begun.
      this.#prepared = undefined
      return this.#send({ text }, parameters)
    }
  }

  /**
   * The same text always gets the same name: with a pooler, other processes may have prepared statements in this
   * session.
   */
  #nameOf(text: string): string | undefined {
    const known = this.#prepared?.get(text)
    if (known !== undefined || this.#prepared === undefined) return known
    const name = `hyperslab-${createHash('sha256').update(text).digest('hex').slice(0, 32)}`
    this.#prepared.set(text, name)
    return name
  }

  async #send(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]> {
    const since = SYSTEM_CLOCK.elapsed()
    try {
      return await this.#sendConnected(statement, parameters)
    } catch (error) {
      this.#counted.failures++
      throw error
    } finally {
      this.#counted.calls++
      this.#counted.seconds += (SYSTEM_CLOCK.elapsed() - since) / 1000
    }
  }

  async #sendConnected(statement: Statement, parameters: readonly Parameter[]): Promise<Row[]> {
    const client = await this.#connect()
    try {
      const { rows } = await client.query({ ...statement, values: [...parameters], rowMode: 'array' })
      client.release()
      return rows
    } catch (error) {
      // The answer to the statement may still come.
      client.release(true)
      throw error
    }
  }

  /** While the password is refused, tries again until the deadline: an operator may be changing it. */
  async #connect(): Promise<pg.PoolClient> {
    const end = SYSTEM_CLOCK.elapsed() + this.#timeout - PASSWORD_MILLISECONDS
    for (;;) {
      try {
        return await this.#pool.connect()
      } catch (error) {
        if (!isPasswordRefused(error) || SYSTEM_CLOCK.elapsed() > end) throw new NotSent(error)
      }
      await SYSTEM_CLOCK.sleep(PASSWORD_MILLISECONDS)
    }
  }

  /** Sends a statement that may be sent twice. Rejects with the error for the caller. */
  async send(text: string, parameters: readonly Parameter[]): Promise<Row[]> {
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.sendOnce(text, parameters)
      } catch (error) {
        const milliseconds = RETRY_MILLISECONDS.at(attempt)
        const cause = error instanceof NotSent ? error.cause : error
        if (milliseconds === undefined || !isConnectionLost(cause)) throw databaseError(cause)
        await SYSTEM_CLOCK.sleep(milliseconds)
        this.noteRetry()
      }
    }
  }

  async close(): Promise<void> {
    await this.#pool.end()
  }
}
