// The coordinates of one axis, read in pages when they are needed and kept: their strings for sliders and heads of
// columns, their numbers for drawings. Without a dataset they are the indexes.

import type { Domain, Elements } from '@hyperslab/client'
import type { Numbers } from '@hyperslab/client/elements'
import { type AxisRole, parseMoment, type ValueMeaning } from '@hyperslab/meaning/meaning'
import { readShown, type ShownDataset } from './letters.ts'

export interface CoordinateOptions {
  readonly length: number
  /** One dimension of `length`, or of one more: then they are the edges of bins. */
  readonly dataset?: ShownDataset
  readonly meaning?: ValueMeaning
  readonly role?: AxisRole | undefined
}

/** From `start` to before `stop`, each `step`th. */
export interface IndexRange {
  readonly start: number
  readonly stop: number
  readonly step?: number
}

/** Coordinates of one request, and pages that are kept. */
const PAGE = 1024
/** Pages of 1,024 coordinates that an axis keeps. @limit memory, pages */
const MAX_PAGES = 64

export class Coordinates {
  readonly #domain: Domain
  readonly #options: CoordinateOptions
  readonly #pages = new Map<number, Promise<Elements>>()
  /** The latest range: the next drawing of the same data asks for it again. */
  #latest: { readonly range: string; readonly numbers: Numbers } | undefined

  constructor(domain: Domain, options: CoordinateOptions) {
    this.#domain = domain
    this.#options = options
  }

  /** Whether they are the edges of bins: of element i the coordinates i and i + 1. */
  get areEdges(): boolean {
    const { dataset, length } = this.#options
    return dataset?.shape?.[0] === length + 1
  }

  /** The string for one index: `850 hPa`, `2000-01-16`, `52.5°N`; of a bin `1 to 2 mm`. */
  async text(index: number): Promise<string> {
    const [text = ''] = await this.texts({ start: index, stop: index + 1 })
    return this.withUnits(text)
  }

  /** The string for a coordinate with its units. */
  withUnits(text: string): string {
    const { meaning, role } = this.#options
    const units = meaning?.units
    const degrees = role === 'latitude' || role === 'longitude' ? degreesText(Number(text), role) : undefined
    return degrees ?? (units === undefined || units === '1' ? text : `${text} ${units}`)
  }

  /** The strings for a range, without units. A short range near another one costs no request. */
  async texts({ start, stop, step = 1 }: IndexRange): Promise<readonly string[]> {
    const { dataset, meaning } = this.#options
    const indexes = Array.from(
      { length: Math.max(0, Math.ceil((stop - start) / step)) },
      (_, i) => start + i * step,
    )
    if (dataset === undefined || meaning === undefined) return indexes.map(String)
    const read = (index: number) => this.#element(index).then(element => meaning.format(element))
    if (!this.areEdges) return Promise.all(indexes.map(read))
    return Promise.all(indexes.map(async index => `${await read(index)} to ${await read(index + 1)}`))
  }

  /** The numbers for a range: NaN for no number, the middles of bins, seconds since 1970 for strings of dates. */
  async numbers({ start, stop, step = 1 }: IndexRange, signal?: AbortSignal): Promise<Numbers> {
    const range = [start, stop, step].join(':')
    if (this.#latest?.range === range) return this.#latest.numbers
    const numbers = await this.#numbers({ start, stop, step }, signal)
    this.#latest = { range, numbers }
    return numbers
  }

  async #numbers(range: Required<IndexRange>, signal: AbortSignal | undefined): Promise<Numbers> {
    const { dataset, meaning } = this.#options
    const { start, stop, step } = range
    const count = Math.max(0, Math.ceil((stop - start) / step))
    if (dataset === undefined || meaning === undefined || count === 0)
      return Float64Array.from({ length: count }, (_, i) => start + i * step)
    if (!this.areEdges) return numbersOf(await this.#read(dataset, range, signal), meaning)
    const edges = await this.#read(dataset, { start, stop: stop + 1 }, signal)
    const numbers = numbersOf(edges, meaning)
    return Float64Array.from({ length: count }, (_, i) => {
      return (Number(numbers[i * step]) + Number(numbers[i * step + 1])) / 2
    })
  }

  /** The string for a number among the coordinates, for ticks of an axis. */
  format(value: number): string {
    const { meaning } = this.#options
    if (meaning?.kind === 'other')
      return value === 0 ? '' : new Date(value * 1000).toISOString().slice(0, 16).replace('T', ' ')
    return meaning?.formatUnpacked(value) ?? String(value)
  }

  #read(dataset: ShownDataset, range: IndexRange, signal: AbortSignal | undefined): Promise<Elements> {
    const isScalar = dataset.shape?.length === 0
    return readShown(this.#domain, dataset, {
      ...(!isScalar && { select: [range] }),
      ...(signal && { signal }),
    })
  }

  async #element(index: number): Promise<unknown> {
    const { dataset } = this.#options
    if (dataset === undefined) return index
    const number = Math.floor(index / PAGE)
    let page = this.#pages.get(number)
    if (page === undefined) {
      const [extent = 1] = dataset.shape ?? []
      const stop = Math.min(extent, (number + 1) * PAGE)
      // It is never aborted: another slider may wait for the same page.
      page = this.#read(dataset, { start: number * PAGE, stop }, undefined)
      this.#pages.set(number, page)
      // Another attempt asks again.
      page.catch(() => this.#pages.delete(number))
      const [oldest] = this.#pages.keys()
      if (this.#pages.size > MAX_PAGES && oldest !== undefined) this.#pages.delete(oldest)
    }
    return (await page)[index - number * PAGE]
  }
}

/** A string that begins with a year only may be a name too. */
const DATE = /^\s*[+-]?\d+-\d+-\d/

function numbersOf(elements: Elements, meaning: ValueMeaning): Numbers {
  if (!Array.isArray(elements)) return meaning.unpack(elements as Numbers)
  return Float64Array.from(elements, element => {
    const moment = typeof element === 'string' && DATE.test(element) ? parseMoment(element) : undefined
    return moment === undefined ? Number.NaN : Number(moment / 1000n) / 1e6
  })
}

function degreesText(value: number, role: 'latitude' | 'longitude'): string | undefined {
  if (!Number.isFinite(value)) return undefined
  const [positive, negative] = role === 'latitude' ? ['N', 'S'] : ['E', 'W']
  return `${Math.abs(value)}°${value === 0 ? '' : value > 0 ? positive : negative}`
}
