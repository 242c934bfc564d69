// Skips parts of a mounted file that cannot be read or that the model does not allow, when a whole is read.

import type { HyperslabError } from '@hyperslab/base/errors'
import type { Attempt } from '@hyperslab/h5/reader'
import { harmless } from '../transfer/file-objects.ts'

/** The result of the work; undefined: the part of the file cannot be read. */
export async function tolerate<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    harmless(error)
    return undefined
  }
}

/** The same, as the treatment of each part of a list. */
export const tolerated: Attempt = async work => tolerate(Promise.resolve().then(work))

/** The reason why the model does not allow the name; undefined: it allows it. */
export function failureOf(check: () => void): HyperslabError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return harmless(error)
  }
}
