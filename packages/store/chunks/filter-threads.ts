// Filters in threads of their own, as many as there are processors: they take milliseconds for a chunk, for which they
// would block the event loop, and use all processors. Threads are started when they are needed. Chunks are transferred,
// not copied. A thread in which a filter has failed is ended, because the filter may have leaked its memory. Small
// chunks are encoded in the thread of the caller, because their transfer would take longer. They are decoded in the
// threads all the same, because damaged bytes may make a filter fail.

import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import type { Pipeline } from '@hyperslab/h5/filters'
import { type DecodedChunk, type FilterRunner, IN_THIS_THREAD } from './filter-runner.ts'

/** The suffix of this file as it runs: scripts/build.mjs makes both. */
const SUFFIX = import.meta.url.endsWith('.mjs') ? 'mjs' : 'js'

/**
 * The slowest filters take some 100 us for this number of bytes, about as long as the transfer to a thread and back on
 * a busy machine.
 */
const SMALL_BYTES = 4096

export type FilterTask =
  | { readonly op: 'encode'; readonly pipeline: Pipeline; readonly bytes: Uint8Array }
  | {
      readonly op: 'decode'
      readonly pipeline: Pipeline
      readonly bytes: Uint8Array
      readonly mask: number
      readonly into: Uint8Array
    }
  | {
      readonly op: 'decodeNew'
      readonly pipeline: Pipeline
      readonly bytes: Uint8Array
      readonly mask: number
      readonly length: number
      readonly least: number
    }
  | {
      readonly op: 'frame'
      readonly pipeline: Pipeline
      readonly bytes: Uint8Array
      readonly mask: number
      readonly length: number
    }

/** The result of a task of `FilterRunner`. */
export type FilterResult =
  | { readonly encoded: Awaited<ReturnType<FilterRunner['encode']>> }
  | { readonly decoded: DecodedChunk }
  | { readonly chunk: Uint8Array }
  | { readonly failure: string }

interface WaitingTask {
  readonly task: FilterTask
  readonly memory: readonly Uint8Array[]
  readonly done: ReceiveResult
}

type ReceiveResult = (result: FilterResult) => void

/** Starts a thread for each processor unless `count` says otherwise. */
export function openFilterThreads(count = availableParallelism()): FilterRunner {
  const threads = new FilterThreads(count)
  return {
    async encode(pipeline, bytes) {
      if (bytes.length <= SMALL_BYTES) return IN_THIS_THREAD.encode(pipeline, bytes)
      const result = await threads.run({ op: 'encode', pipeline, bytes }, [bytes])
      if ('encoded' in result) return result.encoded
      throw failureOf(result)
    },
    async decode(pipeline, { bytes, mask }, into) {
      const result = await threads.run({ op: 'decode', pipeline, bytes, mask, into }, [bytes, into])
      if ('decoded' in result) return result.decoded
      throw failureOf(result)
    },
    async decodeNew(pipeline, { bytes, mask }, length, least) {
      const result = await threads.run({ op: 'decodeNew', pipeline, bytes, mask, length, least }, [bytes])
      if ('chunk' in result) return result.chunk
      throw failureOf(result)
    },
    async frame(pipeline, { bytes, mask }, length) {
      const result = await threads.run({ op: 'frame', pipeline, bytes, mask, length }, [bytes])
      if ('chunk' in result) return result.chunk
      throw failureOf(result)
    },
    close: () => threads.close(),
  }
}

function failureOf(result: FilterResult): Error {
  return new Error(
    'failure' in result ? result.failure : 'a thread of filters returned the result of another task',
  )
}

class FilterThreads {
  readonly #limit: number
  #idle: Worker[] = []
  /** Threads with a task. */
  readonly #busy = new Map<Worker, ReceiveResult>()
  readonly #waiting: WaitingTask[] = []

  constructor(limit: number) {
    this.#limit = limit
  }

  run(task: FilterTask, memory: readonly Uint8Array[]): Promise<FilterResult> {
    return new Promise(done => {
      this.#waiting.push({ task, memory, done })
      this.#proceed()
    })
  }

  async close(): Promise<void> {
    await Promise.all(this.#idle.map(thread => thread.terminate()))
  }

  #proceed(): void {
    if (this.#waiting.length === 0) return
    const thread = this.#idle.pop() ?? this.#start()
    const next = thread && this.#waiting.shift()
    if (!next) return
    const { task, memory, done } = next
    this.#busy.set(thread, done)
    thread.ref()
    thread.postMessage(
      task,
      memory.map(({ buffer }) => buffer as ArrayBuffer),
    )
  }

  #start(): Worker | undefined {
    if (this.#busy.size >= this.#limit) return undefined
    const thread = new Worker(new URL(`./filter-thread.${SUFFIX}`, import.meta.url))
    thread.on('message', (result: FilterResult) => this.#end(thread, result))
    thread.on('error', ({ message }) => this.#end(thread, { failure: message }))
    thread.on('exit', code => {
      this.#idle = this.#idle.filter(idle => idle !== thread)
      this.#end(thread, { failure: `a thread of filters ended with code ${code}` })
    })
    return thread
  }

  #end(thread: Worker, result: FilterResult): void {
    const done = this.#busy.get(thread)
    // The thread was ended.
    if (!done) return
    this.#busy.delete(thread)
    if ('failure' in result) {
      thread.terminate()
    } else {
      // An idle thread does not keep the process alive.
      thread.unref()
      this.#idle.push(thread)
    }
    done(result)
    this.#proceed()
  }
}
