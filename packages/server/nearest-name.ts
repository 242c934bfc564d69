// The known name that a misspelled one resembles most.

/** The nearest name; undefined: there are no names. */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  return known.toSorted((a, b) => editDistance(name, a) - editDistance(name, b))[0]
}

/**
 * The nearest name, if it was probably meant: it differs in case only, or in at most two characters of five or more.
 */
export function likelyName(name: string, known: readonly string[]): string | undefined {
  const nearest = nearestName(name, known)
  if (nearest === undefined) return undefined
  if (nearest.toLowerCase() === name.toLowerCase()) return nearest
  const isAlike = Math.abs(name.length - nearest.length) <= 2 && Math.min(name.length, nearest.length) >= 5
  return isAlike && editDistance(name, nearest) <= 2 ? nearest : undefined
}

/**
 * More characters of a name are not compared: the time grows with the product of the lengths.
 * @limit safety, characters
 */
const MAX_COMPARED = 64

/** The number of characters to change, insert or remove (Levenshtein). */
function editDistance(whole: string, to: string): number {
  const from = whole.slice(0, MAX_COMPARED)
  let row = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (const [index, character] of [...from].entries()) {
    const next = [index + 1]
    for (const [column, other] of [...to].entries()) {
      const replaced = row[column] + (character === other ? 0 : 1)
      next.push(Math.min(replaced, row[column + 1] + 1, next[column] + 1))
    }
    row = next
  }
  return row[to.length]
}
