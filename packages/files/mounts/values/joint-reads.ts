// Reads of values in one turn of the event loop become few reads of the file: ranges that are adjacent in the file and
// in memory become one, and small ranges are requested together, so that a remote source can join them.

import { HyperslabError } from '@hyperslab/base/errors'
import type { ByteSource } from '@hyperslab/h5/reader'
import type { StoredChunk } from '@hyperslab/store/chunks'

/** Fills `into` with the bytes of the file from `position` on. */
export type ReadBytes = (position: number, into: Uint8Array) => Promise<void>

/** Longer ranges are read directly into the target: copying them would cost more than a read. */
const LONG_BYTES = 2 ** 18
/** Bytes of small ranges that are requested together. */
const TOGETHER_BYTES = 2 ** 21

/**
 * Parts of a file up to this length are copied from the memory of the system faster than another thread could start.
 */
const SHORT_BYTES = 2 ** 16
/** Short parts that are read one after another; more of them might each wait for the disk. */
const FEW_PARTS = 16

interface WaitingRead {
  readonly position: number
  readonly into: Uint8Array
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

interface Stretch {
  readonly position: number
  into: Uint8Array
  readonly reads: WaitingRead[]
}

export function jointReads(source: ByteSource): ReadBytes {
  let waiting: WaitingRead[] = []
  const readAll = () => {
    const stretches = stretchesOf(waiting)
    waiting = []
    const small = stretches.filter(({ into }) => into.length < LONG_BYTES)
    const areFew = small.length === 1 || (source.readRanges && small.length <= FEW_PARTS)
    for (const stretch of stretches) {
      if (areFew || stretch.into.length >= LONG_BYTES) settle([stretch], readStretch(source, stretch))
    }
    if (areFew) return
    for (let first = 0; first < small.length; ) {
      let [end, bytes] = [first, 0]
      while (end < small.length && bytes < TOGETHER_BYTES) bytes += small[end++].into.length
      const some = small.slice(first, end)
      settle(some, readTogether(source, some))
      first = end
    }
  }
  return (position, into) =>
    new Promise((resolve, reject) => {
      if (into.length === 0) return resolve()
      // It runs after all work that is ready now.
      if (waiting.length === 0) process.nextTick(readAll)
      waiting.push({ position, into, resolve, reject })
    })
}

/** The stretches in the order of their positions. */
function stretchesOf(wanted: readonly WaitingRead[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const each of wanted.toSorted((a, b) => a.position - b.position)) {
    const { position, into } = each
    const last = stretches.at(-1)
    const isNext =
      last !== undefined &&
      last.position + last.into.length === position &&
      last.into.buffer === into.buffer &&
      last.into.byteOffset + last.into.length === into.byteOffset
    if (isNext) {
      last.into = new Uint8Array(into.buffer, last.into.byteOffset, last.into.length + into.length)
      last.reads.push(each)
    } else {
      stretches.push({ position, into, reads: [each] })
    }
  }
  return stretches
}

function settle(stretches: readonly Stretch[], read: Promise<void>): void {
  const reads = stretches.flatMap(stretch => stretch.reads)
  read.then(
    () => {
      for (const { resolve } of reads) resolve()
    },
    reason => {
      for (const { reject } of reads) reject(reason)
    },
  )
}

async function readStretch(source: ByteSource, { position, into }: Stretch): Promise<void> {
  const count = await readPart(source, into, position)
  if (count < into.length) throw cutOff(position, into.length)
}

/** Reads as many bytes as the source has there; short parts of a local file in this thread. */
export async function readPart(source: ByteSource, into: Uint8Array, position: number): Promise<number> {
  const { length } = into
  if (!source.readRanges || length > SHORT_BYTES) return source.readInto(into, position)
  return length - (await source.readRanges([{ position, length, offset: 0 }], into))
}

async function readTogether(source: ByteSource, stretches: readonly Stretch[]): Promise<void> {
  const pieces = await source.read(stretches.map(({ position, into }) => ({ position, length: into.length })))
  for (const [i, { position, into }] of stretches.entries()) {
    if (pieces[i].length < into.length) throw cutOff(position, into.length)
    into.set(pieces[i])
  }
}

/** A reader of many short ranges; undefined: the source is not faster at them than at one range around all. */
export function rangeReads({ readRanges }: ByteSource): StoredChunk['readRanges'] {
  if (!readRanges) return undefined
  return async (ranges, into) => {
    if ((await readRanges(ranges, into)) === 0) return
    throw cutOff(
      ranges[0].position,
      ranges[ranges.length - 1].position + ranges[ranges.length - 1].length - ranges[0].position,
    )
  }
}

function cutOff(position: number, length: number): HyperslabError {
  const rule = `the file ends before the ${length} bytes at ${position}: it was cut off or changed`
  return new HyperslabError('file-unreadable', rule)
}
