// How long a request took in each of its phases, for the header Server-Timing, and the steps of a request that is
// traced: what it read and wrote, and what it waited for. Times are milliseconds since the request began.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { StepFigures, Trace } from '@hyperslab/store/store'

/**
 * The phases of a request, in their order: until it may run, with its credentials; until its domain is open; its
 * operation; its commit, until that is durable; until its answer begins.
 */
export type Phase = 'admission' | 'find' | 'run' | 'commit' | 'send'

/** Entries of Server-Timing: proxies limit the length of headers. @limit safety, entries */
const MAX_ENTRIES = 40

/** Steps of a traced request that are kept: an answer of many chunks has millions. @limit memory, steps */
const MAX_STEPS = 1000

/** Calls of one kind, one after another. */
interface Step {
  readonly name: string
  readonly start: number
  milliseconds: number
  calls: number
  keys: number
  bytes: number
  readonly note?: string | undefined
}

export class RequestSteps implements Trace {
  readonly #begin = SYSTEM_CLOCK.elapsed()
  /** In the order of their first ends. */
  readonly #phases: Partial<Record<Phase, number>> = {}
  readonly #steps: Step[] = []
  #last = 0
  /** Steps that are not kept. */
  #left = 0
  /** True: steps are noted. */
  isTraced = false

  /** The time since the end of the last phase belongs to this one. A phase can come again. */
  end(phase: Phase): void {
    const now = this.now()
    this.#phases[phase] = (this.#phases[phase] ?? 0) + now - this.#last
    this.#last = now
  }

  now(): number {
    return SYSTEM_CLOCK.elapsed() - this.#begin
  }

  add(name: string, start: number, { keys = 0, bytes = 0, note }: StepFigures = {}): void {
    const milliseconds = this.now() - start
    const last = this.#steps.at(-1)
    if (this.#steps.length === MAX_STEPS) this.#left++
    else if (last?.name === name && note === undefined) {
      last.milliseconds += milliseconds
      last.calls++
      last.keys += keys
      last.bytes += bytes
    } else this.#steps.push({ name, start, milliseconds, calls: 1, keys, bytes, note })
  }

  /** The value of Server-Timing (W3C Server Timing, 2): the phases, and the steps so far. */
  format(): string {
    const phases = Object.entries(this.#phases).map(
      ([phase, duration]) => `${phase};dur=${rounded(duration)}`,
    )
    const steps = this.#steps.map(
      step =>
        `${step.name.replaceAll(' ', '-')};dur=${rounded(step.milliseconds)};desc="${describeStep(step)}"`,
    )
    return [...phases, ...steps].slice(0, MAX_ENTRIES).join(', ')
  }

  /** The phases and the steps, for the log. */
  toLog() {
    return {
      phases: Object.fromEntries(
        Object.entries(this.#phases).map(([phase, duration]) => [phase, rounded(duration)]),
      ),
      steps: this.#steps.map(
        step =>
          `${rounded(step.start)} ms: ${step.name} ${rounded(step.milliseconds)} ms (${describeStep(step)})`,
      ),
      ...(this.#left > 0 && { stepsLeftOut: this.#left }),
    }
  }
}

function describeStep({ calls, keys, bytes, note }: Step): string {
  const counts = [
    [calls > 1 ? calls : 0, 'calls'],
    [keys, keys === 1 ? 'key' : 'keys'],
    [bytes, 'bytes'],
  ] as const
  const parts = counts.filter(([count]) => count > 0).map(([count, unit]) => `${count} ${unit}`)
  return [...parts, ...(note === undefined ? [] : [note])].join(', ')
}

function rounded(milliseconds: number): number {
  return Math.round(milliseconds * 1000) / 1000
}
