// Checks passwords. A check with argon2 costs some 30 milliseconds of a thread of libuv's pool, with which the store
// reads and writes files, and Basic credentials come with every request. So:
//
// - Credentials that were right are remembered, under a keyed digest, until they have not been used for an hour or the
//   account changes: they never wait. They are remembered for the address that they came from: from another address, a
//   right guess must not be answered faster than a wrong one.
// - Wrong credentials are remembered for ten minutes: a client that keeps sending an old password is rejected without
//   another check, and counts as one failure.
// - Checks have a short queue of their own, which the addresses share fairly.
// - After a few failures in a row the next check of that account is rejected for a while, from that address only, so
//   that an attacker cannot lock out the owner.
//
// A rejection takes as long for an unknown name as for a wrong password.

import { hash as digest, randomBytes, timingSafeEqual } from 'node:crypto'
import { BoundedMap } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { StoredPassword } from '../../service/accounts.ts'
import { FairBudget } from '../connection/admission.ts'
import { networkOf } from '../connection/client-address.ts'
import { Pacer } from '../connection/pacer.ts'
import { type PasswordCredentials, shownName } from './authorization.ts'

const HOUR_MS = 3_600_000
/** Passwords, wrong passwords and failed attempts that are remembered, of each. @limit memory, entries */
const MAX_REMEMBERED = 10_000

/**
 * Passwords that are checked at once: two of the 16 threads that no mount uses, and one for each address.
 * @limit safety, checks
 */
const CHECKS_AT_ONCE = 2
/** Password checks that queue. @limit safety, requests */
const MAX_WAITING = 32
const WAIT_SECONDS = 10
/**
 * Different passwords for one account from one address that may be checked or queued at the same time.
 * @limit safety, passwords
 */
const MAX_PENDING = 4

const FAILURES_FOR_FREE = 5
/** Seconds that the next password waits after failed attempts. @limit safety, s */
const MAX_DELAY_SECONDS = 30
const FAILURES_FORGOTTEN_MS = 600_000

const LOGGED_PER_MINUTE = 60
/** Characters of a name in the log. @limit safety, characters */
const MAX_NAME = 200

export interface FailedLogin {
  readonly account: string
  readonly address: string
  /** Failures in a row of that account from that address. */
  readonly failures: number
  /** Failures since the last report that were not reported. */
  readonly unlogged?: number
}

export interface PasswordCheckParts {
  /** Milliseconds; only differences count. */
  readonly now: () => number
  /** Called for failures, at most sixty times a minute. */
  readonly report: (failure: FailedLogin) => void
  /** Whether the password matches the hash. Default: argon2. */
  readonly verify?: (stored: string, password: string) => Promise<boolean>
}

interface Attempts {
  failures: number
  lastFailure: number
  /** The time at which the next check may begin. */
  notBefore: number
  pending: number
}

function sha224Of(password: string): string {
  return digest('sha224', password, 'hex')
}

/** argon2 is loaded at the first check, so that the start of the service does not wait for it. */
async function verifyHash(stored: string, password: string): Promise<boolean> {
  const { verify } = await import('@node-rs/argon2')
  return verify(stored, password)
}

/** The hash of a password that no account has. */
async function hashOfNobody(): Promise<string> {
  const { hash } = await import('@node-rs/argon2')
  return hash(randomBytes(16).toString('hex'))
}

export class PasswordChecks {
  readonly #now: () => number
  readonly #report: (failure: FailedLogin) => void
  readonly #verify: (stored: string, password: string) => Promise<boolean>
  readonly #key = randomBytes(32).toString('base64')
  readonly #budget = new FairBudget(CHECKS_AT_ONCE, MAX_WAITING, WAIT_SECONDS, new Pacer())
  /**
   * Passwords that were verified and need no Argon2 again: digest of address, name and password -> the proof that they
   * were verified with, and the time until which it is valid.
   * @limit speed, passwords, bench/results.md#040-reads-beside-guessed-passwords
   */
  readonly #verified = new BoundedMap<string, { readonly proof: string; until: number }>(MAX_REMEMBERED)
  /**
   * Wrong passwords that are known and cost no check: digest of such credentials and of the proof that they did not
   * match -> the time until which that is valid.
   * @limit safety, passwords
   */
  readonly #wrong = new BoundedMap<string, number>(MAX_REMEMBERED)
  /** Checks that are running: a burst of equal requests shares one. */
  readonly #running = new Map<string, Promise<boolean>>()
  /** Failed attempts by account and address, the earliest first. @limit safety, accounts */
  readonly #attempts = new BoundedMap<string, Attempts>(MAX_REMEMBERED)
  #dummyHash: Promise<string> | undefined
  #failed = 0
  #logged = { since: Number.NEGATIVE_INFINITY, reports: 0, unlogged: 0 }

  constructor({ now, report, verify = verifyHash }: PasswordCheckParts) {
    this.#now = now
    this.#report = report
    this.#verify = verify
  }

  /** Failed checks since the start. */
  get failed(): number {
    return this.#failed
  }
  get waiting(): number {
    return this.#budget.waiting
  }

  /**
   * Whether the password is right for the stored account of its name; throws `too-busy` when it cannot be checked now.
   */
  async isRight(
    given: PasswordCredentials,
    stored: StoredPassword | undefined,
    address: string,
  ): Promise<boolean> {
    const network = networkOf(address)
    const credentials = this.#digest(network, given.name, given.password)
    const proof = this.#proofOf(stored)
    const known = this.#verified.get(credentials)
    if (known !== undefined && known.proof === proof && known.until > this.#now()) {
      known.until = this.#now() + HOUR_MS
      return true
    }
    const key = `${credentials}${proof}`
    if ((this.#wrong.get(key) ?? 0) > this.#now()) return false
    const check = this.#running.get(key) ?? this.#check(given, stored, network)
    this.#running.set(key, check)
    try {
      const isRight = await check
      if (isRight) this.#verified.set(credentials, { proof, until: this.#now() + HOUR_MS })
      else this.#wrong.set(key, this.#now() + FAILURES_FORGOTTEN_MS)
      return isRight
    } finally {
      this.#running.delete(key)
    }
  }

  /** The argon2 hash of a new password, made in the queue of the checks. */
  async hash(password: string, address: string): Promise<string> {
    const queue = await this.#budget.take(networkOf(address), 1, NO_CLIENT)
    try {
      const { hash } = await import('@node-rs/argon2')
      return await hash(password)
    } finally {
      this.#budget.give(queue, 1)
    }
  }

  /**
   * Counts a token that is not accepted as a failed login of the account, from that address; throws `too-many-logins`
   * when there were too many. A token that is sent again counts once. Tokens are found by their hash, so there is
   * nothing to check, and one that is accepted never waits.
   */
  countWrongToken(name: string, token: string, address: string): void {
    const network = networkOf(address)
    const key = this.#digest(network, name, token)
    if ((this.#wrong.get(key) ?? 0) > this.#now()) return
    const account = this.#digest(network, name)
    const attempts = this.#attemptsOf(account)
    requireNoDelay(attempts, this.#now(), 'tokens')
    this.#wrong.set(key, this.#now() + FAILURES_FORGOTTEN_MS)
    this.#countFailure(name, network, attempts)
    this.#attempts.set(account, attempts)
  }

  #digest(...texts: readonly string[]): string {
    return digest('sha256', [this.#key, ...texts.map(text => `${text.length}:${text}`)].join(''), 'base64')
  }

  /** The proof of a password, which changes with the account. */
  #proofOf(stored: StoredPassword | undefined): string {
    if (stored === undefined) return ''
    return 'hash' in stored ? stored.hash : this.#digest('plain' in stored ? stored.plain : stored.sha224)
  }

  async #check(
    credentials: PasswordCredentials,
    stored: StoredPassword | undefined,
    network: string,
  ): Promise<boolean> {
    const key = this.#digest(network, credentials.name)
    const attempts = this.#attemptsOf(key)
    requireNoDelay(attempts, this.#now(), 'passwords')
    if (attempts.pending === MAX_PENDING) throw tooManyLogins(1, 'other passwords are being checked')
    attempts.pending++
    try {
      if (await this.#compare(credentials.password, stored, network)) {
        this.#attempts.forget(key)
        return true
      }
    } finally {
      attempts.pending--
    }
    this.#countFailure(credentials.name, network, attempts)
    this.#attempts.set(key, attempts)
    return false
  }

  #attemptsOf(key: string): Attempts {
    const known = this.#attempts.get(key)
    const isOld = known?.pending === 0 && this.#now() - known.lastFailure > FAILURES_FORGOTTEN_MS
    if (known !== undefined && !isOld) return known
    const attempts = {
      failures: 0,
      lastFailure: this.#now(),
      notBefore: Number.NEGATIVE_INFINITY,
      pending: 0,
    }
    this.#attempts.set(key, attempts)
    return attempts
  }

  async #compare(password: string, stored: StoredPassword | undefined, network: string): Promise<boolean> {
    if (stored !== undefined && !('hash' in stored)) {
      const texts = 'plain' in stored ? [stored.plain, password] : [stored.sha224, sha224Of(password)]
      const [expected, given] = texts.map(text => Buffer.from(this.#digest(text)))
      if (timingSafeEqual(expected, given)) return true
    }
    const hashed = stored !== undefined && 'hash' in stored ? stored.hash : undefined
    const queue = await this.#budget.take(network, 1, NO_CLIENT)
    try {
      this.#dummyHash ??= hashOfNobody()
      // No password matches a hash that argon2 does not understand.
      const hashedText = stored !== undefined && 'of' in stored ? sha224Of(password) : password
      const isRight = await this.#verify(hashed ?? (await this.#dummyHash), hashedText).catch(() => false)
      return isRight && hashed !== undefined
    } finally {
      this.#budget.give(queue, 1)
    }
  }

  #countFailure(name: string, address: string, attempts: Attempts): void {
    this.#failed++
    attempts.failures++
    attempts.lastFailure = this.#now()
    const delays = attempts.failures - FAILURES_FOR_FREE
    if (delays >= 0) {
      attempts.notBefore = this.#now() + 1000 * Math.min(2 ** delays, MAX_DELAY_SECONDS)
    }
    if (this.#now() - this.#logged.since >= 60_000) {
      this.#logged = { since: this.#now(), reports: 0, unlogged: this.#logged.unlogged }
    }
    if (this.#logged.reports === LOGGED_PER_MINUTE) {
      this.#logged.unlogged++
      return
    }
    const { unlogged } = this.#logged
    const { failures } = attempts
    this.#report({
      account: shownName(name).slice(0, MAX_NAME),
      address,
      failures,
      ...(unlogged > 0 && { unlogged }),
    })
    this.#logged.reports++
    this.#logged.unlogged = 0
  }
}

/** Several requests may share one check: it continues when one of their clients leaves. */
const NO_CLIENT = { socket: null, writableLength: 0, once() {}, off() {} }

function requireNoDelay({ notBefore, failures }: Attempts, now: number, subject: string): void {
  const seconds = Math.ceil((notBefore - now) / 1000)
  if (seconds > 0) throw tooManyLogins(seconds, `${failures} ${subject} were wrong`)
}

function tooManyLogins(seconds: number, reason: string): HyperslabError {
  return new HyperslabError(
    'too-many-logins',
    `${reason} for this account from this address: try again after ${seconds} s`,
    { retryAfter: seconds },
  )
}
