// The DNS names of domains in the classic dialect, in their short form.

import { type DomainPath, FILE_EXTENSION, formatDnsName, parseDomainPath } from '../hdf5/domain-path.ts'

/** The path without the extension of a file; the path itself, if it has none. */
function withoutExtension(path: DomainPath): DomainPath {
  const short = path.slice(0, -FILE_EXTENSION.length)
  const hasName = path.endsWith(FILE_EXTENSION) && !short.endsWith('/')
  return hasName ? parseDomainPath(short) : path
}

/** `tall.test.hdfgroup.org` for `/test/tall.h5`, unless that is the name of another domain, as `isDomain` says. */
export async function classicName(
  path: DomainPath,
  baseDomain: string,
  isDomain: (path: DomainPath) => Promise<boolean>,
): Promise<string> {
  const short = withoutExtension(path)
  return formatDnsName(short !== path && (await isDomain(short)) ? path : short, baseDomain)
}
