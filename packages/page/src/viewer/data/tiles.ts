// Tiles of blocks that were read: each is requested once as long as it is kept, a few at a time, and given up when
// nobody waits for it any more.

import type { Domain } from '@hyperslab/client'
import {
  type BlockSelection,
  type Blocks,
  type BlockValue,
  type DrawnDataset,
  elementsOf,
  readBlocks,
} from './blocks.ts'

/** Tiles that are kept, the latest used. */
const TILES_KEPT = 64
/**
 * Tiles of a drawing that are requested at once: browsers have six connections to a server; one is for the feed of
 * changes.
 * @limit safety, requests
 */
const REQUESTS_AT_ONCE = 4

/** The pause between two drawings while tiles come, and how many times as long as a drawing it is at least. */
const REDRAW_MS = 300
const REDRAW_RATIO = 3

/** Elements that are all stored take longer: several requests run at once. */
const MOMENT_MS = 150
/** The next request after one that took a moment may be for this many times as many elements. */
const MOST_GROWTH = 16

/** The time and the frames of the screen. */
export interface Screen {
  /** Milliseconds. */
  readonly now: () => number
  /** Calls back when all that was to be drawn is on the screen. */
  readonly whenDrawn: (callback: () => void) => void
}

const BROWSER: Screen = {
  now: () => performance.now(),
  // The canvas draws in the next frame, and the one after it comes when that is done.
  whenDrawn: callback => requestAnimationFrame(() => requestAnimationFrame(callback)),
}

/**
 * Says when a drawing is made anew while tiles come: some time after the former one was on the screen, so that a slow
 * machine does not only draw.
 */
export class Redraws {
  readonly #screen: Screen
  #since: number
  #pause = REDRAW_MS

  constructor(screen: Screen) {
    this.#screen = screen
    this.#since = screen.now()
  }

  get isDue(): boolean {
    return this.#screen.now() - this.#since >= this.#pause
  }

  /** Notes that a drawing begins. */
  begin(): void {
    const begin = this.#screen.now()
    this.#since = Number.POSITIVE_INFINITY
    this.#screen.whenDrawn(() => {
      this.#since = this.#screen.now()
      this.#pause = Math.max(REDRAW_MS, REDRAW_RATIO * (this.#since - begin))
    })
  }
}

/** The number of tiles that are read of all that a drawing has. */
export interface Progress {
  readonly done: number
  readonly all: number
}

/** What a reader of the drawing should know while tiles come, as the end of a sentence. */
export function progressText(progress: Progress | undefined): string {
  if (progress === undefined) return ''
  const { done, all } = progress
  return done === 0
    ? ', of which a sample is read so far'
    : `, in ${done} of ${all} parts that are read so far`
}

export interface DrawingSteps<Part> {
  /** Each reads few of the elements, the later ones more; absent: all come soon enough. */
  readonly samples?: readonly (() => Promise<void>)[]
  /** Smaller parts to read instead of one that would take long; absent, or undefined: it is read as it is. */
  readonly split?: (part: Part) => readonly Part[] | undefined
  /** What a part counts for; absent: 1. */
  readonly countOf?: (part: Part) => number
  readonly read: (part: Part) => Promise<void>
  /** Undefined: all parts are read. */
  readonly show: (progress: Progress | undefined) => void
}

/** Reads all parts of a drawing, and shows what has come: the sample, then now and then, and at last all. */
export async function drawInParts<Part>(
  parts: readonly Part[],
  { samples = [], split = () => undefined, countOf = () => 1, read, show }: DrawingSteps<Part>,
  screen: Screen,
): Promise<void> {
  const redraws = new Redraws(screen)
  const all = parts.reduce((sum, part) => sum + countOf(part), 0)
  let done = 0
  const showProgress = () => {
    redraws.begin()
    show({ done, all })
  }
  for (const sample of samples) {
    await sample()
    showProgress()
  }
  const left = [...parts]
  const readNext = async (): Promise<void> => {
    for (let part = left.shift(); part !== undefined; part = left.shift()) {
      const smaller = split(part)
      if (smaller) {
        left.unshift(...smaller)
        continue
      }
      await read(part)
      done += countOf(part)
      if (done < all && redraws.isDue) showProgress()
    }
  }
  const readers = Array.from({ length: REQUESTS_AT_ONCE }, readNext)
  try {
    await Promise.all(readers)
  } finally {
    // Of a drawing that failed, no more is read.
    left.length = 0
  }
  show(undefined)
}

interface Tile {
  readonly blocks: Promise<Blocks>
  readonly abort: AbortController
  waiting: number
  isComplete: boolean
}

export class Tiles {
  readonly #domain: Domain
  readonly #tiles = new Map<string, Tile>()
  readonly #queue: (() => void)[] = []
  #running = 0
  /** The latest answer: its elements, and the milliseconds that it took. */
  #latest = { dataset: '', elements: 0, took: 0 }

  /** The screen that shows the tiles. */
  readonly screen: Screen

  constructor(domain: Domain, screen = BROWSER) {
    this.#domain = domain
    this.screen = screen
  }

  /**
   * Whether a request for this many elements of a dataset is likely to be answered soon. Of one that took a moment most
   * of the time was not for the elements: those that are not stored take none.
   */
  isQuick({ id }: DrawnDataset, count: number): boolean {
    const { dataset, elements, took } = this.#latest
    const growth = took < MOMENT_MS ? MOST_GROWTH : took < 4 * MOMENT_MS ? 1 : 1 / 4
    return dataset === id && count <= growth * elements
  }

  /** `stamp` is another one after each change of the dataset. */
  async read(
    dataset: DrawnDataset,
    stamp: number,
    selection: BlockSelection,
    value: BlockValue,
    signal: AbortSignal,
  ): Promise<Blocks> {
    signal.throwIfAborted()
    const key = JSON.stringify([dataset.id, dataset.numbers, stamp, selection, value])
    const tile = this.#tiles.get(key) ?? this.#start(dataset, selection, value)
    // The latest used is the last one.
    this.#tiles.delete(key)
    this.#tiles.set(key, tile)
    this.#drop()
    tile.waiting++
    const leave = () => {
      tile.waiting--
      // A component that is drawn anew asks again at once.
      setTimeout(() => {
        if (tile.waiting > 0 || tile.isComplete) return
        if (this.#tiles.get(key) === tile) this.#tiles.delete(key)
        tile.abort.abort()
      })
    }
    signal.addEventListener('abort', leave, { once: true })
    try {
      const blocks = await tile.blocks
      signal.throwIfAborted()
      return blocks
    } catch (error) {
      if (this.#tiles.get(key) === tile) this.#tiles.delete(key)
      throw error
    } finally {
      if (!signal.aborted) tile.waiting--
      signal.removeEventListener('abort', leave)
    }
  }

  #start(dataset: DrawnDataset, selection: BlockSelection, value: BlockValue): Tile {
    const abort = new AbortController()
    const blocks = this.#slot(abort.signal).then(async () => {
      try {
        // Those that have left together give up their tiles one after another.
        if (tile.waiting === 0) abort.abort()
        abort.signal.throwIfAborted()
        const begin = this.screen.now()
        const blocks = await readBlocks(this.#domain, dataset, selection, value, abort.signal)
        tile.isComplete = true
        const elements = elementsOf(dataset.shape ?? [], selection)
        if (value !== 'first')
          this.#latest = { dataset: dataset.id, elements, took: this.screen.now() - begin }
        return blocks
      } finally {
        this.#running--
        this.#queue.shift()?.()
      }
    })
    // Those that wait for it see the error.
    blocks.catch(() => undefined)
    const tile: Tile = { blocks, abort, waiting: 0, isComplete: false }
    return tile
  }

  /** Resolves when the request may begin. */
  async #slot(signal: AbortSignal): Promise<void> {
    if (this.#running >= REQUESTS_AT_ONCE) {
      await new Promise<void>((resolve, reject) => {
        this.#queue.push(resolve)
        signal.addEventListener('abort', () => {
          const at = this.#queue.indexOf(resolve)
          if (at === -1) return
          this.#queue.splice(at, 1)
          reject(signal.reason)
        })
      })
    }
    this.#running++
  }

  #drop(): void {
    for (const [key, { waiting }] of this.#tiles) {
      if (this.#tiles.size <= TILES_KEPT) return
      if (waiting === 0) this.#tiles.delete(key)
    }
  }
}

const known = new WeakMap<Domain, Tiles>()

/** The same ones for the same file: what one drawing has read is not read again for another. */
export function tilesOf(domain: Domain): Tiles {
  const tiles = known.get(domain) ?? new Tiles(domain)
  known.set(domain, tiles)
  return tiles
}
