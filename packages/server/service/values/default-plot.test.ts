// How much of a file is looked at for the dataset that it shows by default: whatever the file has, and only while its
// client waits.

import { idFromHex, type ObjectId } from '@hyperslab/model/names'
import type { Attribute, Group, ListedLink, Page, Reader } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../access/access.ts'
import { ANONYMOUS, type Context, type OpenDomain } from '../context.ts'
import { findDefaultPlot } from './default-plot.ts'

const LINKS = 100_000
const idOf = (number: number) => idFromHex(number.toString(16).padStart(32, '0'))
const groupOf = (id: ObjectId): Group => ({ kind: 'group', id, created: 0, acl: [] })

function classOf(name: string): Attribute {
  const data = new TextEncoder().encode(name)
  const type = {
    class: 'H5T_STRING',
    length: data.length,
    charSet: 'H5T_CSET_ASCII',
    strPad: 'H5T_STR_NULLPAD',
  } as const
  const value = { count: 1, data, heap: new Uint8Array(0) }
  return { name: 'NX_class', type, space: { class: 'H5S_SCALAR' }, value, created: 0, lastModified: 0 }
}

/** Groups of the class in the root group, each with many links to groups of no class. */
function fileOf(groups: number, nxClass: string, signal = { throwIfAborted() {} }) {
  const count = { listings: 0, links: 0 }
  const root = idOf(1)
  const linkOf = (group: ObjectId, title: string): ListedLink => {
    const id = group === root ? idOf(2 + Number(title)) : idOf(10_000)
    return { title, created: 0, target: { class: 'H5L_TYPE_HARD', kind: 'group', id } }
  }
  const reader: Partial<Reader> = {
    object: async id => groupOf(id),
    link: async (group, title) => linkOf(group, title) as Awaited<ReturnType<Reader['link']>>,
    async attribute(owner, name) {
      const isClassed = owner !== root && owner !== idOf(10_000)
      return name === 'NX_class' && isClassed ? classOf(nxClass) : undefined
    },
    async *links(group, { limit = LINKS }: Page = {}) {
      count.listings++
      const all = group === root ? groups : LINKS
      for (let title = 0; title < Math.min(all, limit); title++) {
        count.links++
        yield linkOf(group, String(title))
      }
    },
  }
  const settings = { defaultAcl: ALL_PERMISSIONS, newDomains: 'anyone', isKnownUser: () => true } as const
  const context: Context = { reader: reader as Reader, caller: ANONYMOUS, settings, signal }
  const times = { created: 0, lastModified: 0 }
  const entry = { path: '/a', root, readOnly: false, closed: false, ...times } as OpenDomain['entry']
  return { find: () => findDefaultPlot(context, { entry, root: groupOf(root) }), count }
}

describe('the search for a default plot', () => {
  it.each(['NXdata', 'NXentry', 'NXprocess'])('lists few groups, however many are %s', async nxClass => {
    const { find, count } = fileOf(900, nxClass)
    expect(await find()).toBeUndefined()
    expect(count.listings).toBeLessThan(100)
    expect(count.links).toBeLessThan(2000)
  })

  it('ends when the client has left', async () => {
    const left = new Error('left')
    let checks = 0
    const signal = {
      throwIfAborted() {
        if (++checks > 5) throw left
      },
    }
    const { find, count } = fileOf(900, 'NXentry', signal)
    await expect(find()).rejects.toBe(left)
    expect(count.links).toBeLessThan(10)
  })
})
