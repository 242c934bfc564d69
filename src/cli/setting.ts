// What a setting is, and the sorts of settings: each says what a text means, or that it means nothing.

import { PERMISSIONS, type Permissions } from '../hdf5/acl.ts'
import { isBucketName } from '../hdf5/domain-path.ts'

export interface Setting<T> {
  /** As it would be written on the command line. */
  readonly default: string
  /** Stands for the value in the help text. */
  readonly placeholder: string
  readonly help: string
  /** The value that the text means, or undefined when it means none. */
  parse(text: string): T | undefined
  /** What a text must be, to end the sentence "... must be". */
  readonly rule: string
  /** The option may stand without a value and means `true` then. */
  readonly flag?: boolean
}

export function text(fallback: string, placeholder: string, help: string): Setting<string> {
  return { default: fallback, placeholder, help, parse: value => value || undefined, rule: 'a text' }
}

/** A text that may be empty, for nothing. */
export function optionalText(...row: Parameters<typeof text>): Setting<string> {
  return { ...text(...row), parse: value => value }
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
    rule: 'a comma list',
    parse: value => value.split(',').flatMap(item => item.trim() || []),
  }
}

/** Origins as browsers send them, which are compared letter by letter: `*` is none. */
export function origins(help: string): Setting<readonly string[]> {
  const setting = list('', 'origins', help)
  return {
    ...setting,
    rule: 'a comma list of origins as browsers send them, such as "https://plots.example.org" or "http://localhost:3000"',
    parse(value) {
      const given = setting.parse(value)
      return given?.every(isOrigin) ? given : undefined
    },
  }
}

function isOrigin(text: string): boolean {
  // Those of browser extensions and the like have schemes of their own.
  if (!/^[a-z][a-z0-9+.-]*:\/\/[^\s/?#*]+$/.test(text)) return false
  return !/^https?:/.test(text) || (URL.canParse(text) && new URL(text).origin === text)
}

export function bucketNames(help: string): Setting<readonly string[]> {
  const names = list('', 'names', help)
  return {
    ...names,
    rule: 'a comma list of names of letters, digits, "_", "." and "-"',
    parse(value) {
      const given = names.parse(value)
      return given?.every(isBucketName) ? given : undefined
    },
  }
}

/** Of public keys only: a key that is published must not also be one that signs. */
const ALGORITHMS = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA']

/** All of them, unless fewer are named. */
export function algorithms(help: string): Setting<readonly string[]> {
  const setting = list(ALGORITHMS.join(','), 'names', help)
  return {
    ...setting,
    rule: `a comma list of ${ALGORITHMS.join(', ')}`,
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
      // Every permission gets its flag, so the record is complete.
      return Object.fromEntries(PERMISSIONS.map(name => [name, granted(name)])) as Permissions
    },
  }
}
