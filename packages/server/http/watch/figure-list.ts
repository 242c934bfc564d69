// A list of figures in Prometheus' format, each with a function that is called when the figures are read.

import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type Aggregator, Counter, Gauge, Registry } from 'prom-client'

type Value = number | undefined | Promise<number | undefined>
/** The values of a label, each with its figure. */
type LabelledValues = Iterable<readonly [label: string, value: number]>

export class FigureList {
  readonly registry: Registry

  constructor(registry = new Registry()) {
    this.registry = registry
  }

  /**
   * Adds a gauge; a value that is undefined is left out. `aggregator` combines the figures of several processes on one
   * store.
   */
  gauge(name: string, help: string, value: () => Value, aggregator: Aggregator = 'sum'): void {
    new Gauge({
      name,
      help,
      aggregator,
      registers: [this.registry],
      async collect() {
        const now = await value()
        this.remove()
        if (now !== undefined) this.set(now)
      },
    })
  }

  counter(name: string, help: string, value: () => number): void {
    new Counter({
      name,
      help,
      registers: [this.registry],
      collect() {
        this.reset()
        this.inc(value())
      },
    })
  }

  /** Adds a gauge with a series for each value of the label. */
  gauges(
    name: string,
    help: string,
    label: string,
    values: () => LabelledValues,
    aggregator: Aggregator = 'sum',
  ): void {
    new Gauge({
      name,
      help,
      aggregator,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [named, value] of values()) this.set({ [label]: named }, value)
      },
    })
  }

  /** Adds a counter with a series for each value of the label. */
  counters(name: string, help: string, label: string, values: () => LabelledValues): void {
    new Counter({
      name,
      help,
      labelNames: [label],
      registers: [this.registry],
      collect() {
        this.reset()
        for (const [named, value] of values()) this.inc({ [label]: named }, value)
      },
    })
  }

  /** Adds a gauge that is 1 and whose labels are facts. */
  facts(name: string, help: string, labels: Readonly<Record<string, string>>): void {
    const gauge = new Gauge({
      name,
      help,
      aggregator: 'first',
      labelNames: Object.keys(labels),
      registers: [this.registry],
    })
    gauge.set(labels, 1)
  }
}

/** Prometheus gives up after some seconds, and then has none of the figures. */
const GLANCE_MILLISECONDS = 1000

/**
 * A figure that needs a call of a disk or of another machine, which may hang. A glance waits for a second; then it
 * gives the last result. There is one call at a time.
 */
export class Glance<T> {
  readonly #look: () => Promise<T>
  readonly #clock: Clock
  #last: T | undefined
  #looking: Promise<void> | undefined

  constructor(look: () => Promise<T>, clock: Clock = SYSTEM_CLOCK) {
    this.#look = look
    this.#clock = clock
  }

  /** Undefined: there is no result yet, or the last call has failed. */
  async take(): Promise<T | undefined> {
    this.#looking ??= this.#look()
      .then(
        result => {
          this.#last = result
        },
        () => {
          this.#last = undefined
        },
      )
      .finally(() => {
        this.#looking = undefined
      })
    let cancel = (): void => undefined
    const late = new Promise<void>(resolve => {
      cancel = this.#clock.after(GLANCE_MILLISECONDS, resolve)
    })
    await Promise.race([this.#looking, late])
    cancel()
    return this.#last
  }
}
