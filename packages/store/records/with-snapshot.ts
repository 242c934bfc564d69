// Reading the newest state of the records outside of requests.

import type { KeyValue, Snapshot } from '../interfaces/engine.ts'

/** Runs `work` on a snapshot, and closes it afterwards. */
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
