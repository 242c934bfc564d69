// Joined files over a store that is a map: which files are read, what is read back, and how a domain of very many files
// grows.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { HyperslabError } from '@hyperslab/base/errors'
import { type ByteSource, sourceOf } from '@hyperslab/h5/reader'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import type { JoinProgress, KeptOutline, KnownFile, KnownFiles } from '@hyperslab/store/store'
import { ready } from 'h5wasm/node'
import { beforeAll, describe, expect, it, vi } from 'vitest'
import { day, writeMember } from '../../../test/fixtures/join-members.ts'
import type { MountedFile } from '../mounts/mount.ts'
import type { JoinDefinition } from './definition.ts'
import { JoinedFiles } from './joined-files.ts'

const SOON = { timeout: 60_000 }
const ROOT = 'g-00000000-0000-0000-0000-000000000001' as ObjectId
const FOLDER = parseDomainPath('/f')
const TIME: JoinDefinition = {
  along: { kind: 'named', name: 'time' },
  sources: [{ kind: 'pattern', folder: FOLDER, names: ['*'] }],
  areOneSource: true,
}
const RUN: JoinDefinition = { ...TIME, along: { kind: 'new', name: 'run', datasets: ['/still'] } }

let bytes: readonly Uint8Array[]

beforeAll(async () => {
  await ready
  const folder = mkdtempSync(join(tmpdir(), 'joined-files-'))
  bytes = Array.from({ length: 12 }, (_, i) => {
    const path = join(folder, `${i}`)
    writeMember(path, day(2 * i, 2))
    return readFileSync(path)
  })
  rmSync(folder, { recursive: true })
})

/** The knowledge of a store, also after a restart. */
class Store implements KnownFiles {
  readonly files = new Map<string, KnownFile>()
  readonly parts = new Map<string, KeptOutline>()
  state: JoinProgress | undefined

  read = async () => new Map([...this.files].map(([path, file]) => [parseDomainPath(path), file]))
  async write(_root: ObjectId, files: readonly KnownFile[]) {
    for (const file of files) this.files.set(file.path, file)
  }
  async *outlines() {
    for (const [, part] of [...this.parts].sort(([a], [b]) => (a < b ? -1 : 1))) yield structuredClone(part)
  }
  async keepOutlines(_root: ObjectId, parts: readonly KeptOutline[], removed: readonly string[] = []) {
    for (const part of parts) this.parts.set(part.key, structuredClone(part))
    for (const key of removed) this.parts.delete(key)
  }
  progress = async () => this.state
  async setProgress(_root: ObjectId, before: JoinProgress, after: JoinProgress | undefined) {
    if (JSON.stringify(before) !== JSON.stringify(this.state)) return false
    this.state = after
    return true
  }
}

/** A process with a folder of the first files. */
class Process {
  readonly opened: string[] = []
  readonly joined: JoinedFiles
  /** Other numbers are other states. */
  readonly states: number[]
  answers = true

  constructor(store: Store, count: number, first?: number, device = 1) {
    this.states = Array.from({ length: count }, () => 1)
    const files = () => this.states.map((state, i) => this.#file(i, `${device}-${i}-${state}`))
    this.joined = new JoinedFiles(
      {
        path: parseDomainPath('/'),
        find: async path => files().find(file => file.path === path),
        children: folder => childrenOf(folder === FOLDER && this.answers ? files() : undefined),
      },
      store,
      first,
    )
  }

  look(definition = TIME) {
    const path = parseDomainPath('/all.nc')
    return this.joined.look({
      path,
      stamp: '',
      lastModified: 0,
      definition: async () => definition,
      root: ROOT,
    })
  }

  /** The length of the dimension. */
  async open(definition = TIME): Promise<number | undefined> {
    const open = await (await this.look(definition)).open()
    open.close()
    return [...(open.joined?.datasets.values() ?? [])][0].space.dims[0]
  }

  #file(number: number, stamp: string): MountedFile {
    const path = parseDomainPath(`/f/run_${String(number).padStart(2, '0')}.nc`)
    const name = path.slice(3)
    return {
      kind: 'file',
      path,
      place: path,
      size: 1,
      lastModified: 0,
      stamp,
      open: async () => {
        this.opened.push(name)
        const source: ByteSource = { ...sourceOf(bytes[number]), stamp }
        return {
          source,
          openSibling: async () => undefined,
          isUnchanged: async () => true,
          areSiblingsCurrent: async () => true,
          siblingsState: () => '',
          close() {},
        }
      },
    }
  }
}

async function* childrenOf(files: readonly MountedFile[] | undefined) {
  if (!files) throw new HyperslabError('file-unavailable', 'the folder hangs')
  yield* files
}

describe.each([
  ['a dimension of the files', TIME, 24],
  ['a new dimension', RUN, 12],
])('the structures of files along %s', (_, definition, length) => {
  it('are read once, and by another process not at all', async () => {
    const store = new Store()
    const one = new Process(store, 12)
    expect(await one.open(definition)).toBe(length)
    expect(new Set(one.opened).size).toBe(12)
    expect(store.parts.size).toBeLessThan(12 + 4)
    const other = new Process(store, 12, undefined, 2)
    expect(await other.open(definition)).toBe(length)
    // It gives the objects.
    expect(other.opened).toEqual(['run_00.nc'])
  })

  it('are read again of a file that has changed, and kept in its place', async () => {
    const store = new Store()
    await new Process(store, 12).open(definition)
    for (const state of [2, 3]) {
      const other = new Process(store, 12)
      other.states[5] = state
      await other.open(definition)
      expect(new Set(other.opened)).toEqual(new Set(['run_05.nc', 'run_00.nc']))
    }
    expect(store.parts.size).toBeLessThan(12 + 4)
  })
})

describe('what the store has of files', () => {
  it('is not used by a release that reads other things of them', async () => {
    const store = new Store()
    await new Process(store, 12).open()
    for (const [key, part] of store.parts) store.parts.set(key, { ...part, head: { ...part.head, form: 0 } })
    const other = new Process(store, 12)
    expect(await other.open()).toBe(24)
    expect(new Set(other.opened).size).toBe(12)
  })

  it('is removed when most of the files are gone', async () => {
    const store = new Store()
    await new Process(store, 12).open(RUN)
    await new Process(store, 8).open(RUN)
    expect(store.parts.has('/f/run_11.nc')).toBe(true)
    await new Process(store, 3).open(RUN)
    expect(store.parts.has('/f/run_11.nc')).toBe(false)
    expect(store.parts.has('/f/run_02.nc')).toBe(true)
    const last = new Process(store, 3)
    await last.open(RUN)
    expect(last.opened).toEqual(['run_00.nc'])
  })
})

describe('a domain of very many files', () => {
  it('is reviewed by the first of them, and has more and more of them, the same in all processes', async () => {
    const store = new Store()
    const one = new Process(store, 12, 3)
    const review = await one.joined.review(parseDomainPath('/all.nc'), TIME, { ofFirst: true })
    expect([review.files.length, review.progress]).toEqual([3, { limit: 3, done: 3 }])
    expect((await one.joined.review(parseDomainPath('/all.nc'), TIME)).files).toHaveLength(12)
    store.state = { limit: 3, done: 3 }
    const first = await one.look()
    expect([first.madeOf?.length, first.progress]).toEqual([12, { limit: 3, done: 3 }])
    await vi.waitFor(async () => {
      await one.look()
      expect(store.state).toBeUndefined()
    }, SOON)
    const whole = await one.look()
    expect([whole.progress, await one.open()]).toEqual([undefined, 24])
    expect(whole.stamp).not.toBe(first.stamp)
    const other = new Process(store, 12, 3, 2)
    expect(await other.open()).toBe(24)
    expect(other.opened).toEqual(['run_00.nc'])
  })

  it('has as many as the store says, whatever this process has read', async () => {
    const store = new Store()
    store.setProgress = async () => false
    const one = new Process(store, 12, 3)
    for (const limit of [3, 5, 8]) {
      store.state = { limit, done: limit }
      expect([(await one.look()).progress, await one.open()]).toEqual([store.state, 2 * limit])
    }
    store.state = undefined
    expect(await one.open()).toBe(24)
  })

  it('ends its work with the process', async () => {
    const store = new Store()
    store.state = { limit: 3, done: 3 }
    const one = new Process(store, 12, 3)
    one.joined.close()
    await one.look()
    const other = new Store()
    other.state = { limit: 3, done: 3 }
    const two = new Process(other, 12, 3)
    await two.look()
    // The work of a process that goes on is over, which began later.
    await vi.waitFor(() => expect(other.state).toBeUndefined(), SOON)
    expect([store.state, one.opened]).toEqual([{ limit: 3, done: 3 }, []])
  })
})

it('files that were found are used while their folder does not answer', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const one = new Process(new Store(), 3)
    const before = await one.look()
    vi.advanceTimersByTime(2000)
    one.answers = false
    expect((await one.look()).stamp).toBe(before.stamp)
    const other = new Process(new Store(), 3)
    other.answers = false
    await expect(other.look()).rejects.toThrow('the folder hangs')
  } finally {
    vi.useRealTimers()
  }
})
