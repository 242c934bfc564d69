import { compareUtf8 } from '@hyperslab/model/names'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { CatalogEntry } from './catalog.ts'
import { inNameOrder } from './name-order.ts'

const name = fc
  .array(fc.constantFrom('a', 'b', '-', '.', '0', 'é', '\uffee', '\u{1f600}'), { minLength: 1, maxLength: 4 })
  .map(parts => parts.join(''))

async function orderOf(files: ReadonlySet<string>, folders: ReadonlySet<string>, pageSize: number) {
  const keys = [...files, ...[...folders].map(folder => `${folder}/`)].sort(compareUtf8)
  async function* pages(): AsyncGenerator<readonly CatalogEntry[]> {
    for (let at = 0; at < keys.length; at += pageSize) {
      yield keys.slice(at, at + pageSize).map(key => {
        const isFolder = key.endsWith('/')
        if (isFolder) return { name: key.slice(0, -1), isFolder }
        return { name: key, isFolder, file: { url: new URL('http://host/') } }
      })
    }
  }
  const asked: string[] = []
  const hasFolder = async (folder: string) => {
    asked.push(folder)
    return folders.has(folder)
  }
  const entries: CatalogEntry[] = []
  for await (const entry of inNameOrder(pages(), hasFolder)) entries.push(entry)
  return { entries, asked }
}

describe('the listing of a bucket by name', () => {
  it('is complete and in order, whatever the pages are, with one entry for a file and a folder of one name', async () => {
    const sets = fc.uniqueArray(name, { maxLength: 12 }).map(names => new Set(names))
    await fc.assert(
      fc.asyncProperty(sets, sets, fc.integer({ min: 1, max: 5 }), async (files, folders, pageSize) => {
        const { entries } = await orderOf(files, folders, pageSize)
        expect(entries.map(({ name, isFolder, file }) => [name, isFolder, file !== undefined])).toEqual(
          [...new Set([...files, ...folders])]
            .sort(compareUtf8)
            .map(name => [name, folders.has(name), files.has(name)]),
        )
      }),
    )
  })

  it('asks for few folders', async () => {
    const runs = Array.from({ length: 1000 }, (_, index) => `run-${String(index).padStart(4, '0')}.h5`)
    const { entries, asked } = await orderOf(new Set(runs), new Set(['run']), 100)
    expect(entries.map(entry => entry.name)).toEqual(['run', ...runs])
    expect(asked.length).toBeLessThan(30)
  })
})
