// Delays of the event loop, under the names that the library of the figures gives them. Measuring wakes the process a
// hundred times a second, so it ends a second after the last request.

import { createHistogram, type Histogram } from 'node:perf_hooks'
import type { CancelTimer, Clock } from '@hyperslab/base/clock'
import { Gauge, type Registry } from 'prom-client'

/** The resolution of the library, which would measure all the time. */
const RESOLUTION_MILLISECONDS = 10
/** A resolution with which its own measurement never wakes the process: 24 days. */
export const NEVER_MILLISECONDS = 2 ** 31 - 1
const REST_MILLISECONDS = 1000
const NANOSECONDS = 1e6

const FIGURES: readonly (readonly [
  name: string,
  help: string,
  aggregator: 'min' | 'max' | 'average',
  of: (histogram: Histogram) => number,
])[] = [
  ['min', 'The minimum recorded event loop delay.', 'min', ({ min }) => min],
  ['max', 'The maximum recorded event loop delay.', 'max', ({ max }) => max],
  ['mean', 'The mean of the recorded event loop delays.', 'average', ({ mean }) => mean],
  ['stddev', 'The standard deviation of the recorded event loop delays.', 'average', ({ stddev }) => stddev],
  ['p50', 'The 50th percentile of the recorded event loop delays.', 'average', of => of.percentile(50)],
  ['p90', 'The 90th percentile of the recorded event loop delays.', 'average', of => of.percentile(90)],
  ['p99', 'The 99th percentile of the recorded event loop delays.', 'average', of => of.percentile(99)],
]

export class LoopDelay {
  readonly #clock: Pick<Clock, 'elapsed' | 'every'>
  readonly #histogram = createHistogram()
  #cancel: CancelTimer | undefined
  #lastRequest = 0
  #lastTick = 0

  /** Replaces the figures of the library in the registry. */
  constructor(registry: Registry, clock: Pick<Clock, 'elapsed' | 'every'>) {
    this.#clock = clock
    let left = FIGURES.length
    for (const [part, help, aggregator, of] of FIGURES) {
      const name = `nodejs_eventloop_lag_${part}_seconds`
      registry.removeSingleMetric(name)
      const collect = () => {
        gauge.set(this.#histogram.count > 0 ? of(this.#histogram) / 1e9 : 0)
        if (--left > 0) return
        left = FIGURES.length
        this.#histogram.reset()
      }
      const gauge = new Gauge({ name, help, aggregator, registers: [registry], collect })
    }
  }

  /** Must be called for each request: delays are measured from now on, and for a second after the last one. */
  noteRequest(): void {
    this.#lastRequest = this.#clock.elapsed()
    if (this.#cancel) return
    this.#lastTick = this.#lastRequest
    this.#cancel = this.#clock.every(RESOLUTION_MILLISECONDS, () => this.#tick())
  }

  #tick(): void {
    const now = this.#clock.elapsed()
    const delay = Math.round((now - this.#lastTick) * NANOSECONDS)
    this.#lastTick = now
    this.#histogram.record(Math.min(Math.max(1, delay), Number.MAX_SAFE_INTEGER))
    if (now - this.#lastRequest < REST_MILLISECONDS) return
    this.#cancel?.()
    this.#cancel = undefined
  }
}
