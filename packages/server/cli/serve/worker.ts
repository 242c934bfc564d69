// A worker's side of `serve --workers`: its share of the limits, and its messages to and from the supervisor.

import cluster from 'node:cluster'
import { endProcess } from '@hyperslab/store/engines'
import type { Answers, AskProcesses } from '../../http/watch/processes.ts'
import { requestMemory } from '../settings/request-memory.ts'
import type { Settings } from '../settings/table.ts'
import { CODE_VARIABLE, type Question, SLOT_VARIABLE, type ToSupervisor, type ToWorker } from './messages.ts'

const MIN_REQUESTS = 4
const MIN_REQUEST_MEMORY = 1 << 24

/** The settings of one worker: limits that apply to all workers together are divided among them. */
export function shareOf(settings: Settings): Settings {
  const { workers, maxRequests, maxRequestMemory, maxConnections, maxListeners } = settings
  return {
    ...settings,
    maxRequests: Math.max(MIN_REQUESTS, Math.ceil(maxRequests / workers)),
    maxRequestMemory: Math.max(MIN_REQUEST_MEMORY, Math.floor(requestMemory(maxRequestMemory) / workers)),
    // 0 stays 0: the limit of open files holds for each process.
    maxConnections: Math.ceil(maxConnections / workers),
    maxListeners: Math.ceil(maxListeners / workers),
  }
}

export class SupervisedWorker {
  readonly slot = Number(process.env[SLOT_VARIABLE])
  readonly firstAccountCode = process.env[CODE_VARIABLE]
  readonly #waiting = new Map<number, (answers: Answers<unknown>) => void>()
  #asked = 0
  /** The functions that answer questions, by their names. */
  readonly #own = new Map<string, (about: string) => unknown>()
  /** Ends this process when the supervisor requests it: before it serves, by the signal itself. */
  end: (signal: string) => void = signal => process.kill(process.pid, signal)

  /** Opens the file of the audit again. */
  reopen: () => void = () => undefined

  constructor() {
    // `node:cluster` would call `process.exit`, which can wait for ever.
    cluster.worker?.once('disconnect', () => endProcess('The supervisor of this worker has ended'))
    process.on('message', (message: ToWorker) => {
      if (message.to === 'end') this.end(message.signal)
      else if (message.to === 'reopen') this.reopen()
      else if (message.to === 'answer') void this.#answer(message.id, message)
      else this.#take(message.id, message)
    })
  }

  /** Whether this worker sweeps: one does, and then its successor. */
  get sweeps(): boolean {
    return this.slot === 0
  }

  /** Must be called when requests are answered. If the end has begun, the supervisor sends its message again. */
  serving(greeting: string): void {
    send({ from: 'serving', greeting })
  }

  /** Any worker answers for all of them. */
  readonly askProcesses: AskProcesses = <T>(question: string, own: (about: string) => T | Promise<T>) => {
    this.#own.set(question, own)
    return (about: string) => {
      const id = this.#asked++
      send({ from: 'asking', id, question, about })
      // The answers are those of functions of the same name in processes of the same program.
      return new Promise<Answers<T>>(resolve =>
        this.#waiting.set(id, answers => resolve(answers as Answers<T>)),
      )
    }
  }

  /** A worker that does not serve yet has no answer. */
  async #answer(id: number, { question, about }: Question): Promise<void> {
    send({ from: 'answering', id, answer: await this.#own.get(question)?.(about) })
  }

  #take(id: number, { answers, silent, restarts }: Answers<unknown>): void {
    this.#waiting.get(id)?.({ answers, silent, restarts })
    this.#waiting.delete(id)
  }
}

/** Undefined: this process has no supervisor. */
export function joinSupervisor(): SupervisedWorker | undefined {
  return cluster.isWorker ? new SupervisedWorker() : undefined
}

function send(message: ToSupervisor): void {
  // Fails when the supervisor is gone: then this process ends too.
  process.send?.(message, undefined, undefined, () => undefined)
}
