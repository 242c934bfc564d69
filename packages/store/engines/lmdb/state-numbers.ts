// Numbers of the states of a folder: that of the newest commit, in the two first pages of data.mdb, and that with which
// all processes begin to read and to commit, in lock.mdb. The second one may be too low: builds of LMDB without our
// repair store an old number when they open the folder (ITS#9496, native/lmdb/repairs.md). A commit that begins with it
// would undo the commits after that state, so each commit compares the two first; and each read compares the second
// with the number of the newest state that this process has seen. The layout is that of the package's fork of LMDB 1.0,
// on 64-bit systems with the lowest byte first.

import { closeSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { openLockFile, type SharedFile } from './lock-file.ts'
import { readPageBytes, STATE_OFFSET } from './pages.ts'

const NUMBER_BYTES = 8
/** The place of the number in lock.mdb. */
const CURRENT_OFFSET = 8
/** The place in lock.mdb of the word with the owner of the write lock: the locks of glibc have lengths of their own. */
const OWNER_OFFSETS: Partial<Record<NodeJS.Architecture, number>> = { x64: 64, arm64: 128 }
/** The bits of the word that are the id of a thread; the kernel sets the others (futex(2), "Robust futexes"). */
const THREAD_BITS = 0x3fffffff

const bytes = Buffer.alloc(NUMBER_BYTES)

export class StateNumbers {
  readonly #data: number
  readonly #lock: SharedFile
  /** The two first pages, from the number in the first one to that in the second one. */
  readonly #pages: Buffer
  /** The newest state that this process has read or committed. */
  #seen = 0

  /** The folder must be open in LMDB, and be closed there before `close` is called. */
  constructor(folder: string) {
    this.#lock = openLockFile(join(folder, 'lock.mdb'))
    this.#data = openSync(join(folder, 'data.mdb'), 'r')
    this.#pages = Buffer.alloc(readPageBytes(this.#data) + NUMBER_BYTES)
  }

  /**
   * Whether a write transaction begins with the newest state. Otherwise puts the number right: the transaction must be
   * undone, and begun again. `transaction` is its number; it must be open, so that no other process commits.
   */
  confirmBase(transaction: number): boolean {
    const newest = this.#newest()
    this.#see(newest)
    if (transaction === newest + 1) return true
    this.#write(newest)
    return false
  }

  /**
   * Whether other transactions begin with the state of the one that has just been committed, or with a later one. True
   * also if it has changed nothing, and so is no state. False: it may be hidden, which the next write transaction sees.
   */
  confirmCommit(transaction: number): boolean {
    const current = this.#current()
    if (current < transaction && this.#newest() >= transaction) return false
    this.#see(current)
    return true
  }

  /**
   * Puts the number right before a read begins with it: LMDB's lists of free pages rely on readers that never begin
   * with an older state than others before them. Returns the number of the newest state; while a process commits, its
   * page may be there before the commit is done, and the number is then one less.
   */
  prepareRead(): number {
    const current = this.#current()
    const newest = this.#newest()
    if (current >= newest) return newest
    // A process that was killed in its commit leaves another word: the next commit ends what it has begun.
    const committed = Math.max(this.#ownerWord() === 0 ? newest : newest - 1, this.#seen)
    // The commit may have ended meanwhile.
    if (current < committed && this.#current() === current) this.#write(committed)
    return newest
  }

  /**
   * Whether a read that has just begun has the state of its number, and none that is older than one that this process
   * has seen. Otherwise it must begin again: a commit two states later writes over the page of its state. `newest` is
   * what `prepareRead` has returned. `state` is unknown with the build of the package: then the number of this moment
   * is taken, which may have been put right meanwhile.
   */
  confirmRead(newest: number, state: number = this.#current()): boolean {
    if (state < this.#seen || (state < newest && state < this.#newest() - 1)) return false
    this.#see(state)
    return true
  }

  /**
   * The id of the thread that holds the write lock; 0: none. Undefined: the layout of the lock is not known on this
   * system.
   */
  writer(): number | undefined {
    const word = this.#ownerWord()
    return word === undefined ? undefined : word & THREAD_BITS
  }

  /** Whether this process did not have the folder open before. */
  get isFirst(): boolean {
    return this.#lock.isFirst
  }

  close(): void {
    closeSync(this.#data)
    this.#lock.close()
  }

  /** 0: no process has the lock, and none was killed with it. */
  #ownerWord(): number | undefined {
    const offset = OWNER_OFFSETS[process.arch]
    if (offset === undefined || !hasGlibc) return undefined
    readSync(this.#lock.descriptor, bytes, 0, NUMBER_BYTES, offset)
    return bytes.readUInt32LE(0)
  }

  #see(number: number): void {
    if (number > this.#seen) this.#seen = number
  }

  /** One read of the system, which takes longer than copying a page. */
  #newest(): number {
    const both = this.#pages
    readSync(this.#data, both, 0, both.length, STATE_OFFSET)
    return Math.max(numberAt(both, 0), numberAt(both, both.length - NUMBER_BYTES))
  }

  #current(): number {
    readSync(this.#lock.descriptor, bytes, 0, NUMBER_BYTES, CURRENT_OFFSET)
    return numberAt(bytes, 0)
  }

  #write(number: number): void {
    bytes.writeBigUInt64LE(BigInt(number))
    writeSync(this.#lock.descriptor, bytes, 0, NUMBER_BYTES, CURRENT_OFFSET)
  }
}

function numberAt(buffer: Buffer, offset: number): number {
  return buffer.readUInt32LE(offset) + buffer.readUInt32LE(offset + 4) * 2 ** 32
}

/** Whether the locks have the layout of glibc, and not that of musl, the other C library of Linux. */
const hasGlibc =
  process.platform === 'linux' && !readFileSync('/proc/self/maps', 'utf8').includes('/ld-musl-')
