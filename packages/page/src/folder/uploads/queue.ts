// Uploads of files to a folder: some at once, each with its progress and its error. Each is sent wholly or not at all,
// and only if no domain has its name: trying again, or dropping the same files again, sends the missing ones.

import { messageOf } from '../../common/errors.ts'
import type { DroppedFile } from './dropped-files.ts'
import { isBusy, type Loss, type Upload } from './upload.ts'
import { type Beginning, sentBytes } from './upload-total.ts'

/** Uploads at once: the service reads each file again after it has received it. */
const AT_ONCE = 2

export interface UploadsState {
  readonly all: readonly Upload[]
  /** Files that have become domains since the page was opened. */
  readonly count: number
  readonly beginning: Beginning
}

/** Sends a file and returns its losses; undefined: a domain exists already, and the file was not sent. */
export type Send = (
  upload: Upload,
  onProgress: (bytes: number) => void,
) => Promise<readonly Loss[] | undefined>

export class UploadQueue {
  readonly #send: Send
  readonly #now: () => number
  readonly #listeners = new Set<() => void>()
  readonly #queue: Upload[] = []
  #state: UploadsState = { all: [], count: 0, beginning: { time: 0, sent: 0 } }
  #running = 0
  #next = 0

  /** `now` is in milliseconds. */
  constructor(send: Send, now: () => number) {
    this.#send = send
    this.#now = now
  }

  /** Another object after each change. */
  readonly state = (): UploadsState => this.#state

  /** Calls `listener` after each change, until the returned function is called. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** `folder` ends with a slash. Files for paths that are being uploaded are skipped. */
  add(files: readonly DroppedFile[], folder: string): void {
    const { all } = this.#state
    const busy = new Set(all.filter(isBusy).map(({ path }) => path))
    const uploads = files
      .map(({ path, file }) => ({ folder, path: `${folder}${path}`, file, state: 'waiting' as const }))
      .filter(({ path }) => !busy.has(path))
      .map((upload): Upload => ({ id: this.#next++, ...upload }))
    const paths = new Set(uploads.map(({ path }) => path))
    // The outcome of an earlier upload to the same path is dropped.
    this.#set({ all: [...all.filter(({ path }) => !paths.has(path)), ...uploads] })
    this.#enqueue(uploads)
  }

  /** Tries the failed uploads of the list once more. */
  retry(uploads: readonly Upload[]): void {
    const ids = new Set(uploads.map(({ id }) => id))
    const failed = this.#state.all.filter(({ id, state }) => state === 'failed' && ids.has(id))
    for (const { id } of failed) this.#change(id, { state: 'waiting' })
    this.#enqueue(failed)
  }

  /** Removes finished uploads from the list. */
  clear(): void {
    this.#set({ all: this.#state.all.filter(isBusy) })
  }

  #enqueue(uploads: readonly Upload[]): void {
    if (this.#running === 0) this.#set({ beginning: { time: this.#now(), sent: sentBytes(this.#state.all) } })
    this.#queue.push(...uploads)
    for (let i = 0; i < AT_ONCE; i++) void this.#run()
  }

  async #run(): Promise<void> {
    if (this.#running >= AT_ONCE) return
    this.#running++
    for (let upload = this.#queue.shift(); upload; upload = this.#queue.shift()) {
      const { id } = upload
      this.#change(id, { state: 'sending', sent: undefined, error: undefined })
      try {
        const losses = await this.#send(upload, sent => this.#change(id, { sent }))
        this.#change(id, losses ? { state: 'done', losses } : { state: 'there' })
        if (losses) this.#set({ count: this.#state.count + 1 })
      } catch (error) {
        this.#change(id, { state: 'failed', error: messageOf(error) })
      }
    }
    this.#running--
  }

  #change(id: number, changes: Partial<Upload>): void {
    const { all } = this.#state
    this.#set({ all: all.map(upload => (upload.id === id ? { ...upload, ...changes } : upload)) })
  }

  #set(changes: Partial<UploadsState>): void {
    this.#state = { ...this.#state, ...changes }
    for (const listener of this.#listeners) listener()
  }
}
