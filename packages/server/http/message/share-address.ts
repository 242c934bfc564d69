// The address of a share: `/s/SECRET/` before the path of any request (docs/decisions/083). It works for clients that
// can send no header, and addresses that are relative stay below it. The secret is taken off the request before
// anything else reads it, so no log and no message has it.

import type { IncomingMessage } from 'node:http'

const START = '/s/'
/** Programs that join the address and a path may write two slashes. */
const SHARED = /^\/s\/([^/?]*)(\/*)(.*)$/s

/** The share of a request. */
export interface SentShare {
  readonly secret: string
  /** The path before those of the service. */
  readonly prefix: string
  /** False: the address ends with the secret, so addresses relative to it would leave the share. */
  readonly hasSlash: boolean
}

const shares = new WeakMap<IncomingMessage, SentShare>()

/** Takes the share off the address of a request. Must be called once, before its address is read. */
export function takeShare(request: IncomingMessage): void {
  if (!request.url?.startsWith(START)) return
  const [, secret = '', slash = '', rest = ''] = SHARED.exec(request.url) ?? []
  shares.set(request, { secret, prefix: START + secret, hasSlash: slash !== '' })
  request.url = `/${rest}`
}

export function shareOf(request: IncomingMessage): SentShare | undefined {
  return shares.get(request)
}

export function sharePrefix(secret: string): string {
  return START + secret
}

/**
 * Text without the secrets of shares and tokens that it may have, wherever a client has put them: words of 43
 * characters in which the last two bits are none (`newSecret`), and the beginning of one, where the text was cut, after
 * what precedes secrets in addresses and tokens.
 */
export function withoutSecrets(text: string): string {
  if (!/[\w-]{20}/.test(text)) return text
  return text.replace(PRECEDED, '$1...').replace(SECRET_WORD, (word, start = '') =>
    // Random letters are of both cases; ids and digests in hexadecimal digits are not.
    /[a-z]/.test(word) && /[A-Z]/.test(word) ? `${start}...` : word,
  )
}

/** `%2F` before a secret is a slash, and no part of it; in text that was encoded twice it is `%252F`. */
const SLASH = '(?:\\/|%(?:25)*2f)'
const PRECEDED = new RegExp(`((?:${SLASH}|\\b)(?:s|%(?:25)*73)${SLASH}|\\bhyperslab_)[\\w-]{20,}`, 'gi')
const SECRET_WORD = /(%[\dA-Fa-f]{2}|(?<![\w-]))[\w-]{42}[AEIMQUYcgkosw048](?![\w-])/g

/** A path without a secret that it may have in the wrong place, for logs and messages. */
export function withoutSecret(path: string): string {
  return path.replace(/(\/|%2f)(s|%73)(\/|%2f)[^/?]+/gi, '$1$2$3...')
}
