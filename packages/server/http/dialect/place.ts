// The place for which an answer is written: the address of the service and the form of numbers, as the request's target
// and headers decide them.

import type { IncomingHttpHeaders } from 'node:http'
import type { NonFinite } from '@hyperslab/model/json'
import { type ObjectId, ROOT_FOLDER } from '@hyperslab/model/names'
import type { Request } from '../message/message.ts'
import { prefixOf } from '../message/path-prefix.ts'
import type { Target } from '../message/target.ts'
import { bucketName } from './buckets.ts'
import type { Naming, NamingSettings } from './dialect.ts'
import type { Place } from './hrefs.ts'

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
  return publicUrl ?? `${scheme}://${hostOf(headers) || baseDomain}${prefixOf(headers)}`
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
    prefix: prefixOf(headers) + prefix,
    suffix: options.publicUrl === undefined ? naming.suffix : suffixWithoutHost(naming),
    domain: naming.path,
    bucket: bucketName(naming.path, options.buckets),
    namesOwners: caller.sharedBy === undefined,
    dnsName: naming.dnsName,
    baseDomain: options.baseDomain,
    isContents: naming.meanings?.openContents !== undefined,
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

const SHAPING_HEADERS =
  'Origin, Sec-Fetch-Mode, Accept, X-Hdf-domain, X-Forwarded-Proto, X-Forwarded-Host, X-Forwarded-Prefix, ' +
  'X-Forwarded-Context'

/**
 * The headers that the form of an answer depends on, apart from those that identify the caller. The program counts
 * beside `X-Hdf-domain` only: else a cache would keep one copy for each browser.
 */
export function shapingHeaders(headers: IncomingHttpHeaders): string {
  return headers['x-hdf-domain'] === undefined ? SHAPING_HEADERS : `${SHAPING_HEADERS}, User-Agent`
}

/** Node decodes the bytes of headers as Latin-1; names in them are UTF-8. */
export function fromLatin1(header: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the test is for anything but ASCII
  return /^[\x00-\x7f]*$/.test(header) ? header : Buffer.from(header, 'latin1').toString('utf8')
}
