// The parent of `serve --workers`: it keeps the listening socket that the workers share, starts a worker again that has
// ended, and passes questions and answers on between them. It answers no request itself and opens no data, so nothing
// that a request does can end it. docs/decisions/036-workers.md.

import cluster, { type Worker } from 'node:cluster'
import { fileURLToPath } from 'node:url'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { newFirstAccountCode } from '../../http/auth/first-account.ts'
import { FIRST_DESCRIPTOR } from './inherited-socket.ts'
import { CODE_VARIABLE, type Question, SLOT_VARIABLE, type ToSupervisor, type ToWorker } from './messages.ts'

/** A worker that ends sooner than this after its start is started again with growing pauses. */
const EARLY_MILLISECONDS = 10_000
const FIRST_DELAY_MILLISECONDS = 250
const LONGEST_DELAY_MILLISECONDS = 30_000
/** A worker that does not answer a question in this time is left out. */
const ANSWER_MILLISECONDS = 2000

const SIGNALS = ['SIGINT', 'SIGTERM'] as const

/** In the folder of the program (scripts/build.mjs). */
const LOST_SUPERVISOR = fileURLToPath(new URL('lost-supervisor.cjs', import.meta.url))

interface Collection {
  readonly awaited: Set<number>
  readonly answers: unknown[]
  readonly finish: () => void
}

/**
 * Serves with `count` workers at a port, which is free, or on a socket that was handed over to this process, until a
 * signal, then ends the process.
 */
export async function superviseWorkers(
  count: number,
  port: number,
  warn: (message: string) => void,
  { reopens, inherits }: { readonly reopens: boolean; readonly inherits: boolean },
): Promise<void> {
  // The workers accept connections from one listening socket themselves. With Node's round robin, a connection that is
  // handed to a worker which has just been killed is never answered. To be set first of all.
  cluster.schedulingPolicy = cluster.SCHED_NONE
  // Not 0, which would be another port when all workers have ended at the same moment.
  const args = [...process.argv.slice(2), '--port', String(port)]
  cluster.setupPrimary({
    args,
    execArgv: [...process.execArgv, '--require', LOST_SUPERVISOR],
    stdio: ['inherit', 'inherit', 'inherit', 'ipc', ...(inherits ? [FIRST_DESCRIPTOR] : [])],
  })
  const supervisor = new Supervisor(warn)
  supervisor.endOnSignals()
  if (reopens) supervisor.reopenOnSignal()
  // The first one checks the settings, and creates missing parts of the data folder.
  const greeting = await supervisor.start(0)
  await Promise.all(Array.from({ length: count - 1 }, (_, i) => supervisor.start(i + 1)))
  process.stdout.write(greeting)
}

class Supervisor {
  readonly #warn: (message: string) => void
  readonly #firstAccountCode = newFirstAccountCode()
  /** Workers by slot. */
  readonly #workers = new Map<number, Worker>()
  readonly #collections = new Map<number, Collection>()
  #collected = 0
  /** Workers that were started in the place of one that had ended. */
  #restarts = 0
  #hasServed = false
  /** The signal that ends the service. */
  #ending: string | undefined
  #exitCode = 0

  constructor(warn: (message: string) => void) {
    this.#warn = warn
  }

  /** Starts the worker of a slot; resolves with its greeting, or that of its successor, when it answers requests. */
  start(slot: number): Promise<string> {
    return new Promise(resolve => this.#run(slot, 0, resolve))
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

  /** After SIGHUP the workers open the file of the audit again. */
  reopenOnSignal(): void {
    process.on('SIGHUP', () => {
      for (const worker of this.#workers.values()) tell(worker, { to: 'reopen' })
    })
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

  #fork(slot: number, onServing: (greeting: string) => void, onEnd: (exit: Exit) => Promise<void>): void {
    const variables = { [SLOT_VARIABLE]: String(slot), [CODE_VARIABLE]: this.#firstAccountCode }
    const worker = cluster.fork(variables)
    this.#workers.set(slot, worker)
    worker.on('message', (message: ToSupervisor) => {
      if (message.from === 'serving') this.#began(worker, () => onServing(message.greeting))
      else if (message.from === 'asking') void this.#ask(worker, message.id, message)
      else this.#receive(worker, message.id, message.answer)
    })
    worker.on('error', error => this.#warn(`worker ${slot}: ${error.message}`))
    worker.on('exit', (code, signal) => {
      this.#workers.delete(slot)
      this.#forget(worker)
      const exit = signal ?? code
      if (this.#ending === undefined) return void onEnd(exit)
      // One that did not serve yet ends by the signal.
      if (signal !== this.#ending) this.#exitCode ||= codeOf(exit)
      this.#exitWhenAlone()
    })
  }

  /**
   * Starts a worker, and then one in its place whenever it has ended: at once, and with growing pauses when it has
   * ended early.
   */
  #run(slot: number, delay: number, onServing: (greeting: string) => void): void {
    if (this.#ending !== undefined) return
    const since = SYSTEM_CLOCK.elapsed()
    const onStart = (greeting: string): void => {
      this.#hasServed = true
      onServing(greeting)
    }
    this.#fork(slot, onStart, async exit => {
      // It has printed the reason, which the others would meet too; one that was killed had none.
      if (!this.#hasServed && !wasKilled(exit)) return this.#end('SIGTERM', codeOf(exit))
      this.#warn(endOf(slot, exit))
      const isEarly = SYSTEM_CLOCK.elapsed() - since < EARLY_MILLISECONDS
      if (isEarly) await SYSTEM_CLOCK.sleep(delay)
      const longer = Math.min(Math.max(2 * delay, FIRST_DELAY_MILLISECONDS), LONGEST_DELAY_MILLISECONDS)
      this.#restarts++
      this.#run(slot, isEarly ? longer : 0, onServing)
    })
  }

  /** Sends the answers of all workers to the one that asks. */
  async #ask(asking: Worker, id: number, question: Question): Promise<void> {
    const workers = [...this.#workers.values()]
    const answers = await this.#collect(workers, question)
    const silent = workers.length - answers.length
    tell(asking, { to: 'take', id, answers, silent, restarts: this.#restarts })
  }

  #collect(workers: readonly Worker[], { question, about }: Question): Promise<readonly unknown[]> {
    const id = this.#collected++
    return new Promise(resolve => {
      const answers: unknown[] = []
      const finish = (): void => {
        cancel()
        this.#collections.delete(id)
        resolve(answers)
      }
      const cancel = SYSTEM_CLOCK.after(ANSWER_MILLISECONDS, finish)
      this.#collections.set(id, { awaited: new Set(workers.map(worker => worker.id)), answers, finish })
      for (const worker of workers) tell(worker, { to: 'answer', id, question, about })
    })
  }

  #receive(worker: Worker, id: number, answer: unknown): void {
    const collection = this.#collections.get(id)
    if (!collection?.awaited.delete(worker.id)) return
    if (answer !== undefined) collection.answers.push(answer)
    if (collection.awaited.size === 0) collection.finish()
  }

  /** No answers come from a worker that has ended. */
  #forget(worker: Worker): void {
    for (const { awaited, finish } of this.#collections.values()) {
      if (awaited.delete(worker.id) && awaited.size === 0) finish()
    }
  }
}

/** The signal that has ended a process, or its exit code. */
type Exit = string | number

/** LMDB reads its file as memory: missing or damaged parts of it end a process by one of these signals. */
const OF_DAMAGE: readonly unknown[] = ['SIGBUS', 'SIGSEGV']

function wasKilled(exit: Exit): boolean {
  return typeof exit === 'string' && !OF_DAMAGE.includes(exit)
}

function codeOf(exit: Exit): number {
  return typeof exit === 'number' ? exit : 1
}

function endOf(slot: number, exit: Exit): string {
  const end = `worker ${slot} ended with ${exit}`
  return OF_DAMAGE.includes(exit)
    ? `${end}: the records may be damaged, or the disk; hyperslab check says more`
    : end
}

function tell(worker: Worker, message: ToWorker): void {
  // One that has just ended gets no message, and its exit is noticed.
  if (worker.isConnected()) worker.send(message, () => undefined)
}
