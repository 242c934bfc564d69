// The requests that are being answered, for administrators: what each does, and its end. Nothing is kept for it: the
// exchanges that are there are described when an administrator asks, without credentials and without secrets of shares.

import { hostname } from 'node:os'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { withoutSecrets } from '../message/share-address.ts'
import { ALONE, type Answers, type AskProcesses } from './processes.ts'

/** Characters of a path or a domain that are shown. @limit safety, characters */
const MAX_SHOWN = 300

export const REQUEST_STATES = [
  'queued-for-slot',
  'queued-for-memory',
  'receiving',
  'working',
  'streaming',
  'listening',
] as const

export type RequestState = (typeof REQUEST_STATES)[number]

/** A request that has begun and is not answered. */
export interface RunningRequest {
  readonly id: string
  /** When it began, in seconds since the epoch, and how long ago that is. */
  readonly since: number
  readonly seconds: number
  readonly state: RequestState
  readonly method: string
  /** Absent: the request has no route. */
  readonly operation?: string
  readonly dialect: string
  readonly user?: string
  readonly callers: string
  /** The id of its share. */
  readonly share?: string
  readonly address: string
  readonly bucket?: string
  readonly domain?: string
  readonly path: string
  /** Bytes of its body, and of its answer, so far. */
  readonly received: number
  readonly sent: number
}

/** A request as it is found where it is answered. */
export interface Running {
  describe(): RunningRequest
  /** Closes its connection: its work is aborted, and what it has committed stays. */
  end(): void
}

interface Work {
  /** The answer lasts for as long as the client listens. */
  readonly isLive: boolean
  readonly hasBegunAnswer: boolean
  readonly queuesFor: 'slot' | 'memory' | undefined
  /** The client is to send more of the body. */
  readonly awaitsBody: boolean
}

export function stateOf({ isLive, hasBegunAnswer, queuesFor, awaitsBody }: Work): RequestState {
  if (hasBegunAnswer) return isLive ? 'listening' : 'streaming'
  if (queuesFor !== undefined) return `queued-for-${queuesFor}`
  return awaitsBody ? 'receiving' : 'working'
}

type Facts = Omit<RunningRequest, 'since' | 'seconds' | 'operation' | 'user'> & {
  readonly operation: string | undefined
  readonly user: string | undefined
  readonly milliseconds: number
}

export function describeRunning({
  milliseconds,
  operation,
  user,
  domain,
  path,
  ...facts
}: Facts): RunningRequest {
  return {
    ...facts,
    since: Math.round(SYSTEM_CLOCK.now() - milliseconds) / 1000,
    seconds: Math.round(milliseconds) / 1000,
    ...(operation !== undefined && { operation }),
    ...(user !== undefined && { user }),
    ...(domain !== undefined && { domain: shown(domain) }),
    path: shown(path),
  }
}

function shown(name: string): string {
  return withoutSecrets(name).slice(0, MAX_SHOWN)
}

/** The operations about running requests, which are not among them. */
export const LIST_REQUESTS = 'list-requests'
export const END_REQUEST = 'end-request'
const OWN: readonly unknown[] = [LIST_REQUESTS, END_REQUEST]

export interface RequestList {
  /** The name of the machine. */
  readonly node: string
  /** The longest first. */
  readonly requests: readonly RunningRequest[]
  /** Processes that did not answer in time. */
  readonly silent: number
}

export class RunningRequests {
  readonly #source: { running(): Iterable<Running> }
  readonly #list: (about: string) => Promise<Answers<readonly RunningRequest[]>>
  readonly #end: (id: string) => Promise<Answers<number>>

  constructor(source: { running(): Iterable<Running> }, ask: AskProcesses = ALONE) {
    this.#source = source
    this.#list = ask(LIST_REQUESTS, () => this.#own().map(({ request }) => request))
    this.#end = ask(END_REQUEST, id => {
      const named = this.#own().filter(({ request }) => request.id === id)
      for (const { end } of named) end()
      return named.length
    })
  }

  /** The requests of all processes of this machine that serve the same address. */
  async list(): Promise<RequestList> {
    const { answers, silent } = await this.#list('')
    return { node: hostname(), requests: answers.flat().sort((a, b) => a.since - b.since), silent }
  }

  /** Ends the requests with the id, which clients may choose, in all these processes; returns their number. */
  async end(id: string): Promise<number> {
    const { answers } = await this.#end(id)
    return answers.reduce((sum, count) => sum + count, 0)
  }

  #own() {
    return [...this.#source.running()]
      .map(({ describe, end }) => ({ request: describe(), end }))
      .filter(({ request }) => !OWN.includes(request.operation))
  }
}
