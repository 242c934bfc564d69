// The treatment of one part of a list that cannot be read: a link of a group, an attribute of an object.

import { HyperslabError } from '@hyperslab/base/errors'
import type { FractalHeap } from './fractal-heap.ts'

/** The result of `work`, at once if `work` returns it at once; undefined when the part is damaged and was reported. */
export type Attempt = <T>(work: () => T | Promise<T>) => T | undefined | Promise<T | undefined>

/** Leaves nothing out: the first damage is thrown. */
export const ATTEMPT_ALL: Attempt = work => work()

/** True when the error affects only one part of a file, and is not temporary, such as that of a file that changes. */
export function isHarmless(error: unknown): error is HyperslabError {
  return error instanceof HyperslabError && error.code !== 'file-damaged' && error.kind !== 'busy'
}

/** The batches until one cannot be read, which `attempt` reports. */
export async function* untilDamaged<Batch>(
  batches: AsyncIterable<Batch>,
  attempt: Attempt,
): AsyncGenerator<Batch> {
  const iterator = batches[Symbol.asyncIterator]()
  for (;;) {
    const next = await attempt(() => iterator.next())
    if (!next || next.done) return
    yield next.value
  }
}

/**
 * The number of damaged objects after which the others are not tried, since most of the heap is damaged.
 * @limit safety, members
 */
const MAX_DAMAGED = 100

/**
 * The objects of the ids, one after another; undefined for those that cannot be read. `budget` is that of their list.
 */
export async function readHeapObjects(
  heap: FractalHeap,
  ids: readonly Uint8Array[],
  attempt: Attempt,
  budget = heap.newBudget(),
): Promise<readonly (Uint8Array | undefined)[]> {
  try {
    return await heap.objects(ids, budget)
  } catch (error) {
    if (!isHarmless(error)) throw error
  }
  const objects: (Uint8Array | undefined)[] = []
  const each = heap.newBudget()
  let damagedCount = 0
  for (const id of ids) {
    const object = damagedCount < MAX_DAMAGED ? await attempt(() => heap.object(id, each)) : undefined
    if (!object) damagedCount++
    objects.push(object)
  }
  return objects
}
