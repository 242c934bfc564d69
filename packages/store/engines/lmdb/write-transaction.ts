// Write transactions of LMDB, one at a time, and the thread that does their slow part. With our build of LMDB this
// thread begins one, if the write lock is free, applies the changes and ends it; a thread of the pool only writes and
// syncs its pages: one crossing of threads for each commit. If the lock is taken, and with the build of the package,
// the transaction is one of lmdb-js, whose thread waits for the lock and then for this thread:
// docs/decisions/111-one-crossing-for-each-commit.md

import type { TransactionFlags } from 'lmdb'
import { writeTransaction } from './lmdb.ts'
import type { Database } from './scan.ts'
import { type Deadline, type LockWait, watch } from './watchdog.ts'

/** Applies changes in the transaction; `progress` is called when it has begun, and whenever there is progress. */
type Apply = (progress: () => void) => Promise<void>

/** Our build's flag of a transaction that begins only if the lock is free. */
const TRY = 8 as TransactionFlags
/** The error of such a transaction if it is not; lmdb-js gives errors their numbers as codes. */
const EBUSY = 16

export class WriteTransactions {
  readonly #db: Database
  readonly #deadline: Deadline
  readonly #lock: LockWait

  constructor(db: Database, deadline: Deadline, lock: LockWait) {
    this.#db = db
    this.#deadline = deadline
    this.#lock = lock
  }

  /** Resolves when what was applied is stored. If anything throws, nothing of the transaction is. */
  async run(apply: Apply): Promise<void> {
    if (writeTransaction && (await this.#runHere(apply))) return
    // A child transaction can undo what was applied, if anything throws.
    await watch(progress => this.#db.childTransaction(() => apply(progress)), this.#deadline, this.#lock)
  }

  /** False: the write lock is taken. */
  async #runHere(apply: Apply): Promise<boolean> {
    let hasBegun = false
    const work = async (progress: () => void) => {
      hasBegun = true
      await apply(progress)
      await this.#write()
    }
    try {
      await watch(progress => this.#db.transactionSync(() => work(progress), TRY), this.#deadline)
      return true
    } catch (error) {
      if (!hasBegun && error instanceof Error && 'code' in error && error.code === EBUSY) return false
      throw error
    }
  }

  /** Writes and syncs the open transaction, if it has changes; until then nothing may use it. */
  #write(): Promise<void> {
    const { address } = this.#db.env
    return new Promise((resolve, reject) => {
      const end = (error?: Error) => (error ? reject(error) : resolve())
      if (!writeTransaction?.(address, end)) end()
    })
  }
}
