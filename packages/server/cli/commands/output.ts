// Standard output of a command: at the pace of its reader, and ended quietly when the reader ends, as `head` does.

import { once } from 'node:events'
import type { Api } from '@hyperslab/client'
import { formatCount } from '../import/import-report.ts'

export interface Output {
  /** Aborts when no program reads the output any more; `isUnread` knows the reason. */
  readonly unread: AbortSignal
  /** Prints a line; waits for a slow reader. */
  readonly print: (line: string) => Promise<void>
  /** Prints bytes as they are. */
  readonly write: (bytes: Uint8Array | string) => Promise<void>
}

class Unread extends Error {}

/** The output of a process has one end. */
let reader: AbortController | undefined

export function openOutput(): Output {
  reader ??= watchReader()
  const { signal } = reader
  const write = async (bytes: Uint8Array | string) => {
    signal.throwIfAborted()
    if (!process.stdout.write(bytes)) await once(process.stdout, 'drain', { signal })
  }
  return { unread: signal, write, print: line => write(`${line}\n`) }
}

function watchReader(): AbortController {
  const controller = new AbortController()
  // An error may come after the last line.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    controller.abort(error.code === 'EPIPE' ? new Unread('no program reads the output') : error)
  })
  return controller
}

export function isUnread(reason: unknown): boolean {
  return reason instanceof Unread
}

/** A name for a line of text: clients choose names, and a terminal obeys control characters. JSON has exact names. */
export function shownName(name: string): string {
  return name.replaceAll(/\p{Cc}/gu, '?')
}

/** Seconds since the epoch as a time of a line. */
export function shownTime(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:MM'.length)}Z`
}

/** The number of the files of a joined domain, and how many of them it has by now. */
export function formatFiles({ num_files: all, joining }: Pick<Api.Domain, 'num_files' | 'joining'>): string {
  const files = all === undefined ? 'files' : formatCount(all, 'file')
  return joining ? `${joining.joined} of ${files} so far` : files
}
