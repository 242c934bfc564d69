// Files of the service that the browser saves.

import { nameOf } from './address.ts'
import type { Session } from './session.ts'

/** Saves a domain as an HDF5 file. */
export async function downloadDomain({ client, user }: Session, domain: string): Promise<void> {
  if (user === undefined) {
    save(client.url('GET /', { domain, format: 'hdf5' }), '')
    return
  }
  // A link carries no credentials.
  const blob = await (await client.domain(domain).download()).blob()
  const url = URL.createObjectURL(blob)
  const name = nameOf(domain)
  save(url, /\.(h5|hdf5|nc|nxs)$/i.test(name) ? name : `${name}.h5`)
  // The browser reads it while it saves.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

/** The name that the answer suggests counts before the given one. */
function save(url: string, name: string): void {
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
}
