// Checks that the records or the blobs of the engine are really stored: writes a small record or blob and reads it
// back; the blob is deleted. This costs a commit, or two syncs of the disk. It conflicts with no other write and leaves
// one record.

import { idFromHex } from '@hyperslab/model/names'
import type { Engine, Random, StoreClock } from './interfaces/engine.ts'
import { timeBytes, timeOf } from './key-range.ts'
import { blobName, newVersion } from './records/blob-name.ts'
import { PROBE_KEY } from './records/keys.ts'
import { withSnapshot } from './records/with-snapshot.ts'

export interface ProbeParts {
  readonly engine: Engine
  readonly clock: StoreClock
  readonly random: Random
}

/** Microseconds. Another process, whose clock may differ, may have written the record since. */
const CLOCK_TOLERANCE = 60e6

/** No object has this id, so a blob that a crash leaves behind is swept. */
const NO_OBJECT = idFromHex('0'.repeat(32))

/** Rejects when the half of the engine does not store or return the bytes. */
export async function probe(half: 'records' | 'values', parts: ProbeParts): Promise<void> {
  await (half === 'records' ? probeRecord(parts) : probeBlob(parts))
}

async function probeRecord({ engine, clock }: ProbeParts): Promise<void> {
  // A commit may wait for a database that does not answer; a read fails at once.
  await readProbe(engine)
  const time = clock.stamp()
  // A batch without expectations is committed whatever other writes do.
  const change = { op: 'set', key: PROBE_KEY, value: timeBytes(time) } as const
  await engine.keyValue.commit({ expect: [], changes: [change] })
  const record = await readProbe(engine)
  if (record === undefined || timeOf(record) < time - CLOCK_TOLERANCE) {
    throw new Error('a committed record is missing')
  }
}

function readProbe({ keyValue }: Engine): Promise<Uint8Array | undefined> {
  return withSnapshot(keyValue, snapshot => snapshot.get(PROBE_KEY))
}

async function probeBlob({ engine, random }: ProbeParts): Promise<void> {
  const name = blobName({ dataset: NO_OBJECT, coordinates: new Uint8Array(0), version: newVersion(random) })
  const bytes = random(16)
  const read = new Uint8Array(bytes.length)
  try {
    await engine.blobs.put(name, [bytes])
    const count = await engine.blobs.read(name, 0, read)
    if (count !== bytes.length || Buffer.compare(read, bytes) !== 0) {
      throw new Error('a stored blob has other bytes than were written')
    }
  } finally {
    await engine.blobs.delete(name)
  }
}
