// The target of an external link in the classic dialect: always a DNS name (classic 11.3 and 11.4;
// specification 2.4 for the form of the address).

import { dnsNameOfExternalFile } from '../../../hdf5/domain-path.ts'
import type { Place } from '../hrefs.ts'

/** The stored domain of an external link, in DNS form. */
export function externalDnsName(place: Place, stored: string): string {
  return dnsNameOfExternalFile(stored, place.dnsName, place.baseDomain)
}

export function externalAddress(
  place: Place,
  target: { readonly h5domain: string; readonly h5path: string },
): string {
  const name = externalDnsName(place, target.h5domain)
  const scheme = place.base.slice(0, place.base.indexOf('://') + 3)
  const address = place.suffix.startsWith('?host=') ? `${place.base}/?host=${name}` : `${scheme}${name}/`
  return target.h5path === '/' ? address : `${address}#h5path(${target.h5path})`
}
