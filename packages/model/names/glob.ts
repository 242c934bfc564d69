// Patterns of names (hsds-objects 8.8): the whole name has to match, character by character.
//
//   pattern := { "*" | "?" | "[" c "]" | "[" c "-" c "]" | c } at most one "*"
//   * any run of characters, also none
//   ? one character
//   [c] that character, which may be any: [*], [[] and []] represent the signs themselves
//   [a-z] one character from the first to the last, in the order of code points
//
// Characters are code points, in any case as they are written. With at most one "*" the positions of all other
// characters are fixed, so that matching compares each once.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '../json/json.ts'

export interface Glob {
  /** The beginning of every name that matches: a listing by name need not look elsewhere. */
  readonly prefix: string
  matches(name: string): boolean
}

/** One character of a name: a code point from the first to the last. */
interface Step {
  readonly from: number
  readonly to: number
}

const ANY: Step = { from: 0, to: 0x10ffff }

/** `malformed-pattern`, with the character that is wrong, when the text is not a pattern. */
export function parseGlob(text: string): Glob {
  const before: Step[] = []
  let after: Step[] | undefined
  const characters = Array.from(text)
  for (let position = 0; position < characters.length; ) {
    const character = characters[position]
    if (character === '*') {
      if (after !== undefined) throw malformedPattern(text, position, 'a pattern must have at most one "*"')
      after = []
      position++
      continue
    }
    if (character === ']')
      throw malformedPattern(text, position, '"]" has no "[" before it; []] stands for the sign itself')
    const steps = after ?? before
    if (character === '[') {
      const range = rangeAt(text, characters, position)
      steps.push(range.step)
      position = range.end
    } else {
      steps.push(character === '?' ? ANY : only(character))
      position++
    }
  }
  return { prefix: prefixOf(before), matches: matcherOf(before, after) }
}

/** `[c]` or `[a-z]`. */
function rangeAt(
  text: string,
  characters: readonly string[],
  start: number,
): { readonly step: Step; readonly end: number } {
  const [first, next, last, end] = characters.slice(start + 1, start + 5)
  if (first !== undefined && next === ']') return { step: only(first), end: start + 3 }
  if (next === '-' && last !== undefined && end === ']') {
    const step = { from: codeOf(first), to: codeOf(last) }
    if (step.from <= step.to) return { step, end: start + 5 }
    throw malformedPattern(text, start, `the range from ${excerpt(first)} to ${excerpt(last)} is empty`)
  }
  throw malformedPattern(text, start, '"[" begins one character, [c], or a range, [a-z], which ends with "]"')
}

function only(character: string): Step {
  const code = codeOf(character)
  return { from: code, to: code }
}

function codeOf(character: string): number {
  return character.codePointAt(0) ?? 0
}

function prefixOf(steps: readonly Step[]): string {
  let prefix = ''
  for (const { from, to } of steps) {
    if (from !== to) break
    prefix += String.fromCodePoint(from)
  }
  return prefix
}

/** The test of a pattern; `after` is undefined if there is no "*". */
function matcherOf(before: readonly Step[], after: readonly Step[] | undefined): Glob['matches'] {
  return name => {
    let start = 0
    for (const { from, to } of before) {
      const code = name.codePointAt(start) ?? -1
      if (code < from || code > to) return false
      start += code > 0xffff ? 2 : 1
    }
    if (after === undefined) return start === name.length
    let end = name.length
    for (let i = after.length - 1; i >= 0; i--) {
      if (end <= start) return false
      const code = codePointBefore(name, end)
      if (code < after[i].from || code > after[i].to) return false
      end -= code > 0xffff ? 2 : 1
    }
    return end >= start
  }
}

function codePointBefore(text: string, end: number): number {
  const pair = end > 1 ? (text.codePointAt(end - 2) ?? 0) : 0
  return pair > 0xffff ? pair : text.charCodeAt(end - 1)
}

/** `position`: the character of the pattern that the rule is about, the first is 0. */
function malformedPattern(text: string, position: number, rule: string): HyperslabError {
  return new HyperslabError(
    'malformed-pattern',
    `the pattern ${excerpt(text)}: at character ${position}, ${rule}`,
  )
}
