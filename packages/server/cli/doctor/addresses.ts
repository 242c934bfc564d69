// Checks of the network: the address to listen on, the public address with its certificate, and
// settings for proxies, in front of the service and behind it.

import { isRemoteSource } from '@hyperslab/files/mounts'
import { isLoopbackHost } from '../../http/auth/hosts.ts'
import { inAddress, requireFreeAddress } from '../serve/listen.ts'
import type { Settings } from '../settings/table.ts'
import { type Finding, note, ok, reasonOf, withinTime, wrong } from './finding.ts'

/** Seconds that an address has to answer. */
const ANSWER_SECONDS = 5
/** Seconds for which nginx, the shortest of the usual proxies, keeps a connection. */
const PROXY_KEEPS = 60

/** The answer to a GET, as far as it counts. */
export interface Answer {
  readonly status: number
  readonly isHyperslab: boolean
}

export type Ask = (address: string) => Promise<Answer>

/** Asks an address; rejects with the reason, which `fetch` hides in the cause. */
export async function ask(address: string): Promise<Answer> {
  try {
    const answer = await withinTime(ANSWER_SECONDS, signal => fetch(address, { signal, redirect: 'manual' }))
    await answer.body?.cancel()
    return { status: answer.status, isHyperslab: answer.headers.get('server') === 'Hyperslab' }
  } catch (error) {
    throw error instanceof Error && error.cause instanceof Error ? error.cause : error
  }
}

/** Whether the service can listen, or listens already. */
export async function checkPort(settings: Settings, get: Ask = ask): Promise<Finding> {
  const subject = 'port'
  const address = `${inAddress(settings.host)}:${settings.port}`
  if (settings.port === 0) return ok(subject, 'a free one is taken')
  try {
    await requireFreeAddress(settings)
    return ok(subject, `${address} is free`)
  } catch (error) {
    const answer = await answerOf(settings, get)
    if (answer?.isHyperslab) return ok(subject, `a service of Hyperslab answers at ${address}`)
    return wrong(subject, `${reasonOf(error)}${answer ? ' (another program answers there)' : ''}`)
  }
}

/** Addresses at which this machine reaches the service; one of them may be off. */
function localAddresses({ host, port }: Settings): readonly string[] {
  const locals = host === '0.0.0.0' ? ['127.0.0.1'] : host === '::' ? ['127.0.0.1', '::1'] : [host]
  return locals.map(local => `http://${inAddress(local)}:${port}`)
}

async function answerOf(settings: Settings, get: Ask): Promise<Answer | undefined> {
  for (const address of localAddresses(settings)) {
    const answer = await get(`${address}/health`).catch(() => undefined)
    if (answer !== undefined) return answer
  }
  return undefined
}

/** Whether clients reach the service at its public address, and the certificate there is good. */
export async function checkPublicUrl(settings: Settings, get: Ask = ask): Promise<Finding> {
  const { publicUrl, host } = settings
  const subject = 'public_url'
  if (publicUrl === '') {
    return isLoopbackHost(host)
      ? ok(subject, 'not set: clients are on this machine, or their proxy hands Host on')
      : note(
          subject,
          'not set, and the service has no TLS',
          'put a proxy with TLS in front, and set its address',
        )
  }
  const url = new URL(publicUrl)
  try {
    const { status, isHyperslab } = await get(`${publicUrl}/health`)
    if (status >= 500) return note(subject, `${publicUrl} is ${status}`, 'start the service behind the proxy')
    if (!isHyperslab && status !== 200)
      return wrong(subject, `${publicUrl}/health is ${status}`, 'let the proxy hand all paths on')
  } catch (error) {
    return wrong(subject, `${publicUrl} cannot be used (${reasonOf(error)})`, remedyOf(error))
  }
  if (url.protocol === 'http:' && !isLoopbackHost(url.host))
    return note(subject, `${publicUrl} answers without TLS`, 'passwords are sent as they are; use https')
  return ok(
    subject,
    `${publicUrl} answers${url.protocol === 'https:' ? ', and its certificate is good' : ''}`,
  )
}

/** The remedy for a request that failed. */
function remedyOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (/CERT|SELF_SIGNED|UNABLE_TO|ALTNAME/.test(code))
    return 'renew the certificate with its whole chain, or give its authority in NODE_EXTRA_CA_CERTS'
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN') return 'correct the name, or its entry in the DNS'
  return 'start the proxy, or correct the address'
}

const PROXY_VARIABLES = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY']

/** Proxies in front, which keep connections, and those behind, which the service does not use. */
export function checkProxies(
  settings: Pick<Settings, 'keepAliveTimeout' | 'blobs' | 'mount' | 'tokenKeys' | 'loginProviders'>,
  environment: NodeJS.ProcessEnv,
): readonly Finding[] {
  const { keepAliveTimeout, blobs, mount, tokenKeys, loginProviders } = settings
  const subject = 'proxies'
  const used = PROXY_VARIABLES.find(name => environment[name] || environment[name.toLowerCase()])
  const asksOthers =
    blobs.kind === 's3' ||
    loginProviders !== '' ||
    /^https?:/i.test(tokenKeys) ||
    mount.some(({ source }) => isRemoteSource(source))
  const findings = [
    ...(used !== undefined && asksOthers
      ? [
          note(
            subject,
            `${used} is set, but the service asks buckets, web servers and providers directly`,
            'let them be reached without a proxy',
          ),
        ]
      : []),
    ...(keepAliveTimeout <= PROXY_KEEPS
      ? [
          note(
            subject,
            `keep_alive_timeout is ${keepAliveTimeout} s, and proxies in front keep connections for longer`,
            'set more than nginx (60), Traefik (90), Caddy (120) or Google (600) keep them',
          ),
        ]
      : []),
  ]
  if (findings.length > 0) return findings
  return [
    ok(subject, `connections are kept for ${keepAliveTimeout} s, longer than those of proxies in front`),
  ]
}
