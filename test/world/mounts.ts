// Mounted files of a world: a table of paths and states in `/m`, which a test changes. They are followed, and have no
// contents.

import type { Acl, ObjectId } from '@hyperslab/model/names'
import { type DomainPath, isWithin, parseDomainPath } from '@hyperslab/model/names'
import type { MountedLook, MountedReads, Mounts } from '@hyperslab/store/store'
import { newRoot } from '../conformance/sample-objects.ts'

const ACL: Acl = []
const TOP = parseDomainPath('/m')

export class WorldMounts implements Mounts {
  /** The states of files; undefined: a folder. */
  readonly files = new Map<DomainPath, string | undefined>([[TOP, undefined]])
  /** A folder that does not answer. */
  hung: DomainPath | undefined
  /** The time that a look takes, in which files may change. */
  wait: () => Promise<void> | undefined = () => undefined
  /** The error of the next looks. */
  failure: Error | undefined
  readonly #roots = new Map<DomainPath, ObjectId>()

  begin(): MountedReads {
    return { areUsed: true, domain: async () => undefined, contents: () => undefined, close() {} } as never
  }

  async look(path: DomainPath, limit: number, isFolder: boolean): Promise<MountedLook | undefined> {
    if (this.failure) throw this.failure
    if (!isWithin(TOP, path) && !isWithin(path, TOP)) return undefined
    const { hung } = this
    const all = [...this.files.keys()]
      .filter(file => !hung || file === hung || !isWithin(hung, file))
      .filter(file => (isFolder ? isWithin(path, file) : file === path))
      .sort()
    const entries = all.slice(0, limit).map(file => this.#entryOf(file))
    await this.wait()
    return { entries, isWhole: all.length <= limit, aclAt: () => ACL, unknown: hung ? [hung] : [] }
  }

  reviewJoin = () => Promise.reject(new Error('nothing is joined'))

  joinStored = () => () => undefined

  async close(): Promise<void> {}

  put(path: string, state: string | undefined): void {
    this.files.set(parseDomainPath(path), state)
  }

  remove(path: string): void {
    this.files.delete(parseDomainPath(path))
  }

  #entryOf(path: DomainPath): MountedLook['entries'][number] {
    const state = this.files.get(path)
    const root = this.#roots.get(path) ?? newRoot()
    this.#roots.set(path, root)
    return state === undefined ? { path } : { path, root, state }
  }
}
