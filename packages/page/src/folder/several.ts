// One action on several entries of a folder.

import type { Api } from '@hyperslab/client'
import { messageOf } from '../common/errors.ts'
import { nameOf } from '../shell/address.ts'

/** Failures that the message names. */
const NAMED = 3

/** Acts on one after the other. Throws at the end if some failed: the others are done. */
export async function actOnEach(
  items: readonly Api.ListedDomain[],
  act: (item: Api.ListedDomain) => Promise<unknown>,
): Promise<void> {
  const failures: string[] = []
  for (const item of items) {
    try {
      await act(item)
    } catch (error) {
      failures.push(items.length === 1 ? messageOf(error) : `${nameOf(item.name)}: ${messageOf(error)}`)
    }
  }
  if (failures.length === 0) return
  if (items.length === 1) throw new Error(failures[0])
  const named = failures.slice(0, NAMED).join('; ')
  const others = failures.length > NAMED ? `; and ${failures.length - NAMED} more` : ''
  throw new Error(`${failures.length} of ${items.length} failed. ${named}${others}`)
}
