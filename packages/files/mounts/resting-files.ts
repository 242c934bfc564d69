// Files that are open only while they are read, and some of the last read ones: a virtual dataset, or a joined domain,
// may have more sources than a process may open files. A file that was closed is opened again when it is read next, in
// the same state or not at all.

import { ByteGate } from '@hyperslab/base/bounded'
import type { ByteSource } from '@hyperslab/h5/reader'
import { fileChanged } from './domain-errors.ts'
import type { LocalFile } from './local-file.ts'
import type { OpenFile } from './mount.ts'

/** The parts of an open file that a resting one needs. */
export type RestableFile = Pick<OpenFile, 'source' | 'isUnchanged' | 'hasGrown' | 'close'>

/** A file that can be opened several times. */
export interface ReopenableFile<Opened extends RestableFile = RestableFile> {
  /** For messages. */
  readonly name: string
  /** All files of one owner can be closed together. */
  readonly owner?: object
  /** Opens the file in the state that it had at first; undefined, or `file-changed`: it is in another one, or gone. */
  open(): Promise<Opened | undefined>
  /** Called after each read. */
  onRead(file: LocalFile): void
}

/** The open ones of such files. */
export class RestingFiles {
  readonly #limit: number
  readonly #reads: ByteGate
  /** Makes room for one file after another, so that two do not take the same place. */
  readonly #room = new ByteGate(1)
  /** The least recently used first. */
  readonly #open = new Set<Resting>()

  /** `limit`: files that are open at once. */
  constructor(limit: number) {
    this.#limit = limit
    this.#reads = new ByteGate(limit)
  }

  /** Opens the file for the first time; undefined: there is none. */
  async open<Opened extends RestableFile>(
    file: ReopenableFile<Opened>,
  ): Promise<RestingFile<Opened> | undefined> {
    const resting = new RestingFile(this, file)
    return this.read(resting, async () => ((await resting.begin()) ? resting : undefined))
  }

  /** Runs a read of a file that must be open meanwhile; no more are running than files may be open. */
  async read<T>(file: Resting, work: () => Promise<T>): Promise<T> {
    return this.#reads.pass(1, async () => {
      file.readers++
      try {
        if (!this.#open.has(file)) await this.#room.pass(1, () => this.#makeRoom(file))
        this.#touch(file)
        return await work()
      } finally {
        file.readers--
      }
    })
  }

  #touch(file: Resting): void {
    this.#open.delete(file)
    this.#open.add(file)
  }

  forget(file: Resting): void {
    this.#open.delete(file)
  }

  /** The files of the owner that are open. */
  openOf(owner: object): readonly Resting[] {
    return [...this.#open].filter(file => file.owner === owner)
  }

  async #makeRoom(file: Resting): Promise<void> {
    for (const other of [...this.#open]) {
      if (this.#open.size < this.#limit) break
      if (other.readers === 0) await other.rest()
    }
    this.#touch(file)
  }
}

/** A resting file, whatever it opens. */
interface Resting extends LocalFile {
  readonly owner: object | undefined
  /** Reads that are running. */
  readers: number
  rest(): Promise<void>
}

/** Its functions `read` and `readInto` can be used without it. */
export class RestingFile<Opened extends RestableFile> implements Resting {
  readers = 0
  readonly #files: RestingFiles
  readonly #file: ReopenableFile<Opened>
  #opened: Promise<Opened> | undefined
  #current: Opened | undefined
  #stamp = ''
  #size = 0
  /** Reads that have ended, and the first of them, after which the file was still in its first state. */
  #reads = 0
  #checked = 0
  #isClosed = false

  constructor(files: RestingFiles, file: ReopenableFile<Opened>) {
    this.#files = files
    this.#file = file
  }

  get name(): string {
    return this.#file.name
  }

  get owner(): object | undefined {
    return this.#file.owner
  }

  get stamp(): string {
    return this.#stamp
  }

  /** The current length, if the file is open and grows. */
  get size(): number {
    this.#size = this.#current?.source.size ?? this.#size
    return this.#size
  }

  read: ByteSource['read'] = (ranges, signal) => this.use(({ source }) => source.read(ranges, signal))

  readInto: ByteSource['readInto'] = (target, position, signal) =>
    this.use(({ source }) => source.readInto(target, position, signal))

  /** Opens the file for the first time, within a read. False: there is none. */
  async begin(): Promise<boolean> {
    try {
      this.#current = await this.#file.open()
    } finally {
      if (!this.#current) this.#files.forget(this)
    }
    if (!this.#current) return false
    this.#opened = Promise.resolve(this.#current)
    this.#stamp = this.#current.source.stamp
    return true
  }

  /** Reads the open file. */
  async use<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    try {
      return await this.#open(work)
    } finally {
      this.#reads++
      this.#file.onRead(this)
    }
  }

  async isUnchanged(): Promise<boolean> {
    // It was looked at when it was closed.
    if (!this.#opened && this.#checked === this.#reads) return true
    return this.#open(opened => this.#check(opened))
  }

  async hasGrown(): Promise<boolean> {
    return this.#opened !== undefined && this.#open(async opened => (await opened.hasGrown?.()) ?? false)
  }

  close(): void {
    this.#isClosed = true
    this.#closeNow()
  }

  /**
   * Looks at the file, so that `isUnchanged` need not open it again, and closes it, unless it is read meanwhile. The
   * next read opens it again.
   */
  async rest(): Promise<void> {
    const opened = this.#current
    // After a look that fails `isUnchanged` opens the file again, and has the reason.
    if (opened && this.#checked < this.#reads) await this.#check(opened).catch(() => false)
    if (this.readers === 0 && this.#current === opened) this.#closeNow()
  }

  async #check(opened: Opened): Promise<boolean> {
    const reads = this.#reads
    const isUnchanged = await opened.isUnchanged()
    if (isUnchanged) this.#checked = Math.max(this.#checked, reads)
    return isUnchanged
  }

  /** Closes the file after its reads. */
  #closeNow(): void {
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

  #open<T>(work: (opened: Opened) => Promise<T>): Promise<T> {
    return this.#files.read(this, async () => {
      if (this.#isClosed) throw new Error(`${this.name} is read after it was closed`)
      this.#opened ??= this.#reopen()
      return work(await this.#opened)
    })
  }

  async #reopen(): Promise<Opened> {
    try {
      const opened = await this.#file.open()
      if (!opened) throw fileChanged(this.name)
      this.#current = opened
      return opened
    } catch (error) {
      // The next read tries again.
      this.#opened = undefined
      this.#files.forget(this)
      throw error
    }
  }
}
