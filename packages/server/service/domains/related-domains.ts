// Domains of the files that the file of a mounted domain takes values from or leads to (common 30).

import type { DomainPath } from '@hyperslab/model/names'
import type { DomainEntry } from '@hyperslab/store/store'
import { hasPermission, isListed } from '../access/access.ts'
import { isInScope } from '../access/scope.ts'
import type { Context } from '../context.ts'
import { linkedDomain } from '../links/paths.ts'
import { withRoot } from './domains.ts'

/** The domains that a file of the domain at `path` calls by these names, each once, if the caller may read them. */
export async function relatedDomains(
  context: Context,
  path: DomainPath,
  names: readonly string[],
): Promise<readonly DomainPath[]> {
  const holder = names.length === 0 ? undefined : await context.reader.domain(path)
  const related = new Set<DomainPath>()
  if (!holder) return []
  for (const name of names) {
    context.signal.throwIfAborted()
    const entry = await linkedDomain(context.reader, holder, { h5domain: name })
    if (entry && entry.path !== path && (await isReadable(context, entry))) related.add(entry.path)
  }
  return [...related]
}

/** A mounted file is not opened: its list is that of its folder. */
async function isReadable(context: Context, entry: DomainEntry): Promise<boolean> {
  if (!isInScope(context.caller, entry.path)) return false
  if (entry.mounted) return isListed(context, entry)
  const domain = await withRoot(context, entry)
  return domain !== undefined && hasPermission(context, 'read', domain)
}
