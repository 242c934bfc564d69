// The list of a folder as it is loaded: page after page, names first, and again soon after something has changed.

import type { Api, Hyperslab } from '@hyperslab/client'
import type { Later } from '../common/clock.ts'
import { sizeOf } from './contents.ts'

const PAGE_SIZE = 1000
/** The least time from a change to the list that shows it. */
const PAUSE_MS = 500
/** Times as long as the list takes, it is not read again. */
const PAUSE_FACTOR = 10

export interface Listed {
  readonly rows: readonly Api.ListedDomain[]
  readonly isComplete: boolean
}

export const NOTHING_LISTED: Listed = { rows: [], isComplete: false }

/** Each state of the list that the page shows. While it `isAgain` read, the page keeps the old rows. */
export async function* listFolder(
  client: Pick<Hyperslab, 'folder'>,
  path: string,
  isAgain: boolean,
  signal: AbortSignal,
): AsyncGenerator<Listed> {
  const rows: Api.ListedDomain[] = []
  // The list is shown each time that its length has doubled, because all are sorted each time.
  let nextShown = PAGE_SIZE
  for await (const row of client.folder(path, { pageSize: PAGE_SIZE, verbose: false, signal })) {
    rows.push(row)
    if (isAgain || rows.length < nextShown) continue
    yield { rows: [...rows], isComplete: false }
    nextShown = 2 * rows.length
  }
  // Names come first. The sizes of stored domains take longer; those of mounted files come with the names.
  const hasSizes = rows.every(row => row.class === 'folder' || sizeOf(row) !== undefined)
  if (hasSizes || !isAgain) yield { rows, isComplete: true }
  if (hasSizes) return
  const sized: Api.ListedDomain[] = []
  for await (const row of client.folder(path, { pageSize: PAGE_SIZE, verbose: true, signal })) sized.push(row)
  yield { rows: sized, isComplete: true }
}

/**
 * The list as the page shows it after `uploads` files have become domains: until a list has begun since, it is not
 * complete, so that an empty folder does not say that it is empty.
 */
export function listedAfter({ rows, isComplete }: Listed, listedUploads: number, uploads: number): Listed {
  return { rows, isComplete: isComplete && listedUploads === uploads }
}

/** Changes that come together are one, and a long list is read a small part of the time. */
export class ReloadTimer {
  readonly #reload: () => void
  readonly #later: Later
  #cancel: (() => void) | undefined
  #loadTime = 0

  constructor(reload: () => void, later: Later) {
    this.#reload = reload
    this.#later = later
  }

  /** Notes how long the list has taken. */
  readonly took = (milliseconds: number): void => {
    this.#loadTime = milliseconds
  }

  readonly soon = (): void => {
    const act = () => {
      this.#cancel = undefined
      this.#reload()
    }
    this.#cancel ??= this.#later(act, Math.max(PAUSE_MS, PAUSE_FACTOR * this.#loadTime))
  }

  readonly stop = (): void => {
    this.#cancel?.()
    this.#cancel = undefined
  }
}
