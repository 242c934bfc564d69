// Domain paths as DNS names, `run7.ann.home.<base domain>`: components reversed, with %XX for dots and other characters
// that a host label cannot contain. Both spellings name the same domains, and each follows from the other (common 3;
// classic 11).

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import {
  componentsOf,
  DEFAULT_BUCKET,
  type DomainPath,
  FILE_EXTENSION,
  joinComponents,
  malformedDomain,
  ROOT_FOLDER,
  withoutScheme,
} from '@hyperslab/model/names'
import { isIpAddress } from '../../auth/hosts.ts'

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

function withoutPort(name: string): string {
  if (name.startsWith('[')) return name.replace(/\]:\d*$/, ']')
  const colon = name.lastIndexOf(':')
  return colon > 0 ? name.slice(0, colon) : name
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
