// A world: services in this process with the time, the network and the disk of the test. It runs until it is settled:
// nothing is left to do without time passing. What is random follows from the seed. How it is used: README.md.

import http from 'node:http'
import type { Socket } from 'node:net'
import { seededNumbers } from '../engines/clock.ts'
import { shareOf } from '../fixtures/property-runs.ts'
import { RawConnection } from '../wire/raw-connection.ts'
import { WorldClock, WorldTime } from './clock.ts'
import { Disk } from './disk.ts'
import { Network, type SocketEnd } from './network.ts'
import { type ServiceOptions, WorldService } from './service.ts'

/** The address of every service, which is that of no machine. */
export const ADDRESS = 'http://world.example'
/** Rounds of the event loop without work after which a world is settled. */
const QUIET_ROUNDS = 3
/** Milliseconds of the world after which that for which a test waits does not come any more. */
const LONGEST = 24 * 3600 * 1000

export interface Reply {
  readonly status: number
  readonly headers: http.IncomingHttpHeaders
  readonly bytes: Buffer
  readonly text: string
  json<T = Record<string, unknown>>(): T
}

export interface RequestOptions {
  /** Default: boss; empty: without credentials. */
  readonly user?: string
  readonly headers?: http.OutgoingHttpHeaders
  /** Default: one of the services that are alive. */
  readonly to?: WorldService
  /** Default: an address of its own. */
  readonly from?: string
}

export class World {
  readonly seed: number
  readonly time = new WorldTime()
  readonly network = new Network(this.time)
  readonly disk = new Disk(this.time)
  readonly services: WorldService[] = []
  /** Requests and lines of the log, with the time, for the message of a failure. */
  readonly story: string[] = []
  /** The next number in [0, 1). */
  readonly random: () => number
  #count = 0

  constructor(seed: number) {
    this.seed = seed
    this.random = seededNumbers(seed)
  }

  /** A whole number from 0 to below the limit. */
  below(limit: number): number {
    return Math.floor(this.random() * limit)
  }

  pick<T>(items: readonly T[]): T {
    return items[this.below(items.length)]
  }

  note(line: string): void {
    this.story.push(`${(this.time.passed / 1000).toFixed(3)} ${line}`)
  }

  /** Starts one more process on the disk; its clock may be ahead. */
  start(options: ServiceOptions = {}, ahead = 0): WorldService {
    const name = `p${++this.#count}`
    const service = new WorldService(
      {
        name,
        seed: this.below(2 ** 31),
        clock: new WorldClock(this.time, ahead),
        disk: this.disk,
        log: line => this.note(line),
      },
      options,
    )
    this.services.push(service)
    return service
  }

  /** Connects to a service; it takes the time of the network. */
  connect(to: WorldService = this.#alive(), from?: string): SocketEnd {
    const { client, server } = this.network.connect(from)
    this.network.send(this.network.delay(), () => to.accept(server))
    return client
  }

  raw(to?: WorldService): RawConnection {
    // It uses what a stream has.
    return new RawConnection(ADDRESS, this.connect(to) as unknown as Socket)
  }

  /** Begins a request; resolves with the head of the answer. */
  begin(
    method: string,
    target: string,
    body?: unknown,
    { user = 'boss', headers, to, from }: RequestOptions = {},
  ): Promise<http.IncomingMessage> {
    const text = body === undefined ? undefined : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const sent = http.request({
        method,
        path: target,
        // Node's HTTP uses what a stream has.
        createConnection: () => this.connect(to, from) as unknown as Socket,
        headers: {
          host: 'world.example',
          ...(user !== '' && { authorization: `Basic ${btoa(`${user}:${user}`)}` }),
          ...(text !== undefined && { 'content-type': 'application/json' }),
          ...headers,
        },
      })
      sent.on('response', resolve)
      sent.on('error', reject)
      sent.end(text)
    })
  }

  /** A request and its answer; rejects when the connection is lost. */
  async send(method: string, target: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    const response = await this.begin(method, target, body, options)
    const pieces: Buffer[] = []
    for await (const piece of response) pieces.push(piece)
    const bytes = Buffer.concat(pieces)
    const text = bytes.toString('utf8')
    const { statusCode: status = 0, headers } = response
    this.note(`${method} ${target} -> ${status} ${text.slice(0, 200)}`)
    return { status, headers, bytes, text, json: () => JSON.parse(text) }
  }

  /** Runs until nothing is left to do without time passing. */
  async settle(): Promise<void> {
    for (let quiet = 0; quiet < QUIET_ROUNDS; ) {
      await new Promise<void>(resolve => setImmediate(resolve))
      quiet = process.getActiveResourcesInfo().includes('Immediate') ? 0 : quiet + 1
    }
  }

  /** Lets that time pass, with all that happens in it. */
  async pass(milliseconds: number): Promise<void> {
    const end = this.time.passed + milliseconds
    do await this.settle()
    while (this.time.runNext(end))
    this.time.passed = end
  }

  /** Lets time pass until the work has ended; an error if it does not end in a day. */
  async until<T>(work: Promise<T>): Promise<T> {
    let isOver = false
    const end = () => {
      isOver = true
    }
    work.then(end, end)
    const last = this.time.passed + LONGEST
    for (;;) {
      await this.settle()
      if (isOver) return work
      if (!this.time.runNext(last)) throw new Error('the work does not end, whatever time passes')
    }
  }

  /** Lets time pass until the state is there. */
  async untilSo(isSo: () => boolean): Promise<void> {
    const last = this.time.passed + LONGEST
    for (;;) {
      await this.settle()
      if (isSo()) return
      if (!this.time.runNext(last)) throw new Error('the state does not come, whatever time passes')
    }
  }

  /** A request whose answer is awaited while time passes. */
  ask(method: string, target: string, body?: unknown, options?: RequestOptions): Promise<Reply> {
    return this.until(this.send(method, target, body, options))
  }

  async end(): Promise<void> {
    this.network.heal()
    this.network.delay = () => 0
    this.disk.isFull = false
    this.disk.fault = () => undefined
    this.disk.delay = () => 0
    this.disk.readDelay = () => 0
    for (const service of this.services.filter(({ isAlive }) => isAlive)) {
      service.server.cutOff()
      await this.until(service.end())
    }
  }

  #alive(): WorldService {
    return this.pick(this.services.filter(({ isAlive }) => isAlive))
  }
}

/** Worlds that each program runs in, unless HYPERSLAB_TEST_WORLD_SEED names one: 2 in `npm test`, 20 in CI. */
export const WORLDS = Number(process.env.HYPERSLAB_TEST_WORLDS ?? shareOf(20))

/** Runs the program in several worlds; a failure has the seed, the requests and the log. */
export async function inWorlds(program: (world: World) => Promise<void>, count = WORLDS): Promise<void> {
  const given = process.env.HYPERSLAB_TEST_WORLD_SEED
  const first = Date.now() % 2 ** 30
  for (let i = 0; i < (given === undefined ? count : 1); i++) {
    const world = new World(given === undefined ? first + i : Number(given))
    try {
      await program(world)
      await world.end()
    } catch (error) {
      const story = world.story.slice(-40).join('\n')
      console.error(`HYPERSLAB_TEST_WORLD_SEED=${world.seed} repeats it. What has happened:\n${story}`)
      throw error
    }
  }
}
