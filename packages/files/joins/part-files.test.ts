import { type OpenSibling, readRange, sourceOf } from '@hyperslab/h5/reader'
import type { DomainPath } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import type { MountedFile } from '../mounts/mount.ts'
import { openJoined } from './part-files.ts'

/** The most files of joined domains that are open at once, as the guide says it. */
const MOST_OPEN = 64

let openNow = 0
let mostOpen = 0

/** A file of one byte that names `raw`; both change with `states`. */
function fileOf(byte: number, states: { own: string; raw: string } = { own: 's', raw: 'r' }): MountedFile {
  const path = `/m/${byte}.h5` as DomainPath
  const stamp = states.own
  return {
    kind: 'file',
    path,
    size: 1,
    lastModified: 0,
    stamp,
    async open() {
      if (states.own !== stamp)
        throw Object.assign(new Error(`${path} has changed`), { code: 'file-changed' })
      mostOpen = Math.max(mostOpen, ++openNow)
      const raw = { ...sourceOf(Uint8Array.of(100 + byte)), stamp: states.raw }
      const openSibling: OpenSibling = async name =>
        name === 'raw' ? { source: raw, path: `${byte} raw`, openSibling } : undefined
      return {
        source: { ...sourceOf(Uint8Array.of(byte)), stamp },
        openSibling,
        isUnchanged: async () => states.own === stamp,
        areSiblingsCurrent: async () => states.raw === raw.stamp,
        siblingsState: () => '',
        close: () => openNow--,
      }
    },
  }
}

const NONE = { datasets: new Map() }

describe('the files of a joined domain', () => {
  it('are opened by their paths, and rest while others are read', async () => {
    const files = Array.from({ length: 3 * MOST_OPEN }, (_, i) => fileOf(i))
    const joined = await openJoined(files, NONE)
    const parts = await Promise.all(files.map(({ path }) => joined.openSibling(path)))
    const bytes = parts.map(async part => part && (await readRange(part.source, 0, 1))[0])
    expect(await Promise.all(bytes)).toEqual(files.map((_, i) => i))
    // The first file is open for its own objects, too.
    expect(mostOpen).toBe(MOST_OPEN + 1)
    expect(await joined.isUnchanged()).toBe(true)
    joined.close()
    expect(openNow).toBe(0)
    await expect(parts[0]?.source.read([{ position: 0, length: 1 }])).rejects.toThrow('after it was closed')
  })

  it('name others from their own folders, also when they were closed meanwhile', async () => {
    const files = Array.from({ length: MOST_OPEN + 1 }, (_, i) => fileOf(i))
    const joined = await openJoined(files, NONE)
    const raw = async (path: string) => (await joined.openSibling(path))?.openSibling('raw')
    const [first, own] = [await raw('/m/0.h5'), await joined.openSibling('raw')]
    const deep = await first?.openSibling('raw')
    for (const { path } of files) await joined.openSibling(path)
    for (const sibling of [first, deep, own]) {
      if (!sibling) throw new Error('raw is missing')
      expect(await readRange(sibling.source, 0, 1)).toEqual(Uint8Array.of(100))
    }
    expect(await joined.openSibling('other')).toBeUndefined()
    expect(await (await joined.openSibling('/m/1.h5'))?.openSibling('other')).toBeUndefined()
    expect(await joined.areSiblingsCurrent()).toBe(true)
    joined.close()
  })

  it('that have changed are named, and so are those that they name', async () => {
    const states = { own: 's', raw: 'r' }
    const files = Array.from({ length: MOST_OPEN + 1 }, (_, i) => fileOf(i, i === 1 ? states : undefined))
    const joined = await openJoined(files, NONE)
    const part = await joined.openSibling('/m/1.h5')
    const raw = await part?.openSibling('raw')
    if (!part || !raw) throw new Error('a file is missing')
    await readRange(part.source, 0, 1)
    states.raw = 'later'
    expect(await joined.areSiblingsCurrent()).toBe(false)
    for (const { path } of files) if (path !== '/m/1.h5') await joined.openSibling(path)
    await expect(readRange(raw.source, 0, 1)).rejects.toMatchObject({
      code: 'file-changed',
      subject: '1 raw',
    })
    states.own = 'later'
    expect(await joined.isUnchanged()).toBe(false)
    for (const { path } of files) if (path !== '/m/1.h5') await joined.openSibling(path)
    await expect(readRange(part.source, 0, 1)).rejects.toMatchObject({ code: 'file-changed' })
    joined.close()
  })
})
