// Hypermedia links: `hrefs` is a list of {href, rel}, href first because old clients read them by position.

import type { NonFinite } from '@hyperslab/model/json'
import { COLLECTIONS, type DomainPath, type ObjectId, type ObjectReference } from '@hyperslab/model/names'
import { pathInBucket } from '../../service/domains/path-names.ts'

/** The address for which an answer is written, and from which its hrefs are made. */
export interface Place {
  /** `scheme://host`, as the client spelled the host, and `prefix`. */
  readonly base: string
  /** The path before those of the service: the prefix of proxies, and that of the share by which the request came. */
  readonly prefix: string
  /** The query that is appended to every href: the part that named the domain in the request, or empty. */
  readonly suffix: string
  readonly domain: DomainPath
  /** The name of the bucket that the domain is in. */
  readonly bucket: string
  /** Answers name the owners of domains and folders: not those below the address of a share. */
  readonly namesOwners: boolean
  /** The DNS name of the domain as the client gave it, without its port; for links to other domains. */
  readonly dnsName: string
  /** The end of all DNS names of domains. */
  readonly baseDomain: string
  /** The request names a table of contents. */
  readonly isContents: boolean
  /** The domain's root group; absent when the request is about a folder or no domain. */
  readonly root: ObjectId | undefined
  /** The form of non-finite numbers for this client (clients 9.6). */
  readonly nonFinite: NonFinite
  /** The version of the dialect's API, as answers report it. */
  readonly apiVersion: string
}

export interface Href {
  readonly href: string
  readonly rel: string
  readonly [name: string]: string
}

/** An href to a path of the service, naming the domain as the request did. */
export function hrefTo(place: Place, path: string): string {
  return place.base + path + place.suffix
}

/**
 * An address as a header has it: in ASCII. Other characters, from names in any script, and spaces are percent-encoded.
 */
export function addressInHeader(address: string): string {
  return address.replace(/[^\x21-\x7e]+/g, encodeURIComponent)
}

/** An href to a domain or folder by its path, with or without its bucket. */
export function hrefToDomain(place: Place, path: string): string {
  return `${place.base}/${suffixOf(path)}`
}

/** The place of another domain of the bucket, which hrefs have to name. */
export function placeIn(place: Place, domain: DomainPath, root: ObjectId): Place {
  if (domain === place.domain) return { ...place, root }
  return { ...place, domain, root, suffix: suffixOf(place.bucket + pathInBucket(domain)) }
}

function suffixOf(path: string): string {
  return `?domain=${path.split('/').map(encodeURIComponent).join('/')}`
}

export function link(place: Place, rel: string, path: string): Href {
  return { href: hrefTo(place, path), rel }
}

/** The link to the domain itself. */
export function homeLink(place: Place): Href {
  return link(place, 'home', '/')
}

/** `/datasets/<id>` with the id in the dialect's spelling. */
export function objectPath(object: ObjectReference, formatId: (object: ObjectReference) => string): string {
  return `/${COLLECTIONS[object.kind]}/${formatId(object)}`
}
