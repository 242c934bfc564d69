export interface IndexedPage {
  /** The address below /docs/. */
  readonly address: string
  readonly title: string
  readonly sections: readonly {
    /** Empty for the page itself. */
    readonly anchor: string
    readonly heading: string
    readonly text: string
  }[]
}

export interface FoundSection {
  readonly address: string
  readonly title: string
  readonly heading: string
  readonly excerpt: readonly { readonly text: string; readonly isMarked: boolean }[]
}

/** The index of the sections of pages, for `openIndex`. */
export function makeIndex(pages: readonly IndexedPage[]): object

/** A function from words to the sections of the pages that have them, the best first. */
export function openIndex(
  pages: readonly IndexedPage[],
  index: object,
): (words: string) => readonly FoundSection[]
