// The object at a path of a file, which may lead through soft links, and through external ones into other files.

import { utf8Of } from '@hyperslab/model/values'
import type { LinkMessage } from '../../format/messages/link.ts'
import { decodeName } from '../../format/messages/names.ts'
import { openOther } from '../other-file.ts'
import { readObjectHeader } from '../structures/object-header.ts'
import type { DataFile, Members } from '../values/data-file.ts'
import { STEPS_OF_SOURCE, type VirtualWork } from '../values/virtual-work.ts'
import { readLinks } from './links.ts'

/** Links that are followed on the way: soft links may form a circle. @limit safety, links */
const MAX_LINKS = 1024
/** External links among them: each opens a file. @limit safety, links */
const MAX_EXTERNAL_LINKS = 16

export interface ObjectInFile {
  readonly file: DataFile
  readonly address: number
}

/** Undefined: there is none, or it is in a file that is missing, or outside of the folder whose files may be read. */
export async function findObject(
  start: DataFile,
  path: string,
  work: VirtualWork,
): Promise<ObjectInFile | undefined> {
  const names = splitPath(path)
  let file = start
  let address = file.file.root
  let externalLinks = 0
  for (let links = 0; names.length > 0; links++) {
    // A path through a link may have any length, and lead through the link again.
    if (links + names.length > MAX_LINKS) return undefined
    work.use(1)
    const name = names.shift()
    const target = name === undefined ? undefined : (await membersOf(file, address, work)).get(name)
    if (target?.class === 'hard') address = target.address
    else if (target?.class === 'soft') {
      const soft = utf8Of(target.path)
      if (soft.startsWith('/')) address = file.file.root
      names.unshift(...splitPath(soft))
    } else if (target?.class === 'external' && ++externalLinks <= MAX_EXTERNAL_LINKS) {
      work.use(STEPS_OF_SOURCE)
      const other = await openOther(file, decodeName(target.file).text)
      if (!other) return undefined
      file = other
      address = file.file.root
      names.unshift(...splitPath(utf8Of(target.path)))
    } else return undefined
  }
  return { file, address }
}

async function membersOf({ file, members }: DataFile, group: number, work: VirtualWork): Promise<Members> {
  const known = members.use(group)
  if (known) return known
  const targets = new Map<string, LinkMessage['target']>()
  for await (const links of readLinks(file, await readObjectHeader(file, group))) {
    work.use(Math.ceil(links.length / STEPS_OF_SOURCE))
    for (const { name, target } of links) {
      const title = utf8Of(name)
      if (!targets.has(title)) targets.set(title, ownTarget(target))
    }
  }
  members.set(group, targets)
  return targets
}

/** A copy: a view would keep a whole block of the file in memory. */
function ownTarget(target: LinkMessage['target']): LinkMessage['target'] {
  if (target.class === 'soft') return { ...target, path: target.path.slice() }
  if (target.class === 'external') return { ...target, file: target.file.slice(), path: target.path.slice() }
  return target
}

function splitPath(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}
