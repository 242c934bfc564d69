// Sessions, tokens and shares of all users, as administrators read them.

import type { Api } from '@hyperslab/client'
import type { OwnRow } from '../account/own-lists.ts'
import { describeProgram } from '../account/program.ts'

export type Login = Api.LoginList['logins'][number]
export type LoginKind = Login['kind']

export const KINDS: readonly (readonly [LoginKind, string])[] = [
  ['session', 'Sessions'],
  ['token', 'Tokens'],
  ['share', 'Shares'],
]

const NOUNS: Readonly<Record<LoginKind, string>> = { session: 'session', token: 'token', share: 'share' }

const CONSEQUENCES: Readonly<Record<LoginKind, (user: string) => string>> = {
  session: user => `${user} has to log in again there.`,
  token: user => `The program of ${user} that has it can no longer log in.`,
  share: () => 'Its address shows nothing from then on, also to those that have it open.',
}

const timeOf = (text: string) => ({ time: Date.parse(text) / 1000 })

function titleOf({ kind, title = '', within = '' }: Login): string {
  return kind === 'session' ? describeProgram(title) : kind === 'token' ? title : within
}

export function rowOf(login: Login): OwnRow {
  const { id, user, kind, within, writes, created, end, used, uses } = login
  const title = titleOf(login)
  const verb = kind === 'session' ? 'End' : 'Revoke'
  return {
    id: `${kind} ${id} ${user}`,
    title,
    badges: [
      { text: user },
      { text: NOUNS[kind] },
      ...(writes === undefined ? [] : [{ text: writes ? 'reads and writes' : 'reads only' }]),
      ...(kind === 'token' && within !== undefined ? [{ text: within }] : []),
    ],
    sentence: [
      'made ',
      timeOf(created),
      ', ends ',
      timeOf(end),
      ...(uses === undefined ? [] : [`, ${uses} ${uses === 1 ? 'request' : 'requests'}`]),
      ...(used === undefined ? [] : [', used ', timeOf(used)]),
    ],
    ending: {
      text: verb,
      label: `${verb} the ${NOUNS[kind]} ${title} of ${user}`,
      consequence: CONSEQUENCES[kind](user),
    },
  }
}

/** The parameters that name the login of a row. */
export function loginOf(rowId: string) {
  const [kind, id = '', ...user] = rowId.split(' ')
  return { kind: kind as LoginKind, id, user: user.join(' ') } // as `rowOf` has put it there
}
