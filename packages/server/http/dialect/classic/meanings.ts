// The meanings of a name beside that of a domain: tables of contents, and the homes of users (classic 12). Homes are
// folders of one folder, each with the name of a user. There is a home for each account, and for nobody else.

import { HyperslabError } from '@hyperslab/base/errors'
import {
  childOf,
  type DomainPath,
  isTopLevel,
  isWithin,
  namesBelow,
  parentOf,
  ROOT_FOLDER,
} from '@hyperslab/model/names'
import type { ContentsOf, DomainEntry } from '@hyperslab/store/store'
import { isListed } from '../../../service/access/access.ts'
import type { Context, NameMeanings, OpenDomain } from '../../../service/context.ts'
import { withRoot } from '../../../service/domains/domains.ts'

/** The meanings of a name whose path is `path`. */
export function meaningsOf(path: DomainPath, homes: DomainPath): NameMeanings {
  const contents = contentsAt(path, homes)
  const openContents = contents && ((context: Context) => openTable(context, contents))
  return {
    ...(openContents && { openContents }),
    requireKnown: (context, found) => requireHome(context, homes, found),
    async requireOrdinary(context, changed, change) {
      const table = await openContents?.(context)
      if (table === undefined && changed !== homes) return
      const what = table ? 'the table of contents' : 'the folder of all homes'
      throw new HyperslabError('folder-protected', `${changed} cannot be ${change}: it is ${what}`, {
        subject: changed,
      })
    },
    dependsOnAccounts: isWithin(homes, path),
  }
}

/** The folder that a table of contents of every home has a link to. */
const PUBLIC_FOLDER = childOf(ROOT_FOLDER, 'public')

/** The table of contents at a path: the base domain, or the home of a user. */
function contentsAt(path: DomainPath, homes: DomainPath): ContentsOf | undefined {
  if (path === ROOT_FOLDER) return { folder: path, without: homes }
  return parentOf(path) === homes ? { folder: path, linked: PUBLIC_FOLDER } : undefined
}

/** The table as a domain; undefined: a domain of the other dialect has the place of a home. */
async function openTable(context: Context, contents: ContentsOf): Promise<OpenDomain | undefined> {
  const { folder } = contents
  if (!isTopLevel(folder) && (await context.reader.domain(folder))?.root !== undefined) return undefined
  const hides = (entry: DomainEntry) => !isListed(context, entry)
  const table = await withRoot(context, await context.reader.tableOfContents({ ...contents, hides }))
  if (table === undefined) throw new Error('a table of contents has a root group')
  return table
}

/**
 * Throws when the path is a home, or in a home, of a user without an account. A domain beside the homes is one like any
 * other; so are domains in homes where the service has no accounts at all.
 */
async function requireHome(context: Context, homes: DomainPath, path: DomainPath): Promise<void> {
  const [user, ...below] = namesBelow(homes, path) ?? []
  const { isKnownUser, hasAccounts } = context.settings
  if (user === undefined || isKnownUser(user)) return
  const mayBeDomain = below.length === 0 || hasAccounts?.() === false
  if (mayBeDomain && (await context.reader.domain(path))?.root !== undefined) return
  throw new HyperslabError('domain-not-found', `there is no domain ${path}: no user has the name "${user}"`, {
    subject: path,
  })
}
