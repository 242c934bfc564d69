// Links in answers of the classic dialect (classic 6.5 to 6.8).

import { COLLECTIONS, type ObjectId } from '@hyperslab/model/names'
import type { LinkTarget, ListedLink } from '@hyperslab/store/store'
import { lazyList } from '../../../message/lazy-json.ts'
import { encodeName } from '../../../message/target.ts'
import { formatIsoSeconds } from '../../../message/times.ts'
import type { Body, Presentation } from '../../dialect.ts'
import { type Href, homeLink, hrefTo, link, type Place } from '../../hrefs.ts'
import { formatUuid } from '../../ids.ts'
import { dnsNameOfExternalFile } from '../dns-names.ts'
import { groupPath, objectPath, rootLink } from './paths.ts'

/** The members of a link. Written out for each class, see `groups`. */
function linkMembers(place: Place, { title, target }: ListedLink): Body {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return { title, class: target.class, collection: COLLECTIONS[target.kind], id: formatUuid(target.id) }
    case 'H5L_TYPE_SOFT':
      return { title, class: target.class, h5path: target.h5path }
    case 'H5L_TYPE_EXTERNAL': {
      const h5domain = externalDnsName(place, target)
      return { title, class: target.class, h5path: target.h5path, h5domain }
    }
    case 'H5L_TYPE_USER_DEFINED':
      return { title, class: target.class }
    case 'H5L_TYPE_ERROR':
      return { title, class: target.class, unreadable: target.reason.message }
  }
}

/** The address of `rel: target`; a user-defined link has none (specification 2.4). */
function targetAddress(place: Place, target: ListedLink['target']): string | undefined {
  switch (target.class) {
    case 'H5L_TYPE_HARD':
      return hrefTo(place, objectPath(target))
    case 'H5L_TYPE_SOFT':
      return `${hrefTo(place, '/')}#h5path(${target.h5path})`
    case 'H5L_TYPE_EXTERNAL':
      return externalAddress(place, target)
    case 'H5L_TYPE_USER_DEFINED':
    case 'H5L_TYPE_ERROR':
      return undefined
  }
}

function linkPath(group: ObjectId, title: string): string {
  return `${groupPath(group)}/links/${encodeName(title)}`
}

function hrefsOf(place: Place, group: ObjectId, self: string): Href[] {
  return [link(place, 'self', self), rootLink(place), homeLink(place), link(place, 'owner', groupPath(group))]
}

export const linkAnswers: Presentation['links'] = {
  list(place, group, links) {
    const path = groupPath(group)
    return {
      links: lazyList(links, item => linkAnswers.item(place, group, item)),
      hrefs: hrefsOf(place, group, `${path}/links`),
    }
  },

  /** Hard and external links have the address of their target (classic 6.5). */
  item(place, group, item) {
    const { target } = item
    const hasAddress = target.class === 'H5L_TYPE_HARD' || target.class === 'H5L_TYPE_EXTERNAL'
    return {
      ...linkMembers(place, item),
      href: hrefTo(place, linkPath(group, item.title)),
      target: hasAddress ? targetAddress(place, target) : undefined,
    }
  },

  shown(place, group, item) {
    const target = targetAddress(place, item.target)
    const time = formatIsoSeconds(item.created)
    const hrefs = hrefsOf(place, group, linkPath(group, item.title))
    if (target !== undefined) hrefs.push({ href: target, rel: 'target' })
    return {
      link: linkMembers(place, item),
      created: time,
      lastModified: time,
      hrefs,
    }
  },

  put(place, group, title) {
    return {
      hrefs: hrefsOf(place, group, linkPath(group, title)),
    }
  },

  deleted(place, group) {
    return { hrefs: [rootLink(place), homeLink(place), link(place, 'owner', groupPath(group))] }
  },
}

type ExternalTarget = Extract<LinkTarget, { readonly class: 'H5L_TYPE_EXTERNAL' }>

/** The domain of an external link, as a DNS name (classic 11.3): where its file was found, else where its text says. */
function externalDnsName(place: Place, { h5domain, foundAt }: ExternalTarget): string {
  // A relative path says by its slash that it is one.
  const isRelative = foundAt !== undefined && !foundAt.startsWith('/')
  return dnsNameOfExternalFile(
    isRelative ? `./${foundAt}` : (foundAt ?? h5domain),
    place.dnsName,
    place.baseDomain,
  )
}

/** Its address (specification 2.4). */
function externalAddress(place: Place, target: ExternalTarget): string {
  const name = externalDnsName(place, target)
  const scheme = place.base.slice(0, place.base.indexOf('://') + 3)
  const isInQuery = place.isContents || place.suffix.startsWith('?host=')
  const address = isInQuery ? `${place.base}/?host=${name}` : `${scheme}${name}${place.prefix}/`
  return target.h5path === '/' ? address : `${address}#h5path(${target.h5path})`
}
