// The target of an external link in the classic dialect: always a DNS name (classic 11.3 and 11.4;
// specification 2.4 for the form of the address).

import type { LinkTarget } from '@hyperslab/store/store'
import type { Place } from '../hrefs.ts'
import { dnsNameOfExternalFile } from './dns-names.ts'

type ExternalTarget = Extract<LinkTarget, { readonly class: 'H5L_TYPE_EXTERNAL' }>

/** The domain of an external link, in DNS form: where its file was found, else where its text says. */
export function externalDnsName(place: Place, { h5domain, foundAt }: ExternalTarget): string {
  // A relative path says by its slash that it is one.
  const isRelative = foundAt !== undefined && !foundAt.startsWith('/')
  return dnsNameOfExternalFile(
    isRelative ? `./${foundAt}` : (foundAt ?? h5domain),
    place.dnsName,
    place.baseDomain,
  )
}

export function externalAddress(place: Place, target: ExternalTarget): string {
  const name = externalDnsName(place, target)
  const scheme = place.base.slice(0, place.base.indexOf('://') + 3)
  const isInQuery = place.isContents || place.suffix.startsWith('?host=')
  const address = isInQuery ? `${place.base}/?host=${name}` : `${scheme}${name}/`
  return target.h5path === '/' ? address : `${address}#h5path(${target.h5path})`
}
