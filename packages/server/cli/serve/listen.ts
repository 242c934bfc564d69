// The address that a service listens on.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { systemCode } from '@hyperslab/base/files'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'

/** The port, a free one instead of 0. Throws if the address is in use. */
export async function requireFreeAddress(settings: Settings): Promise<number> {
  const probe = createServer()
  await listenWith(async address => {
    probe.listen(address)
    await once(probe, 'listening')
  }, settings)
  const address = probe.address()
  probe.close()
  await once(probe, 'close')
  return typeof address === 'object' && address !== null ? address.port : settings.port
}

/** A host as it is before a port. */
export function inAddress(host: string): string {
  return host.includes(':') ? `[${host}]` : host
}

type Address = Pick<Settings, 'host' | 'port'>

/** Listens; an address that cannot be used is an error with the remedy. */
export async function listenWith<T>(
  listen: (address: Address) => Promise<T>,
  { host, port }: Address,
): Promise<T> {
  try {
    return await listen({ host, port })
  } catch (error) {
    // Without IPv6, all networks are those of IPv4.
    if (host === '::' && systemCode(error) === 'EAFNOSUPPORT')
      return listenWith(listen, { host: '0.0.0.0', port })
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    const address = `${inAddress(host)}:${port}`
    if (code === 'EADDRINUSE') throw new UsageError(`${address} is in use; --port takes another port`, 1)
    if (code === 'EACCES')
      throw new UsageError(`this user may not listen on ${address}; --port takes another port`, 1)
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND') {
      throw new UsageError(`${host} is not an address of this machine`, 1)
    }
    throw error
  }
}
