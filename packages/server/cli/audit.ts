// `hyperslab audit`: prints the lines of an audit that fit, as they are read, so that its size does not matter.

import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { systemCode } from '@hyperslab/base/files'
import type { AuditEntry } from '../http/watch/audit-log.ts'
import { type AuditFilter, fitsAudit, parseAuditLine } from '../http/watch/audit-search.ts'
import { UsageError } from './usage-error.ts'

export interface AuditOptions extends AuditFilter {
  readonly json?: boolean
}

/** Characters of a line; a longer one is none of the audit. @limit memory, characters */
const MAX_LINE = 1 << 20

/** `file`: its path, or `-` for standard input. */
export async function printAudit(file: string, options: AuditOptions): Promise<void> {
  const { since } = options
  if (since !== undefined && Number.isNaN(Date.parse(since)))
    throw new UsageError(`--since=${since} must be a date or time such as 2026-11-03 or 2026-11-03T09:00Z`)
  const input = file === '-' ? process.stdin : createReadStream(file)
  try {
    await pipeline(Readable.from(found(input, options)), process.stdout, { end: false })
  } catch (error) {
    const code = systemCode(error)
    // The reader, such as `head`, has enough.
    if (code === 'EPIPE') return
    if (code === undefined) throw error
    throw new UsageError(`${file} cannot be read: ${code}`, 1)
  }
}

/** The lines that fit, as they are printed. */
export async function* found(
  input: AsyncIterable<Uint8Array>,
  { json = false, ...options }: AuditOptions,
): AsyncGenerator<string> {
  for await (const line of linesOf(input)) {
    const entry = parseAuditLine(line)
    if (entry && fitsAudit(entry, options)) yield `${json ? line : format(entry)}\n`
  }
}

async function* linesOf(input: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of input) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = (lines.pop() ?? '').slice(0, MAX_LINE)
    yield* lines
  }
  if (rest !== '') yield rest
}

/** Time, user, operation, domain and the rest, for people. */
function format({ time, user, login, tried, sharedBy, outcome, status, ...entry }: AuditEntry): string {
  const name = user ?? (sharedBy === undefined ? (tried ?? '-') : `share of ${sharedBy}`)
  const end = outcome === 'done' ? '' : `${outcome} ${entry.code ?? entry.count ?? status}`
  const names = entry.what === undefined ? '' : JSON.stringify(entry.what)
  return [time, `${name} (${login ?? 'refused'})`, entry.operation, entry.domain, names, end]
    .filter(part => part !== undefined && part !== '')
    .join('  ')
}
