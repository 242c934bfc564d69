// The search of the guide: finds the sections that have all words, also with another end or a small mistake. The index
// is made at build, because a browser needs half a second for it. It knows no document.

import MiniSearch from 'minisearch'

const MAX_RESULTS = 20
/** Characters of a section that a result shows, before and after the first word that was found. */
const BEFORE = 40
const SHOWN = 180

const OPTIONS = {
  fields: ['heading', 'title', 'text'],
  searchOptions: {
    boost: { heading: 4, title: 2 },
    prefix: true,
    fuzzy: term => (term.length > 4 ? 0.2 : false),
    combineWith: 'AND',
  },
}

/** The index of the sections of pages, for `openIndex`. */
export function makeIndex(pages) {
  const index = new MiniSearch(OPTIONS)
  index.addAll(sectionsOf(pages).map((section, id) => ({ ...section, id })))
  return index.toJSON()
}

/** A function from words to the sections of the pages that have them, the best first. */
export function openIndex(pages, made) {
  const index = MiniSearch.loadJS(made, OPTIONS)
  const sections = sectionsOf(pages)
  return words =>
    index
      .search(words)
      .slice(0, MAX_RESULTS)
      .map(({ id, terms }) => {
        const { address, title, heading, text } = sections[id]
        return { address, title, heading, excerpt: excerptOf(text, terms) }
      })
}

function sectionsOf(pages) {
  return pages.flatMap(({ address, title, sections }) =>
    sections.map(section => ({ ...section, title, address: withAnchor(address, section.anchor) })),
  )
}

const withAnchor = (address, anchor) => (anchor === '' ? address : `${address}#${anchor}`)

/** The part of the text around the first of the terms, in pieces; those that are terms are marked. */
function excerptOf(text, terms) {
  const longestFirst = terms.toSorted((one, other) => other.length - one.length)
  const escaped = longestFirst.map(term => term.replace(/[^\p{L}\p{N}]/gu, '\\$&'))
  const pattern = new RegExp(escaped.join('|'), 'gi')
  const first = text.search(pattern)
  const start = first > BEFORE ? text.indexOf(' ', first - BEFORE) + 1 : 0
  const end = start + SHOWN < text.length ? text.lastIndexOf(' ', start + SHOWN) : text.length
  const shown = `${start > 0 ? '… ' : ''}${text.slice(start, end)}${end < text.length ? ' …' : ''}`
  const marks = [...shown.matchAll(pattern)].map(({ index, 0: mark }) => ({ index, mark }))
  const pieces = []
  let position = 0
  for (const { index, mark } of marks) {
    if (index > position) pieces.push({ text: shown.slice(position, index), isMarked: false })
    pieces.push({ text: mark, isMarked: true })
    position = index + mark.length
  }
  if (position < shown.length) pieces.push({ text: shown.slice(position), isMarked: false })
  return pieces
}
