// Files of the service that the browser saves. A link leads to them, so the browser writes them to the disk as they
// come, and shows how far it is; with the link it sends the cookie of the session.

import type { Session } from '../shell/session.ts'

/** Begins to save a domain as an HDF5 file. The answer has its name. */
export async function downloadDomain({ client }: Session, domain: string): Promise<void> {
  // The browser shows no reason when a link fails: this does, and asks for a login if the session has ended.
  await client.domain(domain).describe()
  save(client.url('GET /', { domain, format: 'hdf5' }))
}

/** The name is that of the answer, unless there is one here. */
export function save(address: string, name = ''): void {
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
}
