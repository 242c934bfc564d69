// A process of openings-child.mjs: what it is asked for, and how it ends.

import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const CHILD = fileURLToPath(new URL('openings-child.mjs', import.meta.url))

/** The number of commits of each process, by its name. */
export type Counts = Readonly<Record<string, number>>

interface Message {
  readonly ready?: true
  readonly done?: true
  readonly result?: unknown
  readonly error?: string
  readonly acknowledged?: number
  readonly opened?: number
}

interface Options {
  readonly environment?: NodeJS.ProcessEnv
  /** A program that runs Node, with its arguments. */
  readonly wrapper?: readonly string[]
}

export class OpeningProcess {
  readonly name: string
  readonly child: ChildProcess
  /** Commits that were acknowledged while `commitMany` runs. */
  acknowledged = 0
  /** Openings that are done while `openAndClose` runs. */
  opened = 0
  printed = ''
  /** Resolves with the code and the signal. */
  readonly exit: Promise<unknown[]>
  readonly #ready: Promise<unknown>

  constructor(folder: string, name: string, { environment = {}, wrapper = [] }: Options = {}) {
    this.name = name
    const [program = process.execPath, ...args] = [...wrapper, process.execPath]
    this.child = fork(CHILD, [folder, name], {
      execPath: program,
      execArgv: args,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.exit = once(this.child, 'exit')
    for (const stream of [this.child.stdout, this.child.stderr])
      stream?.on('data', (piece: Buffer) => (this.printed += piece))
    this.child.on('message', ({ acknowledged, opened }: Message) => {
      this.acknowledged = acknowledged ?? this.acknowledged
      this.opened = opened ?? this.opened
    })
    this.#ready = this.#receive(({ ready }) => ready)
    this.#ready.catch(() => undefined)
  }

  /** Runs a task; throws if it throws, or the process ends. */
  async run<T = unknown>(task: string, ...parameters: unknown[]): Promise<T> {
    await this.#ready
    const answer = this.#receive(message => (message.done ? message : undefined))
    this.child.send({ task, parameters })
    const { result, error } = await answer
    if (error !== undefined) throw new Error(`${this.name}: ${error}`)
    // The tasks are written for the callers.
    return result as T
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.exit
  }

  /** Ends the process in order, with the folder open or not. */
  async end(): Promise<void> {
    if (this.child.connected) this.child.disconnect()
    await this.exit
  }

  #receive<T>(look: (message: Message) => T | undefined): Promise<T> {
    return new Promise((resolve, reject) => {
      const stop = () => {
        this.child.off('message', onMessage)
        this.child.off('close', onClose)
      }
      const onMessage = (message: Message) => {
        const found = look(message)
        if (found === undefined) return
        stop()
        resolve(found)
      }
      const onClose = (code: number | null, signal: string | null) => {
        stop()
        reject(new Error(`${this.name} ended with ${signal ?? code}: ${this.printed}`))
      }
      this.child.on('message', onMessage)
      this.child.on('close', onClose)
    })
  }
}
