// The object at a path of a file.

import type { LinkMessage } from '../format/messages/link.ts'
import type { DataFile, Members } from './data-file.ts'
import { readLinks } from './links.ts'
import { readObjectHeader } from './object-header.ts'

/** Links that are followed on the way: soft links may form a circle. */
const MAX_LINKS = 1024

/** Its address; undefined: there is none. Links to other files are not followed. */
export async function findObject(file: DataFile, path: string): Promise<number | undefined> {
  const names = splitPath(path)
  let group = file.file.root
  for (let links = 0; names.length > 0; links++) {
    if (links > MAX_LINKS) return undefined
    const name = names.shift()
    const target = name === undefined ? undefined : (await membersOf(file, group)).get(name)
    if (target?.class === 'hard') group = target.address
    else if (target?.class === 'soft') {
      const soft = Buffer.from(target.path).toString()
      if (soft.startsWith('/')) group = file.file.root
      names.unshift(...splitPath(soft))
    } else return undefined
  }
  return group
}

async function membersOf({ file, members }: DataFile, group: number): Promise<Members> {
  const known = members.use(group)
  if (known) return known
  const targets = new Map<string, LinkMessage['target']>()
  for await (const links of readLinks(file, await readObjectHeader(file, group))) {
    for (const { name, target } of links) {
      const title = Buffer.from(name).toString()
      // A copy: a view would keep a whole block of the file in memory.
      const own = target.class === 'soft' ? { ...target, path: target.path.slice() } : target
      if (!targets.has(title)) targets.set(title, own)
    }
  }
  members.set(group, targets)
  return targets
}

function splitPath(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}
