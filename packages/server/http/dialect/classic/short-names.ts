// The short DNS names of domains in the classic dialect, as commands show them (classic 11.1).

import { type DomainPath, FILE_EXTENSION, parseDomainPath } from '@hyperslab/model/names'
import { formatDnsName } from './dns-names.ts'

/** `tall.test.hdfgroup.org` for `/test/tall.h5`, unless that is the name of another domain, as `isDomain` says. */
export async function shortName(
  path: DomainPath,
  baseDomain: string,
  isDomain: (path: DomainPath) => Promise<boolean>,
): Promise<string> {
  const short = withoutExtension(path)
  return formatDnsName(short !== path && (await isDomain(short)) ? path : short, baseDomain)
}

/** The path without the extension of a file; the path itself, if it has none. */
function withoutExtension(path: DomainPath): DomainPath {
  const short = path.slice(0, -FILE_EXTENSION.length)
  const hasName = path.endsWith(FILE_EXTENSION) && !short.endsWith('/')
  return hasName ? parseDomainPath(short) : path
}
