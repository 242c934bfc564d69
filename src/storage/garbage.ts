// Garbage: names of blobs that no record names any more; a name that ends with `/` means the blobs below it, and one that
// begins with `?` a blob that a write under way may still be going to name. It is noted in a bin, which is the current one when the note is committed. Whoever wants to delete
// garbage begins a new bin first; then all that the bins before hold was noted before some state, whose number is known,
// and can go when nobody reads an older one. No clock has a part in it, so none can be wrong.

import type { Change, Engine, Random } from './engine.ts'
import { BIN_KEY, binOf, binRecord, garbageFrom, garbageKey } from './records/keys.ts'

const RANDOM_BYTES = 8

/** Notes the names in the bin that is the current one at the commit. */
export function noteGarbage(names: readonly string[], random: Random): Change {
  const notes = names.map(name => ({ random: random(RANDOM_BYTES), value: Buffer.from(name) }))
  return {
    op: 'follow',
    key: BIN_KEY,
    changes: record =>
      notes.map(note => ({ op: 'set', key: garbageKey(binOf(record), note.random), value: note.value })),
  }
}

export const UNCERTAIN = '?'

export interface ClosedBins {
  /** The number of the bin that follows them. */
  readonly below: number
  /** All that they hold was noted before this state, or with it. */
  readonly state: number
}

/** Begins a new bin if the current one holds anything, and tells of those before it. */
export async function closeBins(engine: Engine): Promise<ClosedBins> {
  const { keyValue } = engine
  const { record, isEmpty } = await currentBin(engine)
  const below = isEmpty ? binOf(record) : binOf(record) + 1
  if (!isEmpty) {
    const expect = [{ key: BIN_KEY, value: record }]
    // It does not matter when another process has done the same just before.
    await keyValue.commit({ expect, changes: [{ op: 'set', key: BIN_KEY, value: binRecord(below) }] })
  }
  return { below, state: keyValue.openSnapshots().newest }
}

async function currentBin({
  keyValue,
}: Engine): Promise<{ record: Uint8Array | undefined; isEmpty: boolean }> {
  const snapshot = keyValue.snapshot()
  try {
    const record = await snapshot.get(BIN_KEY)
    for await (const _ of snapshot.range({ ...garbageFrom(binOf(record)), limit: 1 })) {
      return { record, isEmpty: false }
    }
    return { record, isEmpty: true }
  } finally {
    snapshot.close()
  }
}
