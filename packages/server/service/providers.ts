// Identity providers with which people log in (OpenID Connect), as the rest of the service sees them;
// `packages/server/oidc` speaks with them. A person is identified by the issuer and a subject, which never change. The
// name of the user is made of a claim at the first login, ends with "@" and the name of the provider, and stays: access
// control lists are readable, and users and groups of two providers cannot have the same name.

import { ACCOUNT_NAME_LENGTH } from './user-names.ts'

/** The claims of a provider's tokens; dots separate the names of nested claims. */
export interface ProviderClaims {
  /** The claim of which the name of a new user is made. */
  readonly user: string
  /** The claim with the name to show. */
  readonly displayName: string
  /** The claim that lists the user's groups; empty: there is none. */
  readonly groups: string
}

/** A person as a provider has named it. */
export interface ProviderUser {
  readonly issuer: string
  readonly subject: string
  /** The text that the name of a new user begins with. */
  readonly wantedName: string
  readonly displayName?: string
  /** The groups, which end with "@" and the name of the provider, too. */
  readonly groups: readonly string[]
}

/** The secrets of a login under way; each is for one login only. */
export interface LoginChecks {
  /** It comes back with the answer of the provider. */
  readonly state: string
  /** It comes back in the ID token. */
  readonly nonce: string
  /** Proves to the provider that the same client has begun the login (PKCE). */
  readonly verifier: string
}

export interface FinishedLogin {
  readonly user: ProviderUser
  /** The token with which the provider recognises the login when it is to end there, too. */
  readonly idToken?: string
}

export interface LoginProvider {
  /** It is in addresses, and at the end of the names of users and groups. */
  readonly name: string
  /** The name to show. */
  readonly title: string
  readonly issuer: string
  readonly claims: ProviderClaims
  /** False: the provider does not answer at present, or not within 5 seconds. */
  isAvailable(): Promise<boolean>
  /** The address at which the person logs in; `provider-unavailable` if the provider does not answer. */
  begin(callback: string): Promise<{ readonly address: string; readonly checks: LoginChecks }>
  /**
   * The person that has logged in. `answer` is the address with the answer of the provider. Throws `login-failed`, with
   * the reason, or `provider-unavailable`.
   */
  finish(answer: URL, checks: LoginChecks): Promise<FinishedLogin>
  /**
   * The address at which the person logs out of the provider, and which leads to `back`; undefined: the provider has
   * none, or does not answer.
   */
  logoutAddress(idToken: string | undefined, back: string): Promise<string | undefined>
}

/** The users that providers have named, by issuer and subject. */
export interface ProviderUsers {
  /** The name of the user, which is made at the first login. */
  nameOf(user: ProviderUser, provider: string): Promise<string>
}

/** The identity providers of a service. */
export interface Providers {
  /** In the order in which people see them. */
  readonly list: readonly LoginProvider[]
  readonly users: ProviderUsers
  /** A secret that all processes of the store have, and nobody else. */
  readonly secret: Uint8Array
}

export type Claims = Readonly<Record<string, unknown>>

/** The claim of that name, or else the nested claim to which the parts of the name lead. */
export function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name]
  let value: unknown = claims
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as Record<string, unknown>)[part] // an object that has the member
  }
  return value
}

/** The groups that a claim lists: one, or several. */
export function groupsIn(claims: Claims, name: string): readonly string[] {
  const groups = name === '' ? [] : claimOf(claims, name)
  const list: readonly unknown[] = Array.isArray(groups) ? groups : [groups]
  return list.filter(group => typeof group === 'string').filter(group => group !== '')
}

/** Characters of the name that an identity provider shows. @limit safety, characters */
const MAX_DISPLAY_NAME = 100

/** The user of verified claims; undefined: they have no issuer or no subject. */
export function userOfClaims(
  claims: Claims,
  { name, claims: names }: Pick<LoginProvider, 'name' | 'claims'>,
): ProviderUser | undefined {
  const { iss: issuer, sub: subject } = claims
  if (typeof issuer !== 'string' || typeof subject !== 'string' || subject === '') return undefined
  const wanted = claimOf(claims, names.user)
  const shown = claimOf(claims, names.displayName)
  const displayName = typeof shown === 'string' ? plain(shown) : ''
  return {
    issuer,
    subject,
    wantedName: typeof wanted === 'string' && wanted !== '' ? wanted : subject,
    ...(displayName !== '' && { displayName }),
    groups: groupsIn(claims, names.groups).map(group => `${group}@${name}`),
  }
}

/** One line of limited length. */
function plain(text: string): string {
  const characters = [...text.replace(/[\p{Cc}\p{Cf}\p{Cs}\s]+/gu, ' ').trim()]
  return characters.slice(0, MAX_DISPLAY_NAME).join('')
}

/**
 * The name of a new user, which `isTaken` says to be free: the wanted one with "@" and the provider, or with a number
 * before that. Characters that a name cannot have become "-".
 */
export function freeUserName(wanted: string, provider: string, isTaken: (name: string) => boolean): string {
  const plain = wanted.replace(/[^A-Za-z0-9_.@-]+/g, '-')
  for (let number = 1; ; number++) {
    const end = `${number === 1 ? '' : `-${number}`}@${provider}`
    const name = plain.slice(0, ACCOUNT_NAME_LENGTH - end.length) + end
    if (!isTaken(name)) return name
  }
}

/** Whether the name is one that only users of the provider have. */
export function isNameOfProvider(name: string, provider: string): boolean {
  return name.endsWith(`@${provider}`)
}
