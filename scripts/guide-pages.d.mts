import type { IndexedPage } from '../pages/docs/find.js'

export interface GuidePage {
  readonly file: string
  readonly address: string
  readonly title: string
  readonly html: string
  readonly contents: string
}

/** The pages of the Markdown files, and their sections for the search. */
export function guidePages(
  sources: ReadonlyMap<string, string>,
  repository?: string,
): { readonly pages: readonly GuidePage[]; readonly sections: readonly IndexedPage[] }
