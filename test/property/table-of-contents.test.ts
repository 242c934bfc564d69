// The table of contents after random changes of the namespace, beside a plain model of it: each domain is one link,
// each folder that ever held one is one group, titles stay as they are, links are found by their titles and page by
// page, and counts are right. Then the same for a store whose folders were not noted. The seed is printed.

import type { ObjectId } from '@hyperslab/model/names'
import {
  type DomainPath,
  isHiddenName,
  isTopLevel,
  nameOf,
  parentOf,
  parseDomainPath,
} from '@hyperslab/model/names'
import type { Engine } from '@hyperslab/store/engines'
import { openStore } from '@hyperslab/store/engines'
import type { ContentsOf, DomainEntry, Link, Reader, Store } from '@hyperslab/store/store'
import { describe, expect, it } from 'vitest'
import { collect } from '../../packages/server/service/listing.ts'
import type { Change } from '../../packages/store/interfaces/engine.ts'
import { hexOf } from '../../packages/store/key-range.ts'
import { folderNumber, noteAllFolders } from '../../packages/store/records/folders.ts'
import { domainKey, foldersAfter } from '../../packages/store/records/keys.ts'
import { decodeRecord, encodeRecord } from '../../packages/store/records/record.ts'
import { domain, newRoot } from '../conformance/sample-objects.ts'
import { expectSound } from '../conformance/sound.ts'
import { seededNumbers, seededRandom, testClock } from '../engines/clock.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { shareOf } from '../fixtures/property-runs.ts'

const SEED = Number(process.env.HYPERSLAB_CONTENTS_SEED ?? Date.now() % 2 ** 31)
const PROGRAMS = shareOf(20)
const STEPS = 60

const WHOLE: ContentsOf = { folder: parseDomainPath('/'), without: parseDomainPath('/home') }
const NAMES = ['a', 'a.h5', 'a.h5.h5', 'a.domain', 'a.folder', '.a', 'home', 'b c', 'é%.h5']

/** The namespace as a plain list. */
class Model {
  readonly domains = new Set<DomainPath>()
  readonly folders = new Set<DomainPath>()
  /** The folders that ever held a domain. */
  readonly held = new Set<DomainPath>()

  put(path: DomainPath): void {
    this.domains.add(path)
    this.folders.delete(path)
    for (let above = parentOf(path); !isTopLevel(above); above = parentOf(above)) {
      this.held.add(above)
      if (!this.domains.has(above)) this.folders.add(above)
    }
  }

  delete(path: DomainPath): void {
    if (this.domains.delete(path)) {
      if (this.held.has(path)) this.folders.add(path)
    } else {
      this.folders.delete(path)
      this.held.delete(path)
    }
  }

  isEmpty(path: DomainPath): boolean {
    return ![...this.domains, ...this.folders].some(other => parentOf(other) === path)
  }

  /** The domains and the folders that a group of the table has links to, by path. */
  shownIn(above: DomainPath): string[] {
    const shown = (paths: Iterable<DomainPath>, form: string) =>
      [...paths]
        .filter(path => parentOf(path) === above && !isHiddenName(nameOf(path)))
        .map(path => `${form} ${path}`)
    const folders = [...this.held].filter(path => path !== WHOLE.without)
    return [...shown(this.domains, 'domain'), ...shown(folders, 'folder')].sort()
  }
}

/** The links of all groups of the table, by the paths of their folders. */
async function readTable(reader: Reader, model: Model): Promise<Map<DomainPath, readonly Link[]>> {
  const { root, path: top } = await reader.tableOfContents(WHOLE)
  if (root === undefined) throw new Error('a table of contents has a root group')
  const paths = new Map([...model.held].map(path => [hexOf(folderNumber(path)), path]))
  const groups = new Map<DomainPath, readonly Link[]>()
  const visited: ObjectId[] = []
  const visit = async (id: ObjectId, path: DomainPath): Promise<void> => {
    const links = await linksOf(reader, id)
    visited.push(id)
    groups.set(path, links)
    for (const { target } of links) {
      if (target.class === 'H5L_TYPE_HARD') await visit(target.id, pathOf(paths, target.id))
    }
  }
  await visit(root, top)
  expect([root, ...(await collect(reader.objects(root, 'group')))].sort()).toEqual(visited.sort())
  return groups
}

function pathOf(paths: ReadonlyMap<string, DomainPath>, id: ObjectId): DomainPath {
  const path = paths.get(id.slice(16))
  if (path === undefined) throw new Error(`no folder that held a domain has the group ${id}`)
  return path
}

/** The links of a group, read at once, by page, and one by one. */
async function linksOf(reader: Reader, group: ObjectId): Promise<readonly Link[]> {
  const links = (await collect(reader.links(group))) as Link[]
  expect(new Set(links.map(({ title }) => title)).size).toBe(links.length)
  expect((await reader.status(group)).linkCount).toBe(links.length)
  for (const [i, link] of links.entries()) {
    expect(await reader.link(group, link.title)).toEqual(link)
    const page = await collect(reader.links(group, { marker: link.title, limit: 2 }))
    expect(page).toEqual(links.slice(i + 1, i + 3))
  }
  return links
}

/** Compares the table with the model, and gives the title of each entry. */
async function compare(store: Store, model: Model): Promise<Map<string, string>> {
  return store.read(async reader => {
    const titles = new Map<string, string>()
    const paths = new Map([...model.held].map(path => [hexOf(folderNumber(path)), path]))
    for (const [path, links] of await readTable(reader, model)) {
      const entries = links.map(({ title, target }) => {
        if (target.class === 'H5L_TYPE_HARD') return [`folder ${pathOf(paths, target.id)}`, title] as const
        if (target.class !== 'H5L_TYPE_EXTERNAL') throw new Error(`a link of class ${target.class}`)
        // The DNS name leaves `.h5` out; it names the domain without it, if there is one (classic 11.1 and 11.3).
        const short = parseDomainPath(target.h5domain.replaceAll('%25', '%').replace(/\.h5$/, ''))
        return [`domain ${model.domains.has(short) ? short : `${short}.h5`}`, title] as const
      })
      expect(entries.map(([entry]) => entry).sort()).toEqual(model.shownIn(path))
      for (const [entry, title] of entries) titles.set(entry, title)
    }
    return titles
  })
}

function openOn(engine: Engine, seed: number) {
  return openStore(engine, { clock: testClock(), random: seededRandom(seed), sweeps: false })
}

describe(`tables of contents (HYPERSLAB_CONTENTS_SEED=${SEED})`, () => {
  it.each(Array.from({ length: PROGRAMS }, (_, i) => SEED + i))('program %i', async seed => {
    const next = seededNumbers(seed)
    const pick = <T>(items: readonly T[]): T => items[Math.floor(next() * items.length)] as T
    const engine = openMemoryEngine()
    const store = openOn(engine, seed)
    const model = new Model()
    let titles = new Map<string, string>()
    for (let step = 0; step < STEPS; step++) {
      const depth = 1 + Math.floor(next() * 3)
      const path = parseDomainPath(`/${Array.from({ length: depth }, () => pick(NAMES)).join('/')}`)
      const existing = pick([...model.domains, ...model.folders])
      const isPut = existing === undefined || next() < 0.6
      if (isPut && !model.domains.has(path)) {
        await store.write(async writer => {
          for (let above = parentOf(path); !isTopLevel(above); above = parentOf(above)) {
            if (!(await writer.domain(above))) await writer.putDomain(domain(above))
          }
          await writer.putDomain(domain(path, newRoot()))
        })
        model.put(path)
      } else if (!isPut && (model.domains.has(existing) || model.isEmpty(existing))) {
        await store.write(writer => writer.deleteDomain(existing))
        model.delete(existing)
      }
      const now = await compare(store, model)
      for (const [entry, title] of titles) {
        const isStill = now.has(entry) && !(entry === `domain ${path}` && isPut)
        if (isStill) expect([entry, now.get(entry)]).toEqual([entry, title])
      }
      titles = now
    }
    await expectSound(engine)

    // A store of before: no folder is noted, and no domain has a title.
    const held = new Set<DomainPath>()
    for (const path of model.domains) {
      for (let above = parentOf(path); !isTopLevel(above); above = parentOf(above)) held.add(above)
    }
    const both = [...model.domains].filter(path => held.has(path))
    const snapshot = engine.keyValue.snapshot()
    const untitled = [...model.domains].map(async (path): Promise<Change> => {
      const record = await snapshot.get(domainKey(path))
      const { title: _, ...entry } = decodeRecord<DomainEntry>(record ?? new Uint8Array())
      return { op: 'set', key: domainKey(path), value: encodeRecord(entry) }
    })
    const changes: Change[] = [
      { op: 'deleteRange', ...foldersAfter(undefined) },
      ...(await Promise.all(untitled)),
    ]
    snapshot.close()
    await engine.keyValue.commit({ expect: [], changes })
    await noteAllFolders(engine.keyValue, 1)
    await noteAllFolders(engine.keyValue, 2)
    model.held.clear()
    for (const path of held) model.held.add(path)
    // Before, no domain was below another one.
    if (both.length === 0) await compare(store, model)
    await store.close()
  })
})
