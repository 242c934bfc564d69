import type { DomainPath } from '@hyperslab/model/names'
import type { DomainEntry } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { collect, domain, group, newRoot } from './sample-objects.ts'
import type { TheStore } from './store.ts'

export function describeDomains(store: TheStore): void {
  const put = (...entries: readonly DomainEntry[]): Promise<void> =>
    store().write(async writer => {
      for (const entry of entries) await writer.putDomain(entry)
    })
  const paths = (folder: string, page?: object): Promise<string[]> =>
    store().read(async reader =>
      (await collect(reader.children(folder as DomainPath, page))).map(({ path }) => path),
    )

  describe('domains', () => {
    it('an entry comes back as it was put, and is replaced as a whole', async () => {
      const root = newRoot()
      const full: DomainEntry = {
        ...domain('/d1', root),
        owner: 'ann',
        closed: true,
        readOnly: true,
        created: 1_700_000_000_000_001,
        lastModified: 1_700_000_000_000_002,
      }
      await put(full)
      expect(await store().read(reader => reader.domain(full.path))).toEqual(full)
      const plain = domain('/d1', root)
      await put(plain)
      expect(await store().read(reader => reader.domain(full.path))).toEqual(plain)
    })

    it('what is not there is undefined, and was not deleted', async () => {
      const { path } = domain('/never')
      expect(await store().read(reader => reader.domain(path))).toBeUndefined()
      expect(await store().read(reader => reader.wasDomainDeleted(path))).toBe(false)
    })

    it('children are the direct ones, in the order of their names as UTF-8', async () => {
      const names = ['b', 'a', 'é', '￿', '😀', 'a.b', 'a-b', '10', '9', '__proto__', 'constructor']
      await put(domain('/f'), domain('/f/a/below'), domain('/fx'), domain('/f-'), domain('/f.x'))
      await put(...names.map(name => domain(`/f/${name}`)))
      const sorted = [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      expect(await paths('/f')).toEqual(sorted.map(name => `/f/${name}`))
      expect(await paths('/f/a')).toEqual(['/f/a/below'])
      expect(await paths('/nothing')).toEqual([])
    })

    it('a page begins after its marker, a name or a path, there or not', async () => {
      await put(...['a', 'c', 'e'].map(name => domain(`/g/${name}`)))
      expect(await paths('/g', { limit: 2 })).toEqual(['/g/a', '/g/c'])
      expect(await paths('/g', { marker: 'a' })).toEqual(['/g/c', '/g/e'])
      expect(await paths('/g', { marker: '/g/a', limit: 1 })).toEqual(['/g/c'])
      expect(await paths('/g', { marker: 'b' })).toEqual(['/g/c', '/g/e'])
      expect(await paths('/g', { marker: 'e' })).toEqual([])
      expect(await paths('/g', { limit: 0 })).toEqual([])
    })

    it('folders whose paths are too long for a key keep their children apart', async () => {
      const long = `/${Array.from({ length: 8 }, () => 'n'.repeat(250)).join('/')}`
      await put(domain(`${long}/x/one`), domain(`${long}/y/two`), domain(`${long}/x/three`))
      expect(await paths(`${long}/x`)).toEqual([`${long}/x/one`, `${long}/x/three`])
      expect(await paths(`${long}/y`)).toEqual([`${long}/y/two`])
      expect(await paths(long)).toEqual([])
    })

    it('deleting leaves a tombstone and drops the contents; putting clears it', async () => {
      const [root, other] = [newRoot(), newRoot()]
      const entry = domain('/d3', root)
      await put(entry)
      await store().write(async writer => {
        await writer.createObject(group(root))
        await writer.createObject(group(other))
      })
      await store().write(writer => writer.deleteDomain(entry.path))
      await store().read(async reader => {
        expect(await reader.domain(entry.path)).toBeUndefined()
        expect(await reader.wasDomainDeleted(entry.path)).toBe(true)
        expect(await reader.object(root)).toBeUndefined()
        expect(await reader.wasDeleted({ object: root })).toBe(false)
        expect(await collect(reader.objects(root, 'group'))).toEqual([])
        expect(await reader.object(other)).toBeDefined()
      })
      await put(domain('/d3', other))
      expect(await store().read(reader => reader.wasDomainDeleted(entry.path))).toBe(false)
    })

    it('an entry that gets another root loses the contents of the old one', async () => {
      const [before, after] = [newRoot(), newRoot()]
      await store().write(async writer => {
        await writer.putDomain(domain('/d4', before))
        await writer.createObject(group(before))
        await writer.createObject(group(after))
      })
      await put(domain('/d4', after))
      expect(await store().read(reader => reader.object(before))).toBeUndefined()
      expect(await store().read(reader => reader.object(after))).toBeDefined()
    })

    it('a domain can be filled before it has an entry, and dropped again without a trace', async () => {
      const root = newRoot()
      await store().write(writer => writer.createObject(group(root)))
      expect(await store().read(reader => reader.object(root))).toBeDefined()
      await store().write(writer => writer.dropContents(root))
      expect(await store().read(reader => reader.object(root))).toBeUndefined()
      expect(await store().read(reader => reader.wasDeleted({ object: root }))).toBe(false)
    })
  })
}
