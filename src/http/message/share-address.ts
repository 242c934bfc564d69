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

/** A path without a secret that it may have in the wrong place, for logs and messages. */
export function withoutSecret(path: string): string {
  return path.replace(/(\/|%2f)(s|%73)(\/|%2f)[^/?]+/gi, '$1$2$3...')
}
