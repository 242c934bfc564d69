// Domain paths, the one name of a domain or folder: `/home/ann/run7`. The classic dialect spells them as DNS names,
// `run7.ann.home.<base domain>`: components reversed, with %XX for dots and other characters that a host label cannot
// contain. Both spellings name the same domains, and each follows from the other (common 3; classic 11).
//
// Buckets are namespaces beside each other, each with a top level of its own (hsds-objects 1.2). A path in the default
// bucket is alone; one in another begins with the bucket's name, `archive/home/ann/run7`, and has no DNS name.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '../json/json.ts'
import { isUtf8LongerThan, isWellFormed } from './utf8.ts'

/**
 * The bucket and `/`, or `/` before each of one or more components. A component is text of 1 to 255 bytes, is neither
 * `.` nor `..`, and holds no slash, backslash or NUL. Made by the functions of this file only.
 */
export type DomainPath = string & { readonly __path: 'DomainPath' }

/** The beginning of paths in a bucket: its name, which has no slash, or nothing for the default bucket. */
export type Bucket = string & { readonly __bucket: 'Bucket' }

export const DEFAULT_BUCKET = '' as Bucket

/** The top-level folder of the default bucket; as a DNS name it is the base domain itself. */
export const ROOT_FOLDER = '/' as DomainPath

const BUCKET_NAME = /^[\w.-]+$/

export function isBucketName(text: string): boolean {
  return BUCKET_NAME.test(text)
}

export function topLevelOf(bucket: Bucket): DomainPath {
  return `${bucket}/` as DomainPath
}

export function isTopLevel(path: DomainPath): boolean {
  return path.endsWith('/')
}

export function bucketOf(path: DomainPath): Bucket {
  return path.slice(0, path.indexOf('/')) as Bucket
}

/** The path as clients write it beside the bucket: `/home/ann/run7`. */
export function pathInBucket(path: DomainPath): string {
  return path.slice(path.indexOf('/'))
}

/** Bytes of one component of a domain path. @limit safety, bytes */
export const MAX_COMPONENT_BYTES = 255
/** Bytes of a domain path. @limit safety, bytes */
export const MAX_PATH_BYTES = 4096

/** The extension of HDF5 files, which the DNS name of a domain may leave out. */
export const FILE_EXTENSION = '.h5'

/** A name for the file of a domain: that of the domain, with `.h5` if it has no extension. */
export function fileNameOf(path: DomainPath): string {
  const name = nameOf(path)
  return name.lastIndexOf('.') > 0 ? name : name + FILE_EXTENSION
}

/** The path in the bucket that is spelled `/home/ann/run7` or `hdf5://home/ann/run7`. */
export function parseDomainPath(text: string, bucket = DEFAULT_BUCKET): DomainPath {
  const path = withoutScheme(text)
  if (path === '/') return topLevelOf(bucket)
  if (!path.startsWith('/')) throw malformedDomain(text, 'a domain path must start with "/"')
  if (path.endsWith('/')) throw malformedDomain(text, 'a domain path must not end with "/"')
  return joinComponents(bucket, path.slice(1).split('/'), text)
}

/**
 * The domain that an external link names, in the bucket of the domain that holds the link: by its path or, without a
 * slash at the beginning, from the folder of that domain (hsds-objects 8.7 and 11.1), with `..` as in names of files.
 */
export function parseLinkedDomain(text: string, holder: DomainPath): DomainPath {
  const path = withoutScheme(text)
  const components = path.startsWith('/') ? [] : componentsOf(parentOf(holder))
  for (const component of path.split('/')) {
    if (component === '..') components.pop()
    else if (component !== '' && component !== '.') components.push(component)
  }
  if (components.length === 0) throw malformedDomain(text, 'it names the top level, which is a folder')
  return joinComponents(bucketOf(holder), components, text)
}

/** The folder that holds the domain or folder. A top-level folder is its own parent. */
export function parentOf(path: DomainPath): DomainPath {
  const end = path.lastIndexOf('/')
  return path.slice(0, end === path.indexOf('/') ? end + 1 : end) as DomainPath
}

/** The last component; empty for a top-level folder. */
export function nameOf(path: DomainPath): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Whether the path is the folder or is below it. */
export function isWithin(folder: DomainPath, path: DomainPath): boolean {
  return path === folder || path.startsWith(isTopLevel(folder) ? folder : `${folder}/`)
}

/**
 * The names that lead from the folder to the path; none if they are the same. Undefined: the path is not within the
 * folder.
 */
export function namesBelow(folder: DomainPath, path: DomainPath): readonly string[] | undefined {
  return isWithin(folder, path) ? componentsOf(path).slice(componentsOf(folder).length) : undefined
}

export function childOf(folder: DomainPath, name: string): DomainPath {
  return joinComponents(bucketOf(folder), [...componentsOf(folder), name], name)
}

/** The same; undefined: the name is none that a domain can have, or too long there. */
export function childIfValid(folder: DomainPath, name: string): DomainPath | undefined {
  try {
    return childOf(folder, name)
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
}

/**
 * The path of a DNS name as it is in a Host header, port and all (classic 11.1, steps 1 to 7). The base
 * domain, a single label and an IP address denote the top-level folder.
 */
export function parseDnsName(name: string, baseDomain: string): DomainPath {
  const host = withoutPort(name)
  if (!host.includes('.') || isIpAddress(host) || isSameHost(host, baseDomain)) return ROOT_FOLDER
  const labelsEnd = host.length - baseDomain.length
  if (labelsEnd <= 0 || !isSameHost(host.slice(labelsEnd), baseDomain)) {
    throw new HyperslabError(
      'foreign-domain',
      `the domain ${excerpt(name)} is not below ${baseDomain}: a DNS name ends with it, a path begins with a slash`,
    )
  }
  if (host[labelsEnd - 1] !== '.') throw malformedDomain(name, `a dot must precede ${baseDomain}`)
  const labels = host.slice(0, labelsEnd - 1).split('.')
  if (labels.includes('')) throw malformedDomain(name, 'no label of it may be empty')
  return joinComponents(
    DEFAULT_BUCKET,
    labels.reverse().map(label => decodeLabel(label, name)),
    name,
  )
}

/**
 * Whether the host of an address can be a name of the service only: `localhost`, an IP address, the base domain or a
 * name below it. Any other name may belong to another site, also one that resolves to this service.
 */
export function isOwnHost(host: string, baseDomain: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return name === 'localhost' || isIpAddress(name) || isDomainHost(host, baseDomain)
}

/** Whether the host of an address, with or without its port, is this machine for every client. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^(\[[^\]]*\]|[^:]*):\d*$/, '$1')
  return (
    name === 'localhost' ||
    name === '::1' ||
    name === '[::1]' ||
    (isIpAddress(name) && name.startsWith('127.'))
  )
}

/**
 * Whether the host of an address is the base domain or a name below it: such a name is that of a domain of the service.
 */
export function isDomainHost(host: string, baseDomain: string): boolean {
  return `.${host.toLowerCase().replace(/:\d*$/, '')}`.endsWith(`.${baseDomain.toLowerCase()}`)
}

/** The DNS name of a path in the default bucket. */
export function formatDnsName(path: DomainPath, baseDomain: string): string {
  return [...componentsOf(path).reverse().map(encodeLabel), baseDomain].join('.')
}

const OTHER_HOST = /\.(org|edu|com|gov|net|mil)$/

/**
 * The DNS name of the file that an external link names, seen from the domain that holds the link (classic 11.3). A
 * relative file is looked for beside that domain; a name that looks like a DNS name is unchanged; a percent sign
 * represents itself, since the text may be encoded already.
 */
export function dnsNameOfExternalFile(text: string, currentDnsName: string, baseDomain: string): string {
  const file = withoutScheme(text)
  const dot = currentDnsName.indexOf('.')
  const isTop = dot < 0 || isSameHost(currentDnsName, baseDomain)
  const folder = escapeHost(isTop ? currentDnsName : currentDnsName.slice(dot + 1))
  if (!file.includes('/') && !file.endsWith(FILE_EXTENSION)) {
    const name = escapeHost(file)
    const isComplete = OTHER_HOST.test(file) || file.toLowerCase().endsWith(baseDomain.toLowerCase())
    return isComplete ? name : `${name}.${folder}`
  }
  return fileToDnsName(file, file.startsWith('/') ? baseDomain : folder, baseDomain)
}

function fileToDnsName(file: string, start: string, baseDomain: string): string {
  let name = start
  for (const component of file.split('/')) {
    if (component === '..') {
      if (!isSameHost(name, baseDomain)) name = name.slice(name.indexOf('.') + 1)
    } else if (component !== '' && component !== '.') {
      name = `${escapeHost(component).replaceAll('.', '%2E')}.${name}`
    }
  }
  const extension = FILE_EXTENSION.replaceAll('.', '%2E')
  const first = name.split('.', 1)[0] ?? ''
  return first.endsWith(extension) ? first.slice(0, -extension.length) + name.slice(first.length) : name
}

/**
 * Escapes like in a query string: a space is `+`, characters that URLs do not allow are %XX, and a percent sign is
 * kept.
 */
function escapeHost(text: string): string {
  return encodeURIComponent(toWellFormed(text)).replaceAll('%25', '%').replaceAll('%20', '+')
}

function toWellFormed(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\ufffd')
}

function componentsOf(path: DomainPath): string[] {
  return isTopLevel(path) ? [] : path.slice(path.indexOf('/') + 1).split('/')
}

function joinComponents(bucket: Bucket, components: readonly string[], source: string): DomainPath {
  for (const component of components) checkComponent(component, source)
  const path = `${bucket}/${components.join('/')}`
  if (isUtf8LongerThan(path, MAX_PATH_BYTES)) {
    throw malformedDomain(source, `a domain path must take at most ${MAX_PATH_BYTES} bytes of UTF-8`)
  }
  return path as DomainPath
}

function checkComponent(component: string, source: string): void {
  if (component === '') throw malformedDomain(source, 'no component of it may be empty')
  if (component === '.' || component === '..')
    throw malformedDomain(source, `no component of it may be "${component}"`)
  if (/[/\\\0]/.test(component)) throw malformedDomain(source, 'no component of it may hold "/", "\\" or NUL')
  if (!isWellFormed(component)) throw malformedDomain(source, 'it must not hold half of a surrogate pair')
  if (isUtf8LongerThan(component, MAX_COMPONENT_BYTES)) {
    throw malformedDomain(source, `a component of it must take at most ${MAX_COMPONENT_BYTES} bytes of UTF-8`)
  }
}

/** `hdf5://home/x` is `/home/x` (hsds-objects 1.1). */
function withoutScheme(text: string): string {
  return text.startsWith('hdf5:/') ? text.slice('hdf5:/'.length) : text
}

function withoutPort(name: string): string {
  if (name.startsWith('[')) return name.replace(/\]:\d*$/, ']')
  const colon = name.lastIndexOf(':')
  return colon > 0 ? name.slice(0, colon) : name
}

function isIpAddress(host: string): boolean {
  if (/^\[[0-9a-fA-F:.]+\]$/.test(host)) return true
  const numbers = host.split('.')
  return numbers.length === 4 && numbers.every(number => /^\d{1,3}$/.test(number) && Number(number) <= 255)
}

function isSameHost(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function encodeLabel(component: string): string {
  return encodeURIComponent(component).replaceAll(/[.!~*'()]/g, mark => `%${hexOf(mark)}`)
}

function hexOf(mark: string): string {
  return mark.charCodeAt(0).toString(16).toUpperCase()
}

function decodeLabel(label: string, source: string): string {
  if (!label.includes('%')) return label
  try {
    return decodeURIComponent(label)
  } catch (error) {
    if (!(error instanceof URIError)) throw error
    throw malformedDomain(source, 'a percent sign must be followed by two hexadecimal digits of a UTF-8 byte')
  }
}

function malformedDomain(text: string, rule: string): HyperslabError {
  return new HyperslabError('malformed-domain', `the domain ${excerpt(text)} is malformed: ${rule}`)
}
