// The file of identity providers that the setting `login_providers` names: JSON, a list with an object for each. A
// mistake is an error that names the provider and the member. No message has a secret.

import { readFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { nearestName } from '../../nearest-name.ts'
import { isSafeAddress } from '../../oidc/bounded-fetch.ts'
import type { OidcSettings } from '../../oidc/oidc-provider.ts'
import { UsageError } from '../usage-error.ts'

const MEMBERS = [
  'name',
  'title',
  'issuer',
  'client_id',
  'client_secret',
  'client_secret_file',
  'scopes',
  'user_claim',
  'name_claim',
  'groups_claim',
] as const
type Member = (typeof MEMBERS)[number]

/** Short, because it is at the end of the names of users. */
const NAME = /^[a-z][a-z0-9-]{0,19}$/
const TITLE = /^\P{Cc}{1,40}$/u

export function readLoginProviders(path: string): readonly OidcSettings[] {
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    // The message of the parser quotes the text, which may have secrets.
    const isMissing = error instanceof Error && 'code' in error
    throw new UsageError(`${path} ${isMissing ? `cannot be read: ${error.code}` : 'is not JSON'}`)
  }
  if (!Array.isArray(json) || json.length === 0)
    throw new UsageError(`${path}: must contain a list of identity providers, each a JSON object`)
  const providers = json.map((item, index) => parseProvider(item, index, path))
  for (const member of ['name', 'issuer'] as const) {
    const values = providers.map(provider => provider[member])
    const repeated = values.find((value, index) => values.indexOf(value) !== index)
    if (repeated !== undefined)
      throw new UsageError(`${path}: two providers have the ${member} "${repeated}", each must have its own`)
  }
  return providers
}

function parseProvider(json: unknown, index: number, path: string): OidcSettings {
  const place = `${path}, provider ${index + 1}`
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw new UsageError(`${place}: must be a JSON object`)
  const members: Readonly<Record<string, unknown>> = { ...json }
  for (const key of Object.keys(members)) {
    if (MEMBERS.some(member => member === key)) continue
    throw new UsageError(`${place}: "${key}" is not a member; the nearest is "${nearestName(key, MEMBERS)}"`)
  }

  function text(member: Member, fallback?: string): string {
    const value = members[member] ?? fallback
    if (typeof value === 'string' && (value !== '' || member === 'groups_claim')) return value
    throw new UsageError(`${place}: "${member}" must be a string that is not empty`)
  }
  function requireForm(member: Member, isRight: boolean, rule: string): void {
    if (!isRight) throw new UsageError(`${place}: "${member}" must be ${rule}`)
  }

  const name = text('name')
  requireForm('name', NAME.test(name), 'up to 20 lower-case letters, digits and "-", and begin with a letter')
  const title = text('title', name)
  requireForm('title', TITLE.test(title), 'one line of up to 40 characters')
  const issuer = text('issuer')
  requireForm('issuer', isIssuer(issuer), 'an https address without a query; http is for this machine only')
  const scopes = members.scopes ?? ['openid', 'profile', 'email']
  const isList = Array.isArray(scopes) && scopes.every(scope => typeof scope === 'string')
  requireForm('scopes', isList && scopes.includes('openid'), 'a list of strings with "openid"')
  const [secret, file] = ['client_secret', 'client_secret_file'] as const
  requireForm(secret, !(secret in members && file in members), `absent beside "${file}"`)
  const secretFile = file in members ? resolve(dirname(path), text(file)) : undefined
  if (secretFile !== undefined) requireSecret(secretFile, `${place}: "${file}"`)
  return {
    name,
    title,
    issuer,
    clientId: text('client_id'),
    ...(secret in members && { clientSecret: text(secret) }),
    ...(secretFile !== undefined && { clientSecretFile: secretFile }),
    scopes: isList ? scopes : [],
    claims: {
      user: text('user_claim', 'preferred_username'),
      displayName: text('name_claim', 'name'),
      groups: text('groups_claim', 'groups'),
    },
  }
}

/** Throws if no login could find the secret in the file: it would be known at the first login only. */
function requireSecret(path: string, place: string): void {
  let secret: string
  try {
    secret = readFileSync(path, 'utf8').trim()
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : String(error)
    throw new UsageError(`${place}: ${path} cannot be read: ${code}`)
  }
  if (secret === '') throw new UsageError(`${place}: ${path} is empty`)
}

function isIssuer(text: string): boolean {
  if (!URL.canParse(text)) return false
  const url = new URL(text)
  return isSafeAddress(url) && url.search === '' && url.hash === '' && url.username === ''
}
