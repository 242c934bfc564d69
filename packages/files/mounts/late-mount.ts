// A mount whose folder did not answer when the service started: it is opened by the first request for which it does.

import type { DomainPath } from '@hyperslab/model/names'
import type { Mount, MountedFile, MountedFolder } from './mount.ts'
import type { MountCalls, UnwellMount } from './mount-calls.ts'

export class LateMount implements Mount {
  readonly path: DomainPath
  readonly isRemote = false
  readonly #calls: MountCalls
  readonly #open: () => Promise<Mount>
  #opening: Promise<Mount> | undefined

  /** `open` throws `file-unavailable` as long as the folder does not answer. */
  constructor(path: DomainPath, calls: MountCalls, open: () => Promise<Mount>) {
    this.path = path
    this.#calls = calls
    this.#open = open
  }

  get unwell(): UnwellMount | undefined {
    return this.#calls.unwell
  }

  async find(path: DomainPath): Promise<MountedFile | MountedFolder | undefined> {
    return (await this.#opened()).find(path)
  }

  async *children(...asked: Parameters<Mount['children']>): AsyncGenerator<MountedFile | MountedFolder> {
    yield* (await this.#opened()).children(...asked)
  }

  async locate(holder: DomainPath, name: string): Promise<DomainPath | undefined> {
    return (await this.#opened()).locate(holder, name)
  }

  async close(): Promise<void> {}

  async #opened(): Promise<Mount> {
    this.#opening ??= this.#open()
    try {
      return await this.#opening
    } catch (error) {
      this.#opening = undefined
      throw error
    }
  }
}
