// The disk of a world: one engine in memory that several services share, each through a handle of its own. A commit and
// a blob are there when the disk has synced them, and lost if their process is killed before. The disk takes the time
// that it says, can fail, and can be full.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Engine, KeyValue } from '@hyperslab/store/engines'
import { aroundEngine, type OperationName } from '../engines/around.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import type { WorldTime } from './clock.ts'

const WRITES: ReadonlySet<OperationName> = new Set(['commit', 'put'])

export class Disk {
  /** The milliseconds until a write is synced. */
  delay: () => number = () => 0
  /** The milliseconds that a read of values takes. */
  readDelay: () => number = () => 0
  /** The error with which an operation fails before it is done; undefined: it does not. */
  fault: (operation: OperationName) => Error | undefined = () => undefined
  isFull = false
  readonly #time: WorldTime
  readonly #engine = openMemoryEngine()
  readonly #alive = new Set<string>()

  constructor(time: WorldTime) {
    this.#time = time
  }

  /** The engine as a process of that name has it; `kill` ends the process, with all that it has not synced. */
  open(name: string): { readonly engine: Engine; readonly kill: () => void } {
    this.#alive.add(name)
    const own = aroundEngine(this.#engine, async (operation, run) => {
      const isWrite = WRITES.has(operation)
      const fault = this.isFull && isWrite ? diskFull() : this.fault(operation)
      if (fault) throw fault
      await this.#pass(isWrite ? this.delay() : operation === 'read' ? this.readDelay() : 0)
      return this.#alive.has(name) ? run() : new Promise<never>(() => {})
    })
    const { keyValue } = own
    const alive = this.#alive
    const named: KeyValue = {
      snapshot: () => keyValue.snapshot(),
      commit: batch => keyValue.commit(batch),
      openSnapshots: () => keyValue.openSnapshots(),
      snapshotSlots: () => keyValue.snapshotSlots(),
      isAlive: async process => alive.has(process),
      process: name,
      get newestTime() {
        return keyValue.newestTime
      },
      pollMilliseconds: keyValue.pollMilliseconds,
      get isSweeper() {
        return alive.values().next().value === name
      },
    }
    const kill = () => void alive.delete(name)
    return { engine: { ...own, keyValue: named, close: async () => kill() }, kill }
  }

  #pass(milliseconds: number): Promise<void> | undefined {
    if (milliseconds === 0) return undefined
    return new Promise(resolve => this.#time.after(milliseconds, resolve))
  }
}

function diskFull(): HyperslabError {
  return new HyperslabError('storage-full', 'the disk of the test is full')
}
