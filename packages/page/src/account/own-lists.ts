// What a user has in the account, by kind: sessions, tokens and shares. Each is listed, begun and ended by the same
// steps; here are the requests and the words of each.

import type { Api, Hyperslab } from '@hyperslab/client'
import { describeProgram } from './program.ts'

type Client = Pick<Hyperslab, 'request'>

export interface OwnList<Item> {
  /** Said of an empty list. */
  readonly none?: string
  readonly list: (client: Client, signal: AbortSignal) => Promise<readonly Item[]>
  readonly end: (client: Client, id: string) => Promise<unknown>
  /** `own` is the name of the user who looks at it. */
  readonly row: (item: Item, own: string | undefined) => OwnRow
}

export interface OwnRow {
  readonly id: string
  readonly title: string
  /** More than the title says. */
  readonly hint?: string
  readonly badges: readonly Badge[]
  /** Words and times, in the order of the sentence. */
  readonly sentence: readonly (string | Time)[]
  /** Undefined: it cannot be ended. */
  readonly ending: Ending | undefined
}

export interface Badge {
  readonly text: string
  readonly isGood?: boolean
}

export interface Time {
  /** Seconds since 1970. */
  readonly time: number
}

export interface Ending {
  readonly text: string
  /** The name of the button, where others have the same text. */
  readonly label: string
  /** Said before it is done; absent: it is done at once. */
  readonly consequence?: string
}

const timeOf = (text: string): Time => ({ time: Date.parse(text) / 1000 })

/** The end of a sentence about a token or share. */
const useOf = (uses: number, used: string | undefined): OwnRow['sentence'] =>
  used === undefined
    ? ['never used']
    : [`${uses} ${uses === 1 ? 'request' : 'requests'}, the last `, timeOf(used)]

export const SESSIONS: OwnList<Api.SessionList['sessions'][number]> = {
  list: async (client, signal) => (await client.request('GET /sessions', {}, { signal })).sessions,
  end: (client, id) => client.request('DELETE /sessions/{id}', { id }),
  row: ({ id, client: program, current, created, used, end }) => ({
    id,
    title: describeProgram(program),
    hint: program,
    badges: current ? [{ text: 'this session', isGood: true }] : [],
    sentence: ['begun ', timeOf(created), ', used ', timeOf(used), ', ends ', timeOf(end)],
    ending: current ? undefined : { text: 'End', label: 'End' },
  }),
}

export const TOKENS: OwnList<Api.TokenList['tokens'][number]> = {
  none: 'You have no tokens yet.',
  list: async (client, signal) => (await client.request('GET /tokens', {}, { signal })).tokens,
  end: (client, id) => client.request('DELETE /tokens/{id}', { id }),
  row: ({ id, name, writes, within, created, end, uses, used }) => ({
    id,
    title: name,
    badges: [
      { text: writes ? 'reads and writes' : 'reads only' },
      ...(within === undefined ? [] : [{ text: within }]),
    ],
    sentence: ['made ', timeOf(created), ', ends ', timeOf(end), ', ', ...useOf(uses, used)],
    ending: {
      text: 'Revoke',
      label: `Revoke ${name}`,
      consequence: 'The program that has it can no longer log in.',
    },
  }),
}

/** Makes a token from the fields of its form. The answer has its secret, which is not shown again. */
export function beginToken(client: Client, fields: FormData) {
  const within = textIn(fields, 'within')
  const body = {
    name: String(fields.get('name')),
    end: String(fields.get('end')),
    writes: fields.has('writes'),
    ...(within !== '' && { within }),
  }
  return client.request('POST /tokens', {}, { body })
}

export const SHARES: OwnList<Api.ShareList['shares'][number]> = {
  none: 'You share nothing.',
  list: async (client, signal) => (await client.request('GET /shares', {}, { signal })).shares,
  end: (client, id) => client.request('DELETE /shares/{id}', { id }),
  row: ({ id, domain, note, created, end, uses, used }) => ({
    id,
    title: domain,
    badges: note === '' ? [] : [{ text: note }],
    sentence: ['made ', timeOf(created), ', ends ', timeOf(end), ', ', ...useOf(uses, used)],
    ending: {
      text: 'Stop sharing',
      label: `Stop sharing ${domain}`,
      consequence: 'The address shows nothing from then on, also to those that have it open.',
    },
  }),
}

export interface SharedPlace {
  /** The path of the domain or folder. */
  readonly path: string
  /** The query of the address of the page, for the view that opens; absent: as the page chooses. */
  readonly view?: string | undefined
}

/** Shares a place as the fields of the form say. The answer has the address, which is not shown again. */
export function beginShare(client: Client, { path, view }: SharedPlace, fields: FormData) {
  const body = {
    domain: path,
    end: textIn(fields, 'end'),
    note: textIn(fields, 'note'),
    ...(view && { view }),
  }
  return client.request('POST /shares', {}, { body })
}

/** Changes the password as the fields of the form say, and says what came of it. */
export async function changePassword(client: Client, fields: FormData): Promise<string> {
  const [password, next, again] = ['password', 'new', 'again'].map(name => String(fields.get(name)))
  if (next !== again) throw new Error('The two new passwords differ.')
  const body = { password: String(password), new: String(next) }
  const { ended } = await client.request('PUT /password', {}, { body })
  if (ended === 0) return 'Your password is changed. You had no other session.'
  const sessions = ended === 1 ? '1 other session has' : `${ended} other sessions have`
  return `Your password is changed. ${sessions} ended.`
}

function textIn(fields: FormData, name: string): string {
  return String(fields.get(name)).trim()
}
