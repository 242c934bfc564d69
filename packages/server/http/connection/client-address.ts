// The address of the client of a request: that of its connection, or, behind proxies that the operator names, the one
// that they report. Anybody can send the header of a proxy, so it counts only when a named proxy has sent it.

import type { IncomingHttpHeaders } from 'node:http'
import { BlockList, isIP, isIPv4, isIPv6 } from 'node:net'
import type { Caller } from '../../service/context.ts'

/** An address, or a network such as `10.0.0.0/8`. */
interface Network {
  readonly address: string
  readonly family: 'ipv4' | 'ipv6'
  /** The number of its first bits that addresses in it share. */
  readonly bits: number
}

/** Undefined: the text is no address and no network. */
export function parseNetwork(text: string): Network | undefined {
  const [address = '', bitsText, ...more] = text.split('/')
  const most = isIPv4(address) ? 32 : 128
  const bits = bitsText === undefined ? most : Number(bitsText)
  const isNumber = bitsText === undefined || /^\d{1,3}$/.test(bitsText)
  if (isIP(address) === 0 || address.includes('%') || !isNumber || bits > most || more.length > 0)
    return undefined
  return { address, family: most === 32 ? 'ipv4' : 'ipv6', bits }
}

export class TrustedProxies {
  readonly #networks = new BlockList()

  /** Throws if one of the strings is no network. */
  constructor(networks: readonly string[] = []) {
    for (const text of networks) {
      const network = parseNetwork(text)
      if (network === undefined) throw new TypeError(`${text} is no address and no network`)
      this.#networks.addSubnet(network.address, network.bits, network.family)
    }
  }

  /**
   * The address of the client. Each proxy appends the address that it has seen to `X-Forwarded-For`: from the end of
   * the list, the first one that is no named proxy is that of the client. What stands before it may be invented.
   */
  addressOf(headers: IncomingHttpHeaders, remoteAddress: string): string {
    let address = plainAddress(remoteAddress)
    const forwarded = String(headers['x-forwarded-for'] ?? '').split(',')
    while (this.#has(address)) {
      const before = plainAddress(forwarded.pop()?.trim() ?? '')
      if (isIP(before) === 0) break
      address = before
    }
    return address
  }

  #has(address: string): boolean {
    if (isIP(address) === 0) return false
    return this.#networks.check(address, isIPv6(address) ? 'ipv6' : 'ipv4')
  }
}

/** The address without a port, brackets and a zone, and one of IPv4 without the form of IPv6. */
function plainAddress(text: string): string {
  const withoutPort = /^\[(.*)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, '$1')
  return withoutPort.replace(/^::ffff:(?=[\d.]+$)/i, '').replace(/%.*$/, '')
}

/** The address, or its IPv6 network of 64 bits: a user with one address of that network has all of them. */
export function networkOf(address: string): string {
  if (!address.includes(':') || address.includes('.')) return address
  const [left, right] = address.split('::').map(part => part.split(':').filter(group => group !== ''))
  const zeros = right === undefined ? [] : Array<string>(8 - left.length - right.length).fill('0')
  return `${[...left, ...zeros, ...(right ?? [])].slice(0, 4).join(':')}::/64`
}

/** The name under which the requests of a caller count: that of the account, or else the address. */
export function callerKey({ name }: Pick<Caller, 'name'>, address: string): string {
  return name ?? `address ${networkOf(address)}`
}
