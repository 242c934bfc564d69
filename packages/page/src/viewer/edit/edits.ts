// The changes that this window has made in a domain, so that the last of them can be undone: each has a function that
// puts back what was there, unless somebody else has changed it since.

import { messageOf } from '../../common/errors.ts'
import { parentPath } from '../data/contents.ts'
import { ChangedMeanwhile } from './places.ts'

export interface Edit {
  /** What was done, as a sentence. */
  readonly text: string
  /** The objects that it changes; undefined: any. */
  readonly ids: ReadonlySet<string> | undefined
  /** Absent: it cannot be undone. */
  readonly undo?: (() => Promise<void>) | undefined
  /** The right that undoing it needs. */
  readonly undoRight: 'create' | 'update' | 'delete'
  /** Paths that it changes. */
  readonly move?: Move | undefined
  /** Frees the space of what was deleted: it cannot be undone any more. */
  readonly free?: (() => Promise<void>) | undefined
}

/** The path of an object before a change, and after it; absent: there is none. */
export interface Move {
  readonly before?: string
  readonly after?: string
}

/** The object that is shown after a change: the same one, wherever it is, or else the group that it was in. */
export function shownAfter(object: string, { before, after }: Move): string {
  if (before === undefined || !`${object}/`.startsWith(`${before}/`)) return object
  return after === undefined ? parentPath(before) : after + object.slice(before.length)
}

/** What is said of the last change. */
export interface Note {
  readonly text: string
  readonly isError: boolean
  /** The change that can be undone, if it can. */
  readonly edit: Edit | undefined
}

/** Changes that can be undone. */
const EDITS_KEPT = 100

export class Edits {
  readonly #changed: (ids: Edit['ids'], move: Move) => void
  readonly #stack: Edit[] = []
  readonly #watchers = new Set<() => void>()
  #note: Note | undefined
  #isBusy = false

  /** `changed` is called when the service has made a change, or has undone one. */
  constructor(changed: (ids: Edit['ids'], move: Move) => void) {
    this.#changed = changed
  }

  get note(): Note | undefined {
    return this.#note
  }

  readonly getNote = (): Note | undefined => this.#note

  readonly watch = (watcher: () => void): (() => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** The service has made a change. */
  done(edit: Edit): void {
    if (edit.undo) this.#stack.push(edit)
    if (this.#stack.length > EDITS_KEPT) this.#stack.shift()
    this.#changed(edit.ids, edit.move ?? {})
    this.#say({ text: edit.text, isError: false, edit: edit.undo ? edit : undefined })
  }

  /** A change that needs no dialog has failed. */
  failed(error: unknown): void {
    this.#say({ text: messageOf(error), isError: true, edit: undefined })
  }

  /** Undoes the last change. One that somebody else has changed since is left as it is, for good. */
  undo(): Promise<void> {
    return this.#run(async () => {
      const edit = this.#stack.at(-1)
      if (edit?.undo === undefined) return
      try {
        await edit.undo()
      } catch (error) {
        if (error instanceof ChangedMeanwhile) this.#stack.pop()
        const text = `Not undone (${withoutPoint(edit.text)}): ${messageOf(error)}`
        this.#say({ text, isError: true, edit: undefined })
        return
      }
      this.#stack.pop()
      const { before, after } = edit.move ?? {}
      this.#changed(edit.ids, {
        ...(after !== undefined && { before: after }),
        ...(before !== undefined && { after: before }),
      })
      this.#say({ text: `Undone: ${edit.text}`, isError: false, edit: this.#stack.at(-1) })
    })
  }

  /** Frees the space of what the change that the note is about has deleted. */
  free(): Promise<void> {
    return this.#run(async () => {
      const edit = this.#note?.edit
      if (edit?.free === undefined) return
      await edit.free()
      const place = this.#stack.indexOf(edit)
      if (place >= 0) this.#stack.splice(place, 1)
      this.#say({ text: `${edit.text} Its space is free.`, isError: false, edit: undefined })
    })
  }

  close(): void {
    this.#say(undefined)
  }

  async #run(action: () => Promise<void>): Promise<void> {
    if (this.#isBusy) return
    this.#isBusy = true
    try {
      await action()
    } finally {
      this.#isBusy = false
    }
  }

  #say(note: Note | undefined): void {
    this.#note = note
    for (const watcher of this.#watchers) watcher()
  }
}

function withoutPoint(text: string): string {
  return text.replace(/\.$/, '')
}
