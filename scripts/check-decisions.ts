// The form of docs/decisions (its README.md describes it), and the check that every page has it. Run by the test beside
// this file, hence by `npm test` and `npm run check`.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const DECISIONS = 'docs/decisions'
const INDEX = 'README.md'

/** Counted as `wc -w` does. */
export const MAX_WORDS = 700

/** The labels in bold that each page has. */
const PARTS = ['Problem', 'Options', 'Choice', 'What would change our mind']

/** The faults of a page of a decision, one message each. */
export function findFaultsOfPage(page: string): readonly string[] {
  const words = page.split(/\s+/).filter(word => word !== '').length
  return [
    ...(words > MAX_WORDS ? [`${words} words, at most ${MAX_WORDS}: tables go to bench/results.md`] : []),
    ...PARTS.filter(part => !page.includes(`**${part}`)).map(part => `lacks "**${part}.**"`),
  ]
}

/** One line for every fault of the pages, their numbers and their index. */
export function checkDecisions(root: string): readonly string[] {
  const read = (name: string) => readFileSync(join(root, DECISIONS, name), 'utf8')
  const index = read(INDEX)
  const pages = readdirSync(join(root, DECISIONS))
    .filter(name => name !== INDEX)
    .sort()
  return pages.flatMap((name, position) => {
    const number = name.slice(0, 3)
    return [
      ...(pages[position - 1]?.startsWith(number) ? [`${name}: another page has its number`] : []),
      ...(index.includes(`[${number}](${name})`) ? [] : [`${name}: ${INDEX} does not list it`]),
      ...findFaultsOfPage(read(name)).map(fault => `${name}: ${fault}`),
    ]
  })
}
