// A copy of a store from its beginning to its end: the target is marked as a copy that is not complete, gets the state
// of the source, is checked, and is then marked as complete.

import { checkStore } from './check/check-store.ts'
import { systemRandom } from './clock.ts'
import { CopyFailed, type CopyOptions, type CopySummary, copyStore } from './copy-store.ts'
import type { Engine } from './interfaces/engine.ts'
import { beginCopy, endCopy, makeIdentity } from './records/identity.ts'

/** Throws `CopyFailed` if the copy cannot be made, or is not complete. */
export async function makeCopy(source: Engine, target: Engine, options: CopyOptions): Promise<CopySummary> {
  const { id, copy: earlier } = await makeIdentity(source.keyValue, systemRandom)
  if (earlier?.isComplete === false)
    throw new CopyFailed('the store to copy is a copy itself, which is not complete')
  await beginCopy(target.keyValue, systemRandom, id).catch((error: unknown) => {
    throw new CopyFailed(error instanceof Error ? error.message : String(error))
  })
  const summary = await copyStore(source, target, options)
  await requireSound(target)
  await endCopy(target.keyValue)
  return summary
}

/** Throws unless the copy is sound: each record is compared with those that it names, each blob with its record. */
async function requireSound(engine: Engine): Promise<void> {
  const { findings, totals } = checkStore(engine)
  for await (const _ of findings);
  if (totals.errors > 0)
    throw new CopyFailed(`the copy has ${totals.errors} errors, as hyperslab check says, and is not complete`)
}
