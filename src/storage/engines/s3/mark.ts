// The object hyperslab.json says which store the blobs of a bucket, or below a prefix, belong to. Two stores in one place would
// sweep each other's blobs.

import { setTimeout as delay } from 'node:timers/promises'
import { listPage, putWhole } from './blobs.ts'
import type { S3Client } from './client.ts'

const MARK = 'hyperslab.json'
/** To be raised whenever blobs are stored so that another version of the program would read them wrongly. */
const FORMAT = 1
const MAX_MARK_BYTES = 1024

export interface ClaimOptions {
  /** The bucket and the prefix, for messages. */
  readonly place: string
  /** Milliseconds until what another process may have written at the same moment is seen. */
  readonly settle: number
}

/**
 * Marks the place as that of the store, if it has no mark and no blobs; throws if it belongs to another one. Without conditional
 * writes, the last one of two stores that claim it at one moment has it, and the other one reads so after `settle`. One that
 * stops between its look and its write for longer than that takes the place nevertheless; the other one finds that at its next
 * start.
 */
export async function claim(client: S3Client, store: string, { place, settle }: ClaimOptions): Promise<void> {
  const present = await readMark(client)
  if (present !== undefined) return requireMark(present, store, place)
  const { names } = await listPage(client, '', {})
  if (names.length > 0) {
    throw new Error(
      `blobs: ${place} holds blobs but no ${MARK}, so it is not known which store they belong to: use an empty prefix`,
    )
  }
  await putWhole(client, MARK, Buffer.from(`${JSON.stringify({ format: FORMAT, store })}\n`))
  await delay(settle)
  requireMark((await readMark(client)) ?? '', store, place)
}

async function readMark(client: S3Client): Promise<string | undefined> {
  const into = new Uint8Array(MAX_MARK_BYTES)
  const { status, received } = await client.send({ method: 'GET', key: MARK, into })
  return status === 404 ? undefined : Buffer.from(into.subarray(0, received)).toString()
}

function requireMark(text: string, store: string, place: string): void {
  const mark = parseMark(text)
  if (mark?.format !== FORMAT) {
    const found = JSON.stringify(text.slice(0, 100))
    throw new Error(
      `blobs: ${MARK} of ${place} should hold {"format":${FORMAT},"store":...} but holds ${found}: use another prefix, or the version of Hyperslab that wrote it`,
    )
  }
  if (mark.store !== store) {
    throw new Error(
      `blobs: ${place} belongs to another store (${JSON.stringify(mark.store)} in its ${MARK}): use another bucket or prefix`,
    )
  }
}

function parseMark(text: string): { readonly format?: unknown; readonly store?: unknown } | undefined {
  try {
    const content: unknown = JSON.parse(text)
    return content !== null && typeof content === 'object' ? content : undefined
  } catch {
    return undefined
  }
}
