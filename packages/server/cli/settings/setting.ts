// The kinds of settings: each parses the string of a setting to its value.

import { basename, resolve } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import { type DomainPath, PERMISSIONS, type Permissions, parseDomainPath } from '@hyperslab/model/names'
import type { StoreLocation } from '@hyperslab/store/engines'
import { isBucketName } from '../../service/domains/path-names.ts'
import { aclName, requireItemName } from '../../service/user-names.ts'

export interface Setting<T> {
  /** The default as a string of the command line. */
  readonly default: string
  /** Stands for the value in the help text. */
  readonly placeholder: string
  readonly help: string
  /** The value of the string; undefined when it is malformed. */
  parse(text: string): T | undefined
  /** The rule for the string, after "must be". */
  readonly rule: string
  /** It may contain a password: no message repeats its value. */
  readonly isSecret?: boolean
  /** The option may have no value, which means `true`. */
  readonly flag?: boolean
  /**
   * The option may be given several times; the string has a line for each. In the environment commas separate
   * them.
   */
  readonly repeatable?: boolean
}

export function string(fallback: string, placeholder: string, help: string): Setting<string> {
  return {
    default: fallback,
    placeholder,
    help,
    parse: value => value || undefined,
    rule: 'a string that is not empty',
  }
}

/** A string that may be empty, which represents no value. */
export function optionalString(...row: Parameters<typeof string>): Setting<string> {
  return { ...string(...row), parse: value => value }
}

/** Letters, digits, hyphens and underscores between dots; other scripts have such a form too (`xn--...`). */
const LABEL = /^(?!-)[a-z0-9_-]{1,63}(?<!-)$/
/** Characters of a DNS name. @limit format, characters */
const MAX_DNS_NAME = 253

/** A DNS name in lower case. The last label of a DNS name is not a number, as that of an IP address is. */
export function dnsName(...row: Parameters<typeof string>): Setting<string> {
  return {
    ...string(...row),
    rule: 'a DNS name such as "data.example.org": labels of letters, digits, "-" and "_", separated by dots',
    parse(value) {
      const name = value.toLowerCase()
      const labels = name.split('.')
      const isName = name.length <= MAX_DNS_NAME && labels.every(label => LABEL.test(label))
      return isName && !/^\d+$/.test(labels.at(-1) ?? '') ? name : undefined
    },
  }
}

export function integer(fallback: string, least: number, most: number, help: string): Setting<number> {
  return {
    default: fallback,
    placeholder: 'number',
    help,
    rule: `a whole number from ${least} to ${most}`,
    parse(value) {
      const number = /^\d+$/.test(value) ? Number(value) : Number.NaN
      return number >= least && number <= most ? number : undefined
    },
  }
}

/** 0 has a meaning of its own. */
export function orZero(setting: Setting<number>): Setting<number> {
  return {
    ...setting,
    rule: `0, or ${setting.rule}`,
    parse: value => (/^0+$/.test(value) ? 0 : setting.parse(value)),
  }
}

export function boolean(fallback: 'true' | 'false', help: string): Setting<boolean> {
  const meanings = new Map([
    ['true', true],
    ['false', false],
  ])
  return {
    default: fallback,
    placeholder: 'true|false',
    help,
    rule: 'true or false',
    parse: value => meanings.get(value),
  }
}

export function choice<const T extends string>(choices: readonly T[], fallback: T, help: string): Setting<T> {
  return {
    default: fallback,
    placeholder: choices.length > 3 ? 'level' : choices.join('|'),
    help: choices.length > 3 ? `${help}: ${choices.join(', ')}` : help,
    rule: `one of ${choices.join(', ')}`,
    parse: value => choices.find(candidate => candidate === value),
  }
}

export function list(fallback: string, placeholder: string, help: string): Setting<readonly string[]> {
  return {
    default: fallback,
    placeholder,
    help,
    rule: 'a list separated by commas',
    parse: value => value.split(',').flatMap(item => item.trim() || []),
  }
}

/** Origins as browsers send them, which are compared as strings: `*` is not an origin. */
export function origins(help: string): Setting<readonly string[]> {
  const setting = list('', 'origins', help)
  return {
    ...setting,
    rule: 'a list of origins as browsers send them, separated by commas, such as "https://plots.example.org" or "http://localhost:3000"',
    parse(value) {
      const given = setting.parse(value)
      return given?.every(isOrigin) ? given : undefined
    },
  }
}

/** Origins in the form of `frame-ancestors` of a Content Security Policy, which has no form for addresses of IPv6. */
export function frameAncestors(help: string): Setting<readonly string[]> {
  const setting = origins(help)
  return {
    ...setting,
    rule: `${setting.rule}, and not an address of IPv6, which browsers do not accept in frame-ancestors`,
    parse(value) {
      const given = setting.parse(value)
      return given?.every(origin => /^[^[\];'"]*$/.test(origin)) ? given : undefined
    },
  }
}

function isOrigin(text: string): boolean {
  // The origins of browser extensions have other schemes.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text)) return false
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text)
}

export function bucketNames(help: string): Setting<readonly string[]> {
  const names = list('', 'names', help)
  return {
    ...names,
    rule: 'a list of names of letters, digits, "_", "." and "-", separated by commas',
    parse(value) {
      const given = names.parse(value)
      return given?.every(isBucketName) ? given : undefined
    },
  }
}

export function recordsLocation(help: string): Setting<StoreLocation['records']> {
  return {
    default: '',
    placeholder: 'postgres://host/name',
    help,
    rule: 'empty, or postgres://user@host:port/database',
    isSecret: true,
    parse(address) {
      if (address === '') return { kind: 'folder' }
      return isDatabaseAddress(address) ? { kind: 'postgres', address } : undefined
    },
  }
}

function isDatabaseAddress(text: string): boolean {
  if (!/^postgres(ql)?:/.test(text) || !URL.canParse(text)) return false
  const { host, pathname } = new URL(text)
  return host !== '' && pathname.length > 1
}

export function blobsLocation(help: string): Setting<StoreLocation['blobs']> {
  return {
    default: '',
    placeholder: 's3://bucket/prefix',
    help,
    rule: 'empty, or s3:// and the name of a bucket, which may go on with / and a prefix',
    parse(address) {
      if (address === '') return { kind: 'folder' }
      return /^s3:\/\/[^/]/.test(address) ? { kind: 's3', address } : undefined
    },
  }
}

/** The source of a mount, and its folder of the namespace. */
export interface MountSetting {
  /** The whole path of a folder of this machine, or an address. */
  readonly source: string
  readonly path: DomainPath
}

export function mounts(help: string): Setting<readonly MountSetting[]> {
  return {
    default: '',
    placeholder: 'DIR',
    help,
    rule: 'DIR, an address or either with =/folder, where the folder is a path such as /lab/2024, and each folder stands for one of them',
    repeatable: true,
    parse(text) {
      const mounts = text.split('\n').filter(line => line !== '')
      const parsed = mounts.flatMap(line => parseMount(line) ?? [])
      const isComplete = parsed.length === mounts.length
      return isComplete && new Set(parsed.map(({ path }) => path)).size === parsed.length ? parsed : undefined
    },
  }
}

/** Without a folder it is the last part of the path, below the top level. */
function parseMount(text: string): MountSetting | undefined {
  const end = text.lastIndexOf('=/')
  const source = end < 0 ? text : text.slice(0, end)
  if (source === '') return undefined
  try {
    const location = isAddress(source) ? source : resolve(source)
    return {
      source: location,
      path: parseDomainPath(end < 0 ? `/${lastNameOf(location)}` : text.slice(end + 1)),
    }
  } catch (error) {
    // The text is not a path of a domain, for example because a percent sign lacks its two digits.
    if (error instanceof HyperslabError || error instanceof URIError) return undefined
    throw error
  }
}

/** The callers that may read the files of a mount, instead of those of `mountAcl`. */
export interface MountReaders {
  /** The folder of the mount. */
  readonly path: DomainPath
  /** Names of an access control list. */
  readonly names: readonly string[]
}

/** Each line has the folder of a mount, `=`, and names. */
export function mountReaders(help: string): Setting<readonly MountReaders[]> {
  return {
    default: '',
    placeholder: 'READERS',
    help,
    rule: '/folder= and names with spaces between them, of users, of groups as g:NAME, or default for everybody; one for each mounted folder',
    repeatable: true,
    parse(text) {
      const lines = text.split('\n').filter(line => line !== '')
      const parsed = lines.flatMap(line => parseReaders(line) ?? [])
      const paths = new Set(parsed.map(({ path }) => path))
      return parsed.length === lines.length && paths.size === parsed.length ? parsed : undefined
    },
  }
}

function parseReaders(line: string): MountReaders | undefined {
  const [, folder = '', list = ''] = /^(\/.*)=(.*)$/s.exec(line) ?? []
  const names = list.split(/\s+/).filter(name => name !== '')
  try {
    for (const name of names) requireItemName(aclName(name))
    return names.length > 0 ? { path: parseDomainPath(folder), names } : undefined
  } catch (error) {
    if (error instanceof HyperslabError || error instanceof URIError) return undefined
    throw error
  }
}

function isAddress(source: string): boolean {
  return /^(https?|s3):\/\//.test(source)
}

/** The name that a mount without a folder has: the last part of its path. */
function lastNameOf(location: string): string {
  if (!isAddress(location)) return basename(location)
  if (!URL.canParse(location)) return ''
  const { pathname, host } = new URL(location)
  return decodeURIComponent(pathname.split('/').findLast(part => part !== '') ?? host)
}

/** Algorithms of public keys only: a published key must not be able to sign. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** A list of algorithms; all of them by default. */
export function algorithms(help: string): Setting<readonly string[]> {
  const setting = list(ALGORITHMS.join(','), 'names', help)
  return {
    ...setting,
    rule: `a list of ${ALGORITHMS.join(', ')}, separated by commas`,
    parse(value) {
      const names = setting.parse(value)
      return names?.length && names.every(name => ALGORITHMS.includes(name)) ? names : undefined
    },
  }
}

export function acl(fallback: string, help: string): Setting<Permissions> {
  return {
    default: fallback,
    placeholder: 'permissions',
    help: `${help}: all, none or a comma list of ${PERMISSIONS.join(', ')}`,
    rule: `all, none or a comma list of ${PERMISSIONS.join(', ')}`,
    parse(value) {
      const words = value === 'none' ? [] : value.split(',').map(word => word.trim())
      const known = words.every(word => PERMISSIONS.some(permission => permission === word))
      if (value !== 'all' && !known) return undefined
      const granted = (permission: string) => value === 'all' || words.includes(permission)
      // Every permission gets a flag, so the record is complete.
      return Object.fromEntries(PERMISSIONS.map(name => [name, granted(name)])) as Permissions
    },
  }
}
