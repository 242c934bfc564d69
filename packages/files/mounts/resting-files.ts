// Files that are open only while they are read, and some of the last read ones: a virtual dataset may have more sources
// than a process may open files. A file that was closed is opened again when it is read next, in the same state or not
// at all.

import { ByteGate } from '@hyperslab/base/bounded'
import { fileChanged } from './domain-errors.ts'
import type { LocalFile } from './local-file.ts'

/** A file that can be opened several times. */
export interface ReopenableFile {
  /** For messages. */
  readonly name: string
  /** Opens the file in the state that it had at first; undefined: it is in another one, or not there. */
  open(): Promise<LocalFile | undefined>
  /** Whether a file that is closed now would be opened in the same state. */
  isSame(): Promise<boolean>
  /** Called after each read. */
  onRead(file: LocalFile): void
}

/** The open ones of such files. */
export class RestingFiles {
  readonly #limit: number
  readonly #reads: ByteGate
  /** The least recently used first. */
  readonly #open = new Set<RestingFile>()

  /** `limit`: files that are open at once. */
  constructor(limit: number) {
    this.#limit = limit
    this.#reads = new ByteGate(limit)
  }

  /** Opens the file for the first time; undefined: there is none. */
  async open(file: ReopenableFile): Promise<LocalFile | undefined> {
    return this.#reads.pass(1, async () => {
      this.#makeRoom()
      const opened = await file.open()
      if (!opened) return undefined
      const resting = new RestingFile(this, file, opened)
      this.touch(resting)
      return resting
    })
  }

  /** Runs a read of a file that must be open meanwhile; no more are running than files may be open. */
  async read<T>(file: RestingFile, work: () => Promise<T>): Promise<T> {
    return this.#reads.pass(1, async () => {
      file.readers++
      try {
        if (!file.isOpen) this.#makeRoom()
        this.touch(file)
        return await work()
      } finally {
        file.readers--
      }
    })
  }

  touch(file: RestingFile): void {
    this.#open.delete(file)
    this.#open.add(file)
  }

  forget(file: RestingFile): void {
    this.#open.delete(file)
  }

  #makeRoom(): void {
    for (const file of this.#open) {
      if (this.#open.size < this.#limit) return
      if (file.readers === 0) file.rest()
    }
  }
}

class RestingFile implements LocalFile {
  /** Reads that are running. */
  readers = 0
  readonly stamp: string
  readonly #files: RestingFiles
  readonly #file: ReopenableFile
  #opened: Promise<LocalFile> | undefined
  #size: number
  #current: LocalFile | undefined
  #isClosed = false

  constructor(files: RestingFiles, file: ReopenableFile, opened: LocalFile) {
    this.#files = files
    this.#file = file
    this.#current = opened
    this.#opened = Promise.resolve(opened)
    this.#size = opened.size
    this.stamp = opened.stamp
  }

  get isOpen(): boolean {
    return this.#opened !== undefined
  }

  /** The current length, if the file is open and grows. */
  get size(): number {
    this.#size = this.#current?.size ?? this.#size
    return this.#size
  }

  read: LocalFile['read'] = (ranges, signal) => this.#readBy(file => file.read(ranges, signal))

  readInto: LocalFile['readInto'] = (target, position, signal) =>
    this.#readBy(file => file.readInto(target, position, signal))

  async isUnchanged(): Promise<boolean> {
    if (!this.isOpen && (await this.#file.isSame())) return true
    return this.#use(file => file.isUnchanged())
  }

  async hasGrown(): Promise<boolean> {
    return this.isOpen ? this.#use(file => file.hasGrown()) : false
  }

  close(): void {
    this.#isClosed = true
    this.rest()
  }

  /** Closes the file after its reads; the next one opens it again. */
  rest(): void {
    this.#size = this.size
    if (this.#current) this.#current.close()
    else
      this.#opened?.then(
        file => file.close(),
        () => undefined,
      )
    this.#opened = undefined
    this.#current = undefined
    this.#files.forget(this)
  }

  async #readBy<T>(work: (file: LocalFile) => Promise<T>): Promise<T> {
    try {
      return await this.#use(work)
    } finally {
      this.#file.onRead(this)
    }
  }

  #use<T>(work: (file: LocalFile) => Promise<T>): Promise<T> {
    return this.#files.read(this, async () => {
      if (this.#isClosed) throw new Error(`${this.#file.name} is read after it was closed`)
      this.#opened ??= this.#reopen()
      return work(await this.#opened)
    })
  }

  async #reopen(): Promise<LocalFile> {
    try {
      const file = await this.#file.open()
      if (!file) throw fileChanged(this.#file.name)
      this.#current = file
      return file
    } catch (error) {
      // The next read tries again.
      this.#opened = undefined
      this.#files.forget(this)
      throw error
    }
  }
}
