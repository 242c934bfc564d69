// The parent of `serve --workers`: it keeps the listening socket that the workers share, starts a worker again that has
// ended, and sums their figures. It answers no request itself and opens no data, so nothing that a request does can end
// it. docs/decisions/036-workers.md.

import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { type MetricValues, sumMetricValues } from '../../http/watch/metrics.ts'
import { SLOT_VARIABLE, type ToSupervisor, type ToWorker } from './messages.ts'

/** A worker that ends sooner than this after its start is started again with growing pauses. */
const EARLY_MILLISECONDS = 10_000
const FIRST_DELAY_MILLISECONDS = 250
const LONGEST_DELAY_MILLISECONDS = 30_000
/** A worker that does not send its figures in this time is left out of the sum. */
const COLLECT_MILLISECONDS = 2000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

interface Collection {
  readonly awaited: Set<number>
  readonly values: MetricValues[]
  readonly finish: () => void
}

/** Serves with `count` workers at a port, which is free, until a signal, then ends the process. */
export async function superviseWorkers(
  count: number,
  port: number,
  warn: (message: string) => void,
): Promise<void> {
  // The workers accept connections from one listening socket themselves. With Node's round robin, a connection that is
  // handed to a worker which has just been killed is never answered. To be set first of all.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Not 0, which would be another port when all workers have ended at the same moment.
  cluster.setupPrimary({ args: [...process.argv.slice(2), '--port', String(port)] })
  const supervisor = new Supervisor(warn)
  supervisor.endOnSignals()
  // The first one checks the settings, and creates missing parts of the data folder.
  const greeting = await supervisor.start(0)
  await Promise.all(Array.from({ length: count - 1 }, (_, i) => supervisor.start(i + 1)))
  process.stdout.write(greeting)
}

class Supervisor {
  readonly #warn: (message: string) => void
  /** Workers by slot. */
  readonly #workers = new Map<number, Worker>()
  readonly #collections = new Map<number, Collection>()
  #collected = 0
  /** The signal that ends the service. */
  #ending: string | undefined
  #exitCode = 0

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /**
   * Starts the worker of a slot; resolves with its greeting when it answers requests. One that ends earlier has printed
   * the reason, and ends the service with its exit code.
   */
  start(slot: number): Promise<string> {
    return new Promise(resolve => {
      let isServing = false
      this.#fork(
        slot,
        greeting => {
          isServing = true
          resolve(greeting)
        },
        (code, ending) => {
          // Otherwise the worker has printed the reason.
          if (!isServing) return this.#end('SIGTERM', code)
          this.#warn(ending)
          void this.#replace(slot, FIRST_DELAY_MILLISECONDS)
        },
      )
    })
  }

  /** After the first signal the workers finish their requests; a second one ends them at once. */
  endOnSignals(): void {
    for (const signal of SIGNALS) {
      process.on(signal, () => {
        if (this.#ending === undefined) return this.#end(signal, 0)
        for (const worker of this.#workers.values()) worker.process.kill('SIGKILL')
        process.removeAllListeners(signal)
        process.kill(process.pid, signal)
      })
    }
  }

  #end(signal: string, exitCode: number): void {
    this.#exitCode ||= exitCode
    this.#ending = signal
    for (const worker of this.#workers.values()) tell(worker, { to: 'end', signal })
    this.#exitWhenAlone()
  }

  /**
   * A worker that was still loading its code when the end began did not get the message: such a message goes to
   * `node:cluster` alone.
   */
  #began(worker: Worker, onServing: () => void): void {
    if (this.#ending === undefined) onServing()
    else tell(worker, { to: 'end', signal: this.#ending })
  }

  #exitWhenAlone(): void {
    if (this.#workers.size === 0) process.exit(this.#exitCode)
  }

  #fork(
    slot: number,
    onServing: (greeting: string) => void,
    onEnd: (code: number, ending: string) => void,
  ): void {
    const worker = cluster.fork({ [SLOT_VARIABLE]: String(slot) })
    this.#workers.set(slot, worker)
    worker.on('message', (message: ToSupervisor) => {
      if (message.from === 'serving') this.#began(worker, () => onServing(message.greeting))
      else if (message.from === 'sum') void this.#sum(worker, message.id)
      else this.#receive(worker, message)
    })
    worker.on('error', error => this.#warn(`worker ${slot}: ${error.message}`))
    worker.on('exit', (code, signal) => {
      this.#workers.delete(slot)
      this.#forget(worker)
      // Without a code it was ended by a signal.
      const exitCode = code ?? 1
      if (this.#ending === undefined) return onEnd(exitCode, endOf(slot, signal ?? code))
      // One that did not serve yet ends by the signal.
      if (signal !== this.#ending) this.#exitCode ||= exitCode
      this.#exitWhenAlone()
    })
  }

  /** Starts a worker in the place of one that has ended: the first time at once. */
  async #replace(slot: number, delay: number): Promise<void> {
    if (this.#ending !== undefined) return
    const since = performance.now()
    this.#fork(
      slot,
      () => {},
      async (_code, ending) => {
        this.#warn(ending)
        const isEarly = performance.now() - since < EARLY_MILLISECONDS
        if (isEarly) await pause(delay)
        const next = isEarly ? Math.min(2 * delay, LONGEST_DELAY_MILLISECONDS) : FIRST_DELAY_MILLISECONDS
        await this.#replace(slot, next)
      },
    )
  }

  /** Sends the sum of the figures of all workers to the one that asks. */
  async #sum(asking: Worker, id: number): Promise<void> {
    const workers = [...this.#workers.values()]
    const values = await this.#collect(workers)
    tell(asking, { to: 'summed', id, text: await sumMetricValues(values) })
  }

  #collect(workers: readonly Worker[]): Promise<readonly MetricValues[]> {
    const id = this.#collected++
    return new Promise(resolve => {
      const values: MetricValues[] = []
      const finish = (): void => {
        clearTimeout(timer)
        this.#collections.delete(id)
        resolve(values)
      }
      const timer = setTimeout(finish, COLLECT_MILLISECONDS)
      this.#collections.set(id, { awaited: new Set(workers.map(worker => worker.id)), values, finish })
      for (const worker of workers) tell(worker, { to: 'collect', id })
    })
  }

  #receive(worker: Worker, { id, values }: { readonly id: number; readonly values: MetricValues }): void {
    const collection = this.#collections.get(id)
    if (!collection?.awaited.delete(worker.id)) return
    collection.values.push(values)
    if (collection.awaited.size === 0) collection.finish()
  }

  /** No figures come from a worker that has ended. */
  #forget(worker: Worker): void {
    for (const { awaited, finish } of this.#collections.values()) {
      if (awaited.delete(worker.id) && awaited.size === 0) finish()
    }
  }
}

/** LMDB reads its file as memory: missing or damaged parts of it end a process by one of these signals. */
const OF_DAMAGE: readonly unknown[] = ['SIGBUS', 'SIGSEGV']

function endOf(slot: number, exit: string | number | null): string {
  const end = `worker ${slot} ended with ${exit}`
  return OF_DAMAGE.includes(exit)
    ? `${end}: the records may be damaged, or the disk; hyperslab check says more`
    : end
}

function tell(worker: Worker, message: ToWorker): void {
  // One that has just ended gets no message, and its exit is noticed.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
