// The log of changes as administrators read it: a sentence for each line of the audit.

import type { OwnRow } from '../account/own-lists.ts'

/** A line of the audit: the members that the page shows. */
export type Entry = Readonly<Record<string, unknown>>

/** `create-group` as people say it. */
function wordsOf(operation: string): string {
  const words = operation.replaceAll('-', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function userOf({ user, tried, sharedBy, login, systemUser }: Entry): string {
  if (typeof user === 'string') return user
  if (typeof sharedBy === 'string') return `a share of ${sharedBy}`
  if (typeof tried === 'string') return `${tried} (not logged in)`
  if (login === 'command') return `a command of ${systemUser ?? 'the machine'}`
  return login === 'open' ? 'a program of this machine' : 'a caller without a login'
}

/** The names and what has changed, as `name bob, admin false`. */
function detailsOf(what: unknown): string {
  if (typeof what !== 'object' || what === null) return ''
  return Object.entries(what)
    .map(([name, value]) => `${name} ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(', ')
}

export function rowOf(entry: Entry, index: number): OwnRow {
  const { time, operation, domain, outcome, code, what, address } = entry
  const title = typeof operation === 'string' ? wordsOf(operation) : 'A request'
  const details = detailsOf(what)
  return {
    id: String(index),
    title: typeof domain === 'string' ? `${title}: ${domain}` : title,
    badges: outcome === 'done' ? [] : [{ text: `refused${typeof code === 'string' ? `, ${code}` : ''}` }],
    sentence: [
      { time: Date.parse(String(time)) / 1000 },
      ` by ${userOf(entry)}`,
      typeof address === 'string' ? ` from ${address}` : '',
      details === '' ? '' : ` · ${details}`,
    ],
    ending: undefined,
  }
}
