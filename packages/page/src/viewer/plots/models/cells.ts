// The cells of a matrix as texts: pages of them are read when they come in sight, and kept.

import type { Domain, Selection } from '@hyperslab/client'
import { isComplex } from '@hyperslab/client/elements'
import type { ValueMeaning } from '@hyperslab/meaning/meaning'
import { elementText } from '../../code/element-text.ts'
import type { StoredShape } from '../../data/contents.ts'
import { readShown } from '../../meaning/letters.ts'
import type { DimensionUse, View } from '../../view-address.ts'

/** Rows and columns of one request. */
const PAGE_ROWS = 128
const PAGE_COLUMNS = 32
/** Pages that are kept. */
const PAGES_KEPT = 100

export interface CellsRequest {
  readonly meaning: Pick<ValueMeaning, 'format'>
  readonly dataset: StoredShape
  readonly uses: readonly DimensionUse[]
  readonly rowDimension: number
  /** Undefined: there is one column. */
  readonly columnDimension: number | undefined
  readonly notation: NonNullable<View['notation']>
}

/** Another text if other cells are wanted. */
export function wantedOf({ dataset, uses, notation }: CellsRequest): string {
  return JSON.stringify([dataset.id, dataset.stamp, dataset.shape ?? [], uses, notation])
}

interface Page {
  readonly columns: number
  readonly texts: readonly string[]
}

/** The place of a page, of its first row and its first column. */
interface PagePlace {
  readonly top: number
  readonly left: number
}

export interface CellListeners {
  /** A page has come. */
  readonly changed: () => void
  readonly failed: (reason: unknown) => void
}

/** The cells of one request. Pages are read again after an error, when they are in sight the next time. */
export class Cells {
  readonly #domain: Domain
  readonly #request: CellsRequest
  readonly #listeners: CellListeners
  readonly #pages = new Map<string, Page | 'loading'>()
  readonly #abort = new AbortController()

  constructor(domain: Domain, request: CellsRequest, listeners: CellListeners) {
    this.#domain = domain
    this.#request = request
    this.#listeners = listeners
  }

  /** Undefined: its page has not come; it is requested. */
  text(row: number, column: number): string | undefined {
    const [top, left] = [row - (row % PAGE_ROWS), column - (column % PAGE_COLUMNS)]
    const page = this.#pages.get(`${top} ${left}`)
    if (page === undefined) void this.#load({ top, left })
    if (page === undefined || page === 'loading') return undefined
    return page.texts[(row - top) * page.columns + (column - left)] ?? ''
  }

  /** Nobody looks at them any more. */
  close(): void {
    this.#abort.abort()
  }

  async #load(place: PagePlace): Promise<void> {
    const key = `${place.top} ${place.left}`
    const pages = this.#pages
    const { signal } = this.#abort
    pages.set(key, 'loading')
    try {
      pages.set(key, await readPage(this.#domain, this.#request, place, signal))
      for (const oldest of pages.keys()) if (pages.size > PAGES_KEPT) pages.delete(oldest)
      this.#listeners.changed()
    } catch (reason) {
      pages.delete(key)
      if (!signal.aborted) this.#listeners.failed(reason)
    }
  }
}

async function readPage(
  domain: Domain,
  { meaning, dataset, uses, rowDimension, columnDimension, notation }: CellsRequest,
  { top, left }: PagePlace,
  signal: AbortSignal,
): Promise<Page> {
  const { shape = [], type } = dataset
  const range = (start: number, size: number, extent = 0) => ({ start, stop: Math.min(start + size, extent) })
  const select: Selection = uses.map((use, d) => {
    if (d === rowDimension) return range(top, PAGE_ROWS, shape[d])
    return d === columnDimension ? range(left, PAGE_COLUMNS, shape[d]) : Number(use)
  })
  const data = await readShown(domain, dataset, { select, signal })
  const isPlain = notation === 'auto' && !isComplex(type)
  const textOf = isPlain ? meaning.format : (one: unknown) => elementText(type, one, notation)
  const texts = Array.from(data as ArrayLike<unknown>, textOf)
  const extent = columnDimension === undefined ? 1 : (shape[columnDimension] ?? 1)
  const columns = Math.min(PAGE_COLUMNS, extent - left)
  const isByColumns = columnDimension !== undefined && columnDimension < rowDimension
  return { columns, texts: isByColumns ? transposed(texts, columns) : texts }
}

/** Rows of texts that came column by column. */
function transposed(texts: readonly string[], columns: number): readonly string[] {
  const rows = texts.length / columns
  return texts.map((_, i) => texts[(i % columns) * rows + Math.floor(i / columns)] ?? '')
}
