// Files of this machine that are read where they are, with a check that they are still in the state in which they were
// opened.

import { type BigIntStats, constants, open, openSync } from 'node:fs'
import { type ByteRange, isTurnOver, nextTurn, type TargetRange } from '@hyperslab/base/bounded'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  type ByteSource,
  decodeSuperblock,
  findSignature,
  isGrowing,
  LONGEST_SUPERBLOCK,
  newMemory,
  readRange,
} from '@hyperslab/h5/reader'
import { type FileCalls, FileDescriptor, openInTime } from '../transfer/file-descriptor.ts'
import { descriptorSource, type FileTest, stampOf, testAt } from '../transfer/file-source.ts'
import { openFileFailure, unlessAbsent } from './file-failures.ts'
import { isFileOnLocalDisk, isLocalDevice } from './local-disk.ts'

/**
 * Two changes within one tick of the system's clock, which has 10 ms at most, have the same time. So only an older time
 * distinguishes the state of a file, or of a folder, from later ones.
 */
const SETTLED_MILLISECONDS = 20

/** The time after which a change gets another time than this one. */
export function unsettledMilliseconds({ ctimeMs }: Pick<BigIntStats, 'ctimeMs'>): number {
  const age = SYSTEM_CLOCK.now() - Number(ctimeMs)
  // A time in the future comes from another machine, whose clock is unknown.
  return age < 0 ? 0 : Math.max(0, SETTLED_MILLISECONDS - age)
}

/**
 * A file that a SWMR writer has open can be read beyond its former size, since its structures soon refer to the new
 * part.
 */
export interface LocalFile extends ByteSource {
  /** Equal to the functions of `OpenFile`. */
  isUnchanged(): Promise<boolean>
  hasGrown(): Promise<boolean>
  /** Closes the file after the running reads. */
  close(): void
}

/** A file of the system, and its name for messages. `calls` makes all calls that may have to wait. */
export interface FileLocation {
  readonly path: string
  readonly name: string
  readonly calls: FileCalls
}

/**
 * Opens the file at the path, without following a link. `expected` is the stamp of the required state or, if a SWMR
 * writer has the file open, of an earlier one. Undefined: there is no such file. Throws `NotReadable`, or the errors of
 * `openFileFailure` and of `calls`.
 */
export function openLocalFile(location: FileLocation, expected?: string): Promise<LocalFile | undefined> {
  const { name } = location
  const use = async (file: FileDescriptor, first: BigIntStats, isLocal: boolean) => {
    const wasGrowing = await isWrittenOn(sourceOf(file, first, name, isLocal))
    const unsettled = wasGrowing ? 0 : unsettledMilliseconds(first)
    if (unsettled > 0) await SYSTEM_CLOCK.sleep(unsettled)
    const stat = unsettled > 0 ? await file.stat() : first
    const isExpected = wasGrowing ? deviceAndFileOf : (stamp: string) => stamp
    if (expected !== undefined && isExpected(expected) !== isExpected(stampOf(stat))) {
      file.close()
      return undefined
    }
    const size = Number(stat.size)
    const source = sourceOf(file, stat, name, isLocal, wasGrowing ? Infinity : size)
    let lastSize = size
    const statNow = async () => {
      try {
        const now = isLocal ? file.statAtOnce() : await file.stat()
        lastSize = Number(now.size)
        return now
      } catch (error) {
        throw openFileFailure(error, name)
      }
    }
    return {
      ...source,
      get size() {
        if (!wasGrowing) return size
        // Elsewhere it is the size of the last look: a network could block this thread.
        return Math.max(size, isLocal ? file.currentSize() : lastSize)
      },
      async isUnchanged() {
        const now = await statNow()
        return (
          isSameState(stat, now) ||
          (wasGrowing && now.size >= stat.size && isWrittenOn(sourceOf(file, now, name, isLocal)))
        )
      },
      hasGrown: async () => wasGrowing && !isSameState(stat, await statNow()),
      close: () => (isLocal ? file.closeAtOnce() : file.close()),
    }
  }
  return withRegularFile(location, use, expected)
}

/**
 * Whether the file is an HDF5 file, and its stamp if it distinguishes the state from all later ones. `known` is the
 * stamp that it had a moment ago. Otherwise like `openLocalFile`.
 */
export function testSignature(
  location: FileLocation,
  known: string,
): Promise<{ readonly test: FileTest; readonly stamp?: string } | undefined> {
  const use = async (file: FileDescriptor, stat: BigIntStats, isLocal: boolean) => {
    const isSettled = unsettledMilliseconds(stat) === 0
    const source = sourceOf(file, stat, location.name, isLocal)
    const test = await testAt(source, await findSignature(source))
    if (isLocal) file.closeAtOnce()
    else file.close()
    return { test, ...(isSettled && { stamp: stampOf(stat) }) }
  }
  return withRegularFile(location, use, known)
}

/** `use` closes the file, unless it fails. A file whose state is known may be opened in this thread. */
async function withRegularFile<T>(
  { path, name, calls }: FileLocation,
  use: (file: FileDescriptor, stat: BigIntStats, isLocal: boolean) => Promise<T>,
  known?: string,
): Promise<T | undefined> {
  const quick = known !== undefined && isLocalDevice(deviceOf(known)) ? openAtOnce(path, calls) : undefined
  const open = async () => quick ?? openInTime(calls, () => openDescriptor(path, calls))
  const file = await unlessAbsent(open(), name)
  if (file === undefined) return undefined
  try {
    const stat = quick ? file.statAtOnce() : await file.stat()
    if (stat.isFile()) return await use(file, stat, await isFileOnLocalDisk(stat, path, calls))
  } catch (error) {
    file.close()
    throw openFileFailure(error, name)
  }
  file.close()
  return undefined
}

/** Opening a pipe would otherwise wait for its writer. */
const READ_ONLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** Undefined: it cannot be opened; the other way to open it finds the reason. */
function openAtOnce(path: string, calls: FileCalls): FileDescriptor | undefined {
  try {
    return new FileDescriptor(openSync(path, READ_ONLY), calls)
  } catch {
    return undefined
  }
}

function openDescriptor(path: string, calls: FileCalls): Promise<FileDescriptor> {
  return new Promise((resolve, reject) => {
    open(path, READ_ONLY, (error, number) =>
      error ? reject(error) : resolve(new FileDescriptor(number, calls)),
    )
  })
}

function sourceOf(
  file: FileDescriptor,
  stat: BigIntStats,
  name: string,
  isLocal: boolean,
  size = Number(stat.size),
): ByteSource {
  const described = descriptorSource(file, size, stampOf(stat))
  const fail = (error: unknown): never => {
    throw openFileFailure(error, name)
  }
  const source: ByteSource = {
    ...described,
    read: (ranges, signal) => described.read(ranges, signal).catch(fail),
    readInto: (target, position, signal) => described.readInto(target, position, signal).catch(fail),
  }
  if (!isLocal) return source
  const readRanges = shortReads(file, source, name)
  const read: ByteSource['read'] = async (ranges, signal) => {
    signal?.throwIfAborted()
    return (await readShort(ranges, size, readRanges)) ?? source.read(ranges, signal)
  }
  return { ...source, read, readRanges }
}

/** Bytes that are read together within this thread. */
const SHORT_BYTES = 2 ** 17

/** Undefined: they are too long, or cannot be read; the other way to read them finds the reason. */
async function readShort(
  ranges: readonly ByteRange[],
  size: number,
  readRanges: NonNullable<ByteSource['readRanges']>,
): Promise<readonly Uint8Array[] | undefined> {
  let total = 0
  const targets = ranges.map(({ position, length }): TargetRange => {
    const inFile = Math.max(0, Math.min(length, size - position))
    total += inFile
    return { position, length: inFile, offset: total - inFile }
  })
  if (total > SHORT_BYTES) return undefined
  const memory = newMemory(total)
  const missing = await readRanges(targets, memory).catch(() => 1)
  if (missing > 0) return undefined
  return targets.map(({ offset, length }) => memory.subarray(offset, offset + length))
}

/** Reads of one step, which may wait for the disk. @limit safety, reads */
const READS_AT_ONCE = 16
/** A step that takes longer waits for the disk. */
const WAIT_MILLISECONDS = 1
/** The number of steps that may wait, or be interrupted, before the other ranges are read in other threads. */
const MOST_WAITS = 3

/**
 * Reads short ranges one after another in this thread, in turns: most bytes are in the memory of the system, and
 * passing the work to another thread takes longer than copying 64 KiB. When the disk is slow, the other ranges are read
 * in other threads.
 */
function shortReads(
  file: FileDescriptor,
  source: ByteSource,
  name: string,
): NonNullable<ByteSource['readRanges']> {
  const readAtOnce = (target: Uint8Array, range: TargetRange): number => {
    try {
      return file.readAtOnce(target, range)
    } catch (error) {
      throw openFileFailure(error, name)
    }
  }
  return async (ranges, target) => {
    let [missing, waits, next] = [0, 0, 0]
    while (next < ranges.length && waits < MOST_WAITS) {
      if (isTurnOver()) await nextTurn()
      const start = SYSTEM_CLOCK.elapsed()
      for (const end = next + READS_AT_ONCE; next < end && next < ranges.length; next++) {
        missing += ranges[next].length - readAtOnce(target, ranges[next])
      }
      if (SYSTEM_CLOCK.elapsed() - start > WAIT_MILLISECONDS) waits++
    }
    const others = ranges.slice(next)
    for (const [i, bytes] of (await source.read(others)).entries()) {
      missing += others[i].length - bytes.length
      target.set(bytes, others[i].offset)
    }
    return missing
  }
}

function deviceOf(stamp: string): bigint {
  return BigInt(stamp.slice(0, stamp.indexOf('-')))
}

/** The beginning of a stamp, which a file keeps while it is written. */
function deviceAndFileOf(stamp: string): string {
  return stamp.split('-', 2).join('-')
}

/**
 * Compares two states of one file. When it gains or loses a name, because it was replaced for example, it has a new
 * ctime and its old bytes.
 */
function isSameState(before: BigIntStats, now: BigIntStats): boolean {
  if (now.size !== before.size || now.mtimeNs !== before.mtimeNs) return false
  return now.ctimeNs === before.ctimeNs || now.nlink !== before.nlink
}

async function isWrittenOn(source: ByteSource): Promise<boolean> {
  const position = await findSignature(source)
  if (position === undefined) return false
  const bytes = await readRange(source, position, LONGEST_SUPERBLOCK)
  try {
    return isGrowing(decodeSuperblock(bytes))
  } catch (error) {
    // The superblock is damaged.
    if (error instanceof HyperslabError) return false
    throw error
  }
}
