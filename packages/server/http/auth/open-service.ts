// An open service: until its first account is made, and while it listens on this machine only, every caller may do
// everything, with any credentials or none (docs/decisions/098). Requests that pages of other origins, other names of
// this machine or proxies have to do with do not count among them: their senders may be elsewhere.

import type { IncomingMessage } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Accounts } from '../../service/accounts.ts'
import type { Caller } from '../../service/context.ts'
import { mayUseSession, type Origins } from '../exchange/cors.ts'
import { isDomainHost, isLoopbackHost } from './hosts.ts'

/** Headers that proxies add to the requests that they pass on: of all, and of single ones and of clouds. */
const OF_PROXIES = /^(forwarded.*|via|cdn-loop|x-(forwarded|original|envoy)(-.*)?|(.*-)?client-?ip|.*-ip)$/

type SentRequest = Pick<IncomingMessage, 'headers' | 'httpVersion' | 'method' | 'socket'>

/** Whether the request was sent by a program of this machine, or by a page of this service in a browser of it. */
export function isOfThisMachine(
  { headers, httpVersion, method, socket }: SentRequest,
  origins: Origins,
  baseDomain: string,
): boolean {
  if (!isLoopbackHost(socket.remoteAddress?.replace(/^::ffff:/, '') ?? '')) return false
  // nginx passes requests on with HTTP/1.0 and without such a header, unless its settings say otherwise.
  if (httpVersion === '1.0' || Object.keys(headers).some(name => OF_PROXIES.test(name))) return false
  const { host = '', origin } = headers
  if (isLoopbackHost(host)) return mayUseSession({ headers }, origins)
  // A program names a domain by the header `Host` (classic 3.1). In a browser the name may lead to this machine only
  // because another site wants that (DNS rebinding), and tells that a page asks by `Origin` alone, which reads lack.
  const mayBeBrowser =
    method === 'GET' || method === 'HEAD' || origin !== undefined || headers['sec-fetch-site'] !== undefined
  return !mayBeBrowser && isDomainHost(host, baseDomain)
}

/** True when there has been no account yet. While the accounts cannot be read there may be some. */
export function isUnused(accounts: Pick<Accounts, 'areUnused'>): boolean {
  try {
    return accounts.areUnused()
  } catch (error) {
    if (error instanceof HyperslabError && error.code === 'accounts-unavailable') return false
    throw error
  }
}

/** A caller of an open service, until the first account is made. */
export function callerOfOpenService(accounts: Pick<Accounts, 'areUnused' | 'refresh'>): Caller {
  const renew = async () => {
    await accounts.refresh()
    if (isUnused(accounts)) return caller
    throw new HyperslabError('not-authenticated', 'the service has accounts now: send credentials')
  }
  const caller: Caller = { groups: [], admin: true, login: { id: 'open', renew } }
  return caller
}
