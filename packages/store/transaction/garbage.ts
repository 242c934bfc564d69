// Garbage: names of blobs that no record names any more. A name that ends with `/` means the blobs below it, and one
// that begins with `?` a blob that a running write may still name. Garbage is noted in the bin that is the current one
// at the commit. The sweeper begins a new bin before it deletes garbage. So the garbage of the earlier bins was noted
// before a state whose number is known, and can be deleted when no older state is being read. No clock decides anything
// here.

import type { Change, Engine, Random } from '../interfaces/engine.ts'
import { BIN_KEY, binOf, binRecord, garbageFrom, garbageKey } from '../records/keys.ts'
import { withSnapshot } from '../records/with-snapshot.ts'

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

/** The first character of a note whose blob a running write may still name. */
export const UNCERTAIN = '?'

export interface ClosedBins {
  /** The number of the bin that follows them. */
  readonly below: number
  /** Their garbage was noted before this state, or with it. */
  readonly state: number
}

/** Begins a new bin if the current one is not empty; returns the bins before it. */
export async function closeBins(engine: Engine): Promise<ClosedBins> {
  const { keyValue } = engine
  const { record, isEmpty } = await currentBin(engine)
  const below = isEmpty ? binOf(record) : binOf(record) + 1
  if (!isEmpty) {
    const expect = [{ key: BIN_KEY, value: record }]
    // A conflict means that another process has done the same just before.
    await keyValue.commit({ expect, changes: [{ op: 'set', key: BIN_KEY, value: binRecord(below) }] })
  }
  return { below, state: (await keyValue.openSnapshots()).newest }
}

function currentBin({ keyValue }: Engine): Promise<{ record: Uint8Array | undefined; isEmpty: boolean }> {
  return withSnapshot(keyValue, async snapshot => {
    const record = await snapshot.get(BIN_KEY)
    for await (const _ of snapshot.range({ ...garbageFrom(binOf(record)), limit: 1 })) {
      return { record, isEmpty: false }
    }
    return { record, isEmpty: true }
  })
}
