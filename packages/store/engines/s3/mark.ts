// The object hyperslab.json names the store to which the blobs of a bucket, or below a prefix, belong. Two stores in
// one location would sweep each other's blobs. It has a random id of the location, too, by which the store knows the
// location again.

import { randomBytes } from 'node:crypto'
import { type Clock, SYSTEM_CLOCK } from '@hyperslab/base/clock'
import type { Identity } from '../../records/identity.ts'
import { listPage, putWhole } from './blobs.ts'
import type { S3Client } from './client.ts'

const MARK = 'hyperslab.json'
/**
 * The number of the format. It is raised whenever another version of the program would read the stored blobs wrongly.
 */
const FORMAT = 1
/** Bytes of the object that says whose blobs these are. @limit safety, bytes */
const MAX_MARK_BYTES = 1024
const ID_BYTES = 16

/** A store, with the id of the location of its values once that is known. */
export type StoreIdentity = Pick<Identity, 'id' | 'place'>

export interface ClaimOptions {
  /** The bucket and the prefix, for messages. */
  readonly address: string
  /** Milliseconds after which a write of another process at the same moment is visible. */
  readonly settle: number
  /** Default: that of the system. */
  readonly clock?: Pick<Clock, 'sleep'>
}

/**
 * The id of the location, which is marked as that of the store if it has no mark and no blobs. Throws if it belongs to
 * another one. There are no conditional writes: of two processes that claim the location at one moment, the last one
 * has written the mark that stays, and every process that opens a store for the first time reads the mark again after
 * `settle`. A process that stops for longer than that between its read and its write takes the location nevertheless;
 * the others detect that at their next start.
 */
export async function claim(
  client: S3Client,
  { id, place }: StoreIdentity,
  { address, settle, clock = SYSTEM_CLOCK }: ClaimOptions,
): Promise<string> {
  const present = await readMark(client)
  if (present !== undefined) {
    const found = requireMark(present, id, address)
    if (place !== undefined) return found
  } else await writeMark(client, id, address)
  await clock.sleep(settle)
  return requireMark((await readMark(client)) ?? '', id, address)
}

async function writeMark(client: S3Client, store: string, address: string): Promise<void> {
  const { names } = await listPage(client, '', {})
  if (names.length > 0) {
    throw new Error(
      `blobs: ${address} holds blobs but no ${MARK}, so it is not known which store they belong to: use an ` +
        'empty prefix',
    )
  }
  const mark = { format: FORMAT, store, place: randomBytes(ID_BYTES).toString('hex') }
  await putWhole(client, MARK, Buffer.from(`${JSON.stringify(mark)}\n`))
}

async function readMark(client: S3Client): Promise<string | undefined> {
  const into = new Uint8Array(MAX_MARK_BYTES)
  const { status, received } = await client.send({ method: 'GET', key: MARK, into })
  return status === 404 ? undefined : Buffer.from(into.subarray(0, received)).toString()
}

/** The id of the location; empty for older marks without one. */
function requireMark(text: string, store: string, address: string): string {
  const mark = parseMark(text)
  if (mark?.format !== FORMAT) {
    const found = JSON.stringify(text.slice(0, 100))
    throw new Error(
      `blobs: ${MARK} of ${address} should hold {"format":${FORMAT},"store":...} but holds ${found}: use ` +
        'another prefix, or the version of Hyperslab that wrote it',
    )
  }
  if (mark.store !== store) {
    throw new Error(
      `blobs: ${address} belongs to another store (${JSON.stringify(mark.store)} in its ${MARK}): use another ` +
        'bucket or prefix',
    )
  }
  return typeof mark.place === 'string' ? mark.place : ''
}

function parseMark(
  text: string,
): Readonly<Partial<Record<'format' | 'store' | 'place', unknown>>> | undefined {
  try {
    const content: unknown = JSON.parse(text)
    return content !== null && typeof content === 'object' ? content : undefined
  } catch {
    return undefined
  }
}
