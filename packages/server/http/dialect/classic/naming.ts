// The domain that a classic request names: a DNS name, in a parameter or a header (classic 1, 3.1 and 11.1).

import type { IncomingHttpHeaders } from 'node:http'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  childIfValid,
  childOf,
  type DomainPath,
  FILE_EXTENSION,
  isTopLevel,
  nameOf,
  parentOf,
  ROOT_FOLDER,
} from '@hyperslab/model/names'
import { rawParameter, type Target } from '../../message/target.ts'
import type { Naming, NamingSettings } from '../dialect.ts'
import { hostOf } from '../place.ts'
import { parseDnsName } from './dns-names.ts'
import { meaningsOf } from './meanings.ts'

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
  return {
    path,
    meanings: meaningsOf(path, childOf(ROOT_FOLDER, homeFolder)),
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

function withoutPort(host: string): string {
  return host.replace(/:\d*$/, '')
}
