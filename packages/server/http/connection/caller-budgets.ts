// Budgets of callers: what an account, or without one an address, may ask of this process in a time. They keep greedy
// programs from slowing down others; `admission.ts` shares what is there at a moment. A request begins as long as
// nothing of its caller's budget is used up, and is charged when it ends: so one request may go beyond it, and the next
// ones wait until enough time has passed.

import { BoundedMap } from '@hyperslab/base/bounded'
import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Caller } from '../../service/context.ts'
import { callerKey } from './client-address.ts'

/** The parts of a budget. Those with a period, in seconds, come back in the course of it. */
export const BUDGET_PARTS = {
  requests: { name: 'requests a minute', period: 60 },
  bytes: { name: 'bytes a day', period: 86_400 },
  seconds: { name: 'seconds of processor time an hour', period: 3600 },
  listeners: { name: 'listeners at once', period: undefined },
  running: { name: 'requests at once', period: undefined },
} as const

export type BudgetPart = keyof typeof BUDGET_PARTS
const SPENT = ['requests', 'bytes', 'seconds'] as const
type SpentPart = (typeof SPENT)[number]

export interface Budget {
  /** `anonymous`, `users`, or the name of a group after an `@`. The first budget that fits a caller counts. */
  readonly callers: string
  /** The most of each part; absent: no limit; zero: the service is closed to these callers. */
  readonly most: Readonly<Partial<Record<BudgetPart, number>>>
}

/** Callers whose use is remembered; those that have not come for longest begin anew. @limit memory, entries */
const MAX_CALLERS = 10_000
const RETRY_SECONDS = 5

/** The parts of its budget that a caller has used up. */
interface Use {
  readonly spent: Record<SpentPart, number>
  /** The time up to which `spent` has become less, in milliseconds. */
  at: number
  running: number
  listeners: number
}

/** A request that counts; `end` must be called once. */
export interface Charge {
  /** Called when the process begins to work on the request, and when it has stopped. */
  work(isBegun: boolean): void
  /** `bytes`: of its body and of its answer. */
  end(bytes: number): void
}

export class CallerBudgets {
  readonly #budgets: readonly Budget[]
  readonly #clock: Pick<Clock, 'elapsed'>
  readonly #shares: ProcessorShares
  /** Callers by their keys. @limit memory, entries */
  readonly #uses = new BoundedMap<string, Use>(MAX_CALLERS)
  #refused = 0

  constructor(
    budgets: readonly Budget[],
    clock: Pick<Clock, 'elapsed'> = SYSTEM_CLOCK,
    processorSeconds: () => number = ownProcessorSeconds,
  ) {
    this.#budgets = budgets
    this.#clock = clock
    this.#shares = new ProcessorShares(processorSeconds)
  }

  /** The number of requests that were refused. */
  get refused(): number {
    return this.#refused
  }

  /** Counts a request from now on. Throws `budget-exceeded`; undefined: the caller has no budget. */
  begin(caller: Caller, address: string, isListener: boolean): Charge | undefined {
    const budget = this.#budgets.find(({ callers }) => isOf(caller, callers))
    if (budget === undefined) return undefined
    const key = callerKey(caller, address)
    const use = this.#useOf(key, budget)
    const held = isListener ? 'listeners' : 'running'
    this.#require(budget, use, held)
    use.spent.requests++
    use[held]++
    let begun: number | undefined
    const stopWork = () => {
      if (begun === undefined) return
      use.spent.seconds += this.#shares.end(begun)
      begun = undefined
    }
    return {
      work: isBegun => {
        if (!isBegun) stopWork()
        else if (budget.most.seconds !== undefined) begun ??= this.#shares.begin()
      },
      end: bytes => {
        stopWork()
        use.spent.bytes += bytes
        use[held]--
      },
    }
  }

  /** The use of a caller, as much less as the time since then gives back. */
  #useOf(key: string, { most }: Budget): Use {
    const now = this.#clock.elapsed()
    const known = this.#uses.use(key)
    const use = known ?? { spent: { requests: 0, bytes: 0, seconds: 0 }, at: now, running: 0, listeners: 0 }
    if (known === undefined) this.#uses.set(key, use)
    for (const part of SPENT) {
      const back = ((most[part] ?? 0) / BUDGET_PARTS[part].period) * ((now - use.at) / 1000)
      use.spent[part] = Math.max(0, use.spent[part] - back)
    }
    use.at = now
    return use
  }

  #require({ callers, most }: Budget, { spent, ...held }: Use, place: 'running' | 'listeners'): void {
    const used = { ...spent, ...held }
    for (const part of [...SPENT, place] as const) {
      const limit = most[part]
      if (limit === undefined) continue
      // A request counts as one at once, bytes and seconds when they are known.
      const isLeft = part === 'bytes' || part === 'seconds' ? used[part] < limit : used[part] + 1 <= limit
      if (isLeft) continue
      this.#refused++
      throw refusal(callers, part, limit, used[part])
    }
  }
}

function isOf({ name, groups, admin }: Caller, callers: string): boolean {
  if (admin) return false
  if (callers === 'anonymous') return name === undefined
  if (name === undefined) return false
  return callers === 'users' || groups.includes(callers.slice(1))
}

function refusal(callers: string, part: BudgetPart, limit: number, used: number): HyperslabError {
  const who = callers === 'anonymous' ? 'callers without a login' : callers
  if (limit === 0)
    return new HyperslabError(
      'budget-exceeded',
      `the service is closed to ${who}: their budget of ${part} is 0`,
    )
  const { name, period } = BUDGET_PARTS[part]
  // A request needs one more, bytes and seconds only a little.
  const over = used - limit + (part === 'requests' ? 1 : 0)
  const retryAfter = period === undefined ? RETRY_SECONDS : Math.max(1, Math.ceil((over / limit) * period))
  return new HyperslabError(
    'budget-exceeded',
    `the budget of ${who} is ${limit} ${name}, and this caller has used it: try again after ${retryAfter} s`,
    { retryAfter },
  )
}

function ownProcessorSeconds(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/**
 * The processor time of the process, shared equally at each moment by the requests that it works on. Which of them the
 * process works for at a moment cannot be measured.
 */
class ProcessorShares {
  readonly #read: () => number
  #working = 0
  #last = 0
  /** The share of a request that has been worked on since the beginning. */
  #share = 0

  constructor(read: () => number) {
    this.#read = read
  }

  begin(): number {
    this.#advance()
    this.#working++
    return this.#share
  }

  /** The seconds of a request that was begun with that share. */
  end(begun: number): number {
    this.#advance()
    this.#working--
    return this.#share - begun
  }

  #advance(): void {
    const now = this.#read()
    if (this.#working > 0) this.#share += (now - this.#last) / this.#working
    this.#last = now
  }
}
