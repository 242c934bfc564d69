// The public keys of an identity provider: from a file, which is read again when it changes, or from the address of a
// key set (JWKS) or of an OpenID discovery document, which is fetched again for an unknown key and every ten minutes,
// but not often. If the file cannot be read, or the provider does not answer, requests with tokens get 503 after at
// most a few seconds.

import { createPublicKey } from 'node:crypto'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  createLocalJWKSet,
  createRemoteJWKSet,
  customFetch,
  errors,
  type FetchImplementation,
  type JSONWebKeySet,
  type JWTVerifyGetKey,
} from 'jose'
import { FollowedFile } from '../../accounts/followed-file.ts'
import type { TokenSettings } from '../../http/auth/tokens.ts'
import { UsageError } from '../usage-error.ts'

export type TokenKeys = Pick<TokenSettings, 'keyOf' | 'issuer'>

/** The timeout of requests to the provider. */
const TIMEOUT_MS = 5000

/** `source` is the setting: a URL, or else a file. */
export function openTokenKeys(
  source: string,
  report: (error: unknown) => void,
  timeoutMs = TIMEOUT_MS,
): TokenKeys {
  return /^https?:\/\//i.test(source) ? keysAt(source, report, timeoutMs) : keysIn(source, report)
}

function keysIn(path: string, report: (error: unknown) => void): TokenKeys {
  const file = new FollowedFile(path, bytes => keysOf(bytes && new TextDecoder().decode(bytes), path), report)
  file.read()
  const keys = (): JWTVerifyGetKey => {
    try {
      return file.read()
    } catch (cause) {
      const message = 'the server cannot read the keys of tokens: try again later; its log has the reason'
      throw new HyperslabError('token-keys-unavailable', message, { cause, retryAfter: 5 })
    }
  }
  return { keyOf: async (header, token) => keys()(header, token), issuer: () => undefined }
}

function keysOf(text: string | undefined, path: string): JWTVerifyGetKey {
  if (text === undefined) throw new UsageError(`there is no file ${path}`, 1)
  try {
    return text.trimStart().startsWith('{') ? keysOfSet(text) : keyOfPem(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`${path} contains no keys of tokens: ${reason}`, 1)
  }
}

/** A JWKS, or a single JWK. */
function keysOfSet(text: string): JWTVerifyGetKey {
  const json: JSONWebKeySet | { readonly kty?: unknown } = JSON.parse(text)
  return createLocalJWKSet(
    'kty' in json ? { keys: [json as JSONWebKeySet['keys'][number]] } : (json as JSONWebKeySet),
  )
}

/** The key of a PEM file applies to every token, whatever its `kid` is. */
function keyOfPem(text: string): JWTVerifyGetKey {
  const labels = [...text.matchAll(/^-----BEGIN ([A-Z ]+)-----/gm)].map(([, label]) => label)
  if (labels.length !== 1) throw new Error('a PEM file must contain one public key; use a JWKS for several')
  if (labels[0]?.includes('PRIVATE')) throw new Error('it is a private key: give the public one')
  const key = createPublicKey(text)
  return async () => key
}

/** The time without further requests to a provider that failed. */
const PAUSE_MS = 5000

function keysAt(address: string, report: (error: unknown) => void, timeoutDuration: number): TokenKeys {
  const url = new URL(address)
  let issuer: string | undefined
  let failedAt = Number.NEGATIVE_INFINITY

  /** The key set: the document at the address or, if that is a discovery document, the one at its `jwks_uri`. */
  const fetchKeys: FetchImplementation = async (given, { signal, headers }) => {
    if (SYSTEM_CLOCK.elapsed() < failedAt + PAUSE_MS) throw new Error('it failed a moment ago')
    try {
      const document = await fetchJson(given, { signal, headers })
      const isDiscovery = typeof document.jwks_uri === 'string'
      const keys = isDiscovery ? await fetchJson(String(document.jwks_uri), { signal, headers }) : document
      // Throws if it is not a key set.
      createLocalJWKSet(keys as unknown as JSONWebKeySet)
      if (isDiscovery && typeof document.issuer === 'string') issuer = document.issuer
      return Response.json(keys)
    } catch (error) {
      failedAt = SYSTEM_CLOCK.elapsed()
      report(error)
      throw error
    }
  }
  const keyOf = createRemoteJWKSet(url, { timeoutDuration, [customFetch]: fetchKeys })

  return {
    async keyOf(header, token) {
      try {
        return await keyOf(header, token)
      } catch (error) {
        if (error instanceof errors.JWKSNoMatchingKey || error instanceof errors.JWKSMultipleMatchingKeys)
          throw error
        throw new HyperslabError(
          'token-keys-unavailable',
          'the identity provider does not answer: try again later, or log in with a password',
          { cause: error },
        )
      }
    },
    issuer: () => issuer,
  }
}

async function fetchJson(
  url: string,
  options: { readonly signal: AbortSignal; readonly headers: Headers },
): Promise<Record<string, unknown>> {
  const answer = await fetch(url, options)
  if (!answer.ok) throw new Error(`${url} answers ${answer.status}`)
  const json: unknown = await answer.json()
  if (typeof json !== 'object' || json === null)
    throw new Error(`${url} answers with JSON that is not an object`)
  return { ...json }
}
