// Chooses the dialect of a request, and parses the name of its domain (common 1), from its target and headers alone.

import type { IncomingHttpHeaders } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import type { NonFinite } from '@hyperslab/model/json'
import {
  type Bucket,
  childIfValid,
  childOf,
  DEFAULT_BUCKET,
  type DomainPath,
  FILE_EXTENSION,
  hasIdPrefix,
  isCollection,
  isTopLevel,
  nameOf,
  type ObjectId,
  parentOf,
  parseDnsName,
  parseDomainPath,
  ROOT_FOLDER,
  topLevelOf,
} from '@hyperslab/model/names'
import type { ContentsOf } from '../../service/model.ts'
import type { Request } from '../message/message.ts'
import { rawParameter, type Target } from '../message/target.ts'
import { bucketName, bucketNamed, parseBucketPath } from './buckets.ts'
import type { Dialect, Naming, NamingSettings } from './dialect.ts'
import type { Place } from './hrefs.ts'

export interface Dialects {
  readonly classic: Dialect
  readonly hsds: Dialect
}

/** Paths that only the hsds dialect has. */
const HSDS_PATHS: ReadonlySet<string> = new Set(['/about', '/domains'])

export function chooseDialect(target: Target, headers: IncomingHttpHeaders, dialects: Dialects): Dialect {
  const domain = target.query.get('domain')
  const isHsds =
    domainHeader(headers) !== undefined ||
    headers['x-hdf-bucket'] !== undefined ||
    // A path, alone or after hdf5:/ or the name of a bucket (clients 2.1).
    domain?.includes('/') ||
    (domain === null && target.query.has('bucket') && !target.query.has('host')) ||
    (isCollection(target.segments[0] ?? '') && hasIdPrefix(target.segments[1] ?? '')) ||
    HSDS_PATHS.has(target.path) ||
    target.path.startsWith('/h5/') ||
    target.path.startsWith('/zarr/')
  return isHsds ? dialects.hsds : dialects.classic
}

/** X-Hdf-domain, or a Host that is a path, as the oldest h5pyd sends it (clients 2.1). */
function domainHeader({ host, 'x-hdf-domain': domain }: IncomingHttpHeaders): string | undefined {
  if (domain === undefined) return host?.startsWith('/') ? host : undefined
  return typeof domain === 'string' ? domain : ''
}

/** The domain of an hsds request: parameters have precedence over headers (hsds-objects 1.1 and 1.2). */
export function nameByPath(
  target: Target,
  headers: IncomingHttpHeaders,
  { buckets }: NamingSettings,
): Naming {
  const header = headers['x-hdf-bucket']
  const name = target.query.get('bucket') || (typeof header === 'string' && header)
  const bucket = name ? bucketNamed(name, buckets) : DEFAULT_BUCKET
  const parameter = target.query.get('domain')
  const suffix = suffixOf(target, bucket)
  if (parameter) {
    const path = parseBucketPath(withoutLastSlash(parameter, target), bucket, buckets)
    return { path, dnsName: '', suffix }
  }
  const domain = domainHeader(headers)
  if (domain) {
    const path = parseDomainPath(withoutLastSlash(fromLatin1(domain), target), bucket)
    return { path, dnsName: '', suffix }
  }
  return { path: topLevelOf(bucket), dnsName: '', suffix }
}

/** The part of the query that names the domain, in its original spelling. */
function suffixOf(target: Target, bucket: Bucket): string {
  const domain = target.query.get('domain') ? `?domain=${rawParameter(target, 'domain')}` : ''
  if (bucket === DEFAULT_BUCKET || !target.query.get('bucket')) return domain
  return `${domain}${domain === '' ? '?' : '&'}bucket=${rawParameter(target, 'bucket')}`
}

/** The name of a folder to list may end with a slash (hsds-objects 8.5); that of a top level stays. */
function withoutLastSlash(text: string, { path }: Target): string {
  return path === '/domains' && /\/.*[^/]\/$/s.test(text) ? text.slice(0, -1) : text
}

/** The domain of a classic request: `host`, `domain`, X-Forwarded-Host, Host; the first that is not empty. */
export function nameByHost(target: Target, headers: IncomingHttpHeaders, settings: NamingSettings): Naming {
  const { baseDomain } = settings
  for (const parameter of target.rawQuery === '' ? [] : ['host', 'domain']) {
    const value = target.query.get(parameter)
    if (!value) continue
    if (value.startsWith('/')) {
      throw new HyperslabError(
        'malformed-domain',
        `?${parameter}=${value}: a host name must not start with a slash: send the path of a domain as ?domain=`,
      )
    }
    if (parameter === 'domain' && !value.includes('.')) {
      throw new HyperslabError(
        'malformed-domain',
        `?domain=${value} must be the path of a domain, /${value} in the hsds dialect, or its DNS name`,
      )
    }
    const raw = rawParameter(target, parameter) ?? ''
    const undecoded = raw.replaceAll('+', ' ')
    // A dot that is written as %2E belongs to a name, as in the addresses that tables of contents give.
    const isUndecoded = /%2e/i.test(raw) || (raw.includes('%') && pathsOf(value, baseDomain).length === 0)
    const [host, other] = isUndecoded ? [undecoded, value] : [value, undecoded]
    const spellings = function* (): Iterable<DomainPath> {
      if (other !== host) yield* pathsOf(other, baseDomain)
      yield* dotsInName(value, baseDomain)
    }
    return { ...named(host, settings, spellings), suffix: `?${parameter}=${raw}` }
  }
  return namedInHeader(hostOf(headers), settings)
}

/** A connection sends the same host with each request, so a run of equal hosts is parsed once. */
let lastNamed:
  | { readonly host: string; readonly settings: NamingSettings; readonly naming: Naming }
  | undefined

function namedInHeader(host: string, settings: NamingSettings): Naming {
  if (lastNamed?.host === host && lastNamed.settings === settings) return lastNamed.naming
  const naming = { ...named(host, settings, () => []), suffix: '' }
  lastNamed = { host, settings, naming }
  return naming
}

function named(
  host: string,
  { baseDomain, homeFolder, publicUrl }: NamingSettings,
  spellings: () => Iterable<DomainPath>,
): Omit<Naming, 'suffix'> {
  const isOurs = publicUrl !== undefined && withoutPort(host).toLowerCase() === new URL(publicUrl).hostname
  const path = isOurs ? ROOT_FOLDER : parseDnsName(host, baseDomain)
  const homes = childOf(ROOT_FOLDER, homeFolder)
  const contents = contentsAt(path, homes)
  return {
    path,
    homes,
    ...(contents && { contents }),
    dnsName: withoutPort(host),
    otherPaths: function* () {
      yield* withExtension(path)
      for (const other of spellings()) {
        yield other
        yield* withExtension(other)
      }
    },
  }
}

/** The folder that a table of contents of every home has a link to. */
const PUBLIC_FOLDER = childOf(ROOT_FOLDER, 'public')

/** The table of contents at a path: the base domain, or the home of a user (classic 12). */
function contentsAt(path: DomainPath, homes: DomainPath): ContentsOf | undefined {
  if (path === ROOT_FOLDER) return { folder: path, without: homes }
  return parentOf(path) === homes ? { folder: path, linked: PUBLIC_FOLDER } : undefined
}

/**
 * The path of the file of that name; none when it would be too long. Files are imported under their own names, and
 * clients of this dialect name them without the extension.
 */
function withExtension(path: DomainPath): readonly DomainPath[] {
  if (isTopLevel(path)) return []
  const file = childIfValid(parentOf(path), nameOf(path) + FILE_EXTENSION)
  return file === undefined ? [] : [file]
}

/**
 * A query is decoded, so that a dot of a file's name looks like one between labels: the dots are tried as part of the
 * name, from the left, until the name is no longer valid (classic 11.1).
 */
function* dotsInName(host: string, baseDomain: string): Iterable<DomainPath> {
  const name = withoutPort(host)
  let spelling = name.slice(0, Math.max(0, name.length - baseDomain.length - 1))
  while (spelling.includes('.')) {
    spelling = spelling.replace('.', '%2E')
    const tried = pathsOf(`${spelling}.${baseDomain}`, baseDomain)
    if (tried.length === 0) return
    yield* tried
  }
}

/** The path of the host, or nothing when it is malformed. */
function pathsOf(host: string, baseDomain: string): readonly DomainPath[] {
  try {
    return [parseDnsName(host, baseDomain)]
  } catch (error) {
    if (error instanceof HyperslabError) return []
    throw error
  }
}

/** The host that the client used, as it spelled it. */
export function hostOf(headers: IncomingHttpHeaders): string {
  const forwarded = headers['x-forwarded-host']
  return fromLatin1((typeof forwarded === 'string' && forwarded) || (headers.host ?? ''))
}

/** The address of the service, as the client or the setting spells it, without a slash at its end. */
export function baseOf(
  headers: IncomingHttpHeaders,
  { publicUrl, baseDomain }: Pick<NamingSettings, 'publicUrl' | 'baseDomain'>,
): string {
  const scheme = headers['x-forwarded-proto'] === 'https' ? 'https' : 'http'
  // A request without a host is about the table of contents, of which the base domain is a name.
  return publicUrl ?? `${scheme}://${hostOf(headers) || baseDomain}`
}

export function placeOf(
  naming: Naming,
  {
    target,
    headers,
    prefix,
    dialect,
    caller,
  }: Pick<Request, 'target' | 'headers' | 'prefix' | 'dialect' | 'caller'>,
  options: NamingSettings,
  root: ObjectId | undefined,
  answersValues = false,
): Place {
  return {
    base: baseOf(headers, options) + prefix,
    prefix,
    suffix: options.publicUrl === undefined ? naming.suffix : suffixWithoutHost(naming),
    domain: naming.path,
    bucket: bucketName(naming.path, options.buckets),
    namesOwners: caller.sharedBy === undefined,
    dnsName: naming.dnsName,
    baseDomain: options.baseDomain,
    isContents: naming.contents !== undefined,
    root,
    nonFinite: nonFiniteFor(target, headers, answersValues),
    apiVersion: dialect.apiVersion,
  }
}

/** The query that names the domain where its DNS name is not the host of the address. */
function suffixWithoutHost({ path, dnsName, suffix }: Naming): string {
  const isNamed = suffix !== '' || dnsName === '' || path === ROOT_FOLDER
  return isNamed ? suffix : `?host=${encodeURIComponent(dnsName)}`
}

/**
 * The form of non-finite numbers: null if the request asks for it; bare words for values, unless the client is strict,
 * and for the one client that needs them in descriptions; else strings (common 5).
 */
function nonFiniteFor({ query }: Target, headers: IncomingHttpHeaders, answersValues: boolean): NonFinite {
  if (!['', '0', 'false'].includes((query.get('ignore_nan') ?? '').toLowerCase())) return 'null'
  const isStrict =
    headers.origin !== undefined ||
    headers['sec-fetch-mode'] !== undefined ||
    headers.accept === 'application/json'
  return !isStrict && (answersValues || isSuiteOfHsds(headers)) ? 'bare' : 'text'
}

/**
 * The suite of HSDS: Python's requests, with the domain in a header. It reads NaN as a number, as its server sends it.
 */
function isSuiteOfHsds(headers: IncomingHttpHeaders): boolean {
  return (
    headers['user-agent']?.startsWith('python-requests/') === true && headers['x-hdf-domain'] !== undefined
  )
}

/** The headers that the form of an answer depends on, apart from those that identify the caller. */
export const SHAPING_HEADERS = 'Origin, Sec-Fetch-Mode, Accept, User-Agent, X-Hdf-domain'

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}

/** Node decodes the bytes of headers as Latin-1; names in them are UTF-8. */
function fromLatin1(header: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for anything but ASCII
  return /^[\x00-\x7f]*$/.test(header) ? header : Buffer.from(header, 'latin1').toString('utf8')
}
