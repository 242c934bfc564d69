// Reading the newest state of the records, for what is no part of a request.

import type { KeyValue, Snapshot } from '../engine.ts'

/** Closes the snapshot when `work` has ended. */
export async function withSnapshot<T>(
  keyValue: Pick<KeyValue, 'snapshot'>,
  work: (snapshot: Snapshot) => Promise<T>,
): Promise<T> {
  const snapshot = keyValue.snapshot()
  try {
    return await work(snapshot)
  } finally {
    snapshot.close()
  }
}
