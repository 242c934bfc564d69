// The object at a path of a file.

import { readLinks } from './links.ts'
import { readObjectHeader } from './object-header.ts'
import type { H5File } from './open-file.ts'

/** Links that are followed on the way: soft links may form a circle. */
const MAX_LINKS = 1024

/** Its address; undefined: there is none. Links to other files are not followed. */
export async function findObject(file: H5File, path: string): Promise<number | undefined> {
  const names = namesIn(path)
  let group = file.root
  for (let links = 0; names.length > 0; links++) {
    if (links > MAX_LINKS) return undefined
    const name = names.shift()
    const target = (await readLinks(file, await readObjectHeader(file, group))).find(
      link => Buffer.from(link.name).toString() === name,
    )?.target
    if (target?.class === 'hard') group = target.address
    else if (target?.class === 'soft') {
      const soft = Buffer.from(target.path).toString()
      if (soft.startsWith('/')) group = file.root
      names.unshift(...namesIn(soft))
    } else return undefined
  }
  return group
}

function namesIn(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}
