// Writes that read a newer state than the one they began with, for example an upload of hours. That state no longer
// protects the blobs that they have put and not yet named, so each such write has a record, while it runs, with the
// state in which it began. Its commit expects the record: a write that was taken for dead, so that its blobs may have
// been swept, cannot name them any more.

import type { Engine, Expectation, Random } from '../interfaces/engine.ts'
import { hexOf } from '../key-range.ts'
import { LONG_WRITE_RANGE, longWriteKey } from '../records/keys.ts'
import { decodeRecord, encodeRecord } from '../records/record.ts'
import { withSnapshot } from '../records/with-snapshot.ts'

interface StoredLongWrite {
  readonly process: string
  /** The number of a state, not later than the one that it began with. */
  readonly since: number
}

/** Keys of records whose removal failed, in hex digits: the sweeper tries again. */
const left = new Set<string>()

export class LongWrite {
  readonly #engine: Engine
  readonly #key: Uint8Array
  readonly #record: Uint8Array

  private constructor(engine: Engine, key: Uint8Array, record: Uint8Array) {
    this.#engine = engine
    this.#key = key
    this.#record = record
  }

  /** Stores the record; must be called while the state that the write began with is still being read. */
  static async begin(engine: Engine, random: Random): Promise<LongWrite> {
    const { keyValue } = engine
    const { oldest: since } = await keyValue.openSnapshots()
    const key = longWriteKey(random(8))
    const record = encodeRecord({ process: keyValue.process, since } satisfies StoredLongWrite)
    await keyValue.commit({ expect: [], changes: [{ op: 'set', key, value: record }] })
    return new LongWrite(engine, key, record)
  }

  get expectation(): Expectation {
    return { key: this.#key, value: this.#record }
  }

  async remove(): Promise<void> {
    left.add(hexOf(this.#key))
    await this.#engine.keyValue.commit({ expect: [], changes: [{ op: 'delete', key: this.#key }] })
    left.delete(hexOf(this.#key))
  }
}

/** The number of the oldest state since which a long write of a living process runs. Records of others are removed. */
export async function oldestLongWrite({ keyValue }: Engine): Promise<number> {
  let oldest = Number.POSITIVE_INFINITY
  const dead: Uint8Array[] = []
  await withSnapshot(keyValue, async snapshot => {
    for await (const { key, value } of snapshot.range(LONG_WRITE_RANGE)) {
      const { process, since } = decodeRecord<StoredLongWrite>(value)
      if (!(await keyValue.isAlive(process)) || left.has(hexOf(key))) dead.push(key)
      else oldest = Math.min(oldest, since)
    }
  })
  const changes = dead.map(key => ({ op: 'delete', key }) as const)
  if (changes.length > 0) await keyValue.commit({ expect: [], changes })
  for (const key of dead) left.delete(hexOf(key))
  return oldest
}
