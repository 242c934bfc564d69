// Lines of an audit that fit: one by one for the command, and the last ones of a file for administrators.

import { type FileHandle, open } from 'node:fs/promises'
import type { AuditEntry } from './audit-log.ts'

export interface AuditFilter {
  /** A domain, or a folder with all below it. */
  readonly domain?: string | undefined
  readonly user?: string | undefined
  readonly since?: string | undefined
}

/** Bytes at the end of an audit that one request looks through. @limit safety, bytes */
const MAX_SEARCHED = 1 << 26
const BLOCK_BYTES = 1 << 16
const LINE_END = 10

/** Undefined: the line is none of the audit, for example one of the log on the same standard error. */
export function parseAuditLine(line: string): AuditEntry | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null && 'audit' in entry ? { ...entry } : undefined
  } catch {
    return undefined
  }
}

export function fitsAudit(entry: AuditEntry, { domain, user, since }: AuditFilter): boolean {
  const path = String(entry.domain ?? '')
  if (domain !== undefined && path !== domain && !path.startsWith(`${domain.replace(/\/$/, '')}/`))
    return false
  if (user !== undefined && ![entry.user, entry.sharedBy, entry.tried].includes(user)) return false
  return since === undefined || Date.parse(String(entry.time)) >= Date.parse(since)
}

export interface FoundEntries {
  /** The newest first. */
  readonly entries: readonly AuditEntry[]
  /** False: the file has more lines, which were not looked at. */
  readonly complete: boolean
}

/** The last entries of a file that fit, `limit` at most; of a file that is not there yet none. */
export async function lastEntries(path: string, filter: AuditFilter, limit: number): Promise<FoundEntries> {
  const file = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (file === undefined) return { entries: [], complete: true }
  try {
    const entries: AuditEntry[] = []
    for await (const line of linesFromEnd(file)) {
      if (line === undefined) return { entries, complete: false }
      const entry = parseAuditLine(line)
      if (entry === undefined || !fitsAudit(entry, filter)) continue
      if (entries.length === limit) return { entries, complete: false }
      entries.push(entry)
    }
    return { entries, complete: true }
  } finally {
    await file.close()
  }
}

/** The lines, the last one first; undefined at last, if the file has more than may be searched. */
async function* linesFromEnd(file: FileHandle): AsyncGenerator<string | undefined> {
  const { size } = await file.stat()
  const start = Math.max(0, size - MAX_SEARCHED)
  /** The beginning of a line whose rest was read, in pieces from the last to the first. */
  let rest: Buffer[] = []
  for (let end = size; end > start; ) {
    const length = Math.min(BLOCK_BYTES, end - start)
    end -= length
    const block = Buffer.alloc(length)
    const { bytesRead } = await file.read(block, 0, length, end)
    let to = bytesRead
    for (
      let at = block.lastIndexOf(LINE_END, to - 1);
      at >= 0;
      at = at === 0 ? -1 : block.lastIndexOf(LINE_END, at - 1)
    ) {
      yield joined(block.subarray(at + 1, to), rest)
      rest = []
      to = at
    }
    rest.push(block.subarray(0, to))
  }
  yield start > 0 ? undefined : joined(Buffer.alloc(0), rest)
}

function joined(first: Buffer, rest: readonly Buffer[]): string {
  return Buffer.concat([first, ...rest.toReversed()]).toString('utf8')
}
