// Parts of a mounted file that cannot be read or that the model does not allow are passed over where a whole is read.

import type { HyperslabError } from '../errors.ts'
import { harmless } from '../transfer/file-objects.ts'

/** Undefined: the part of the file cannot be read. */
export async function tolerate<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    harmless(error)
    return undefined
  }
}

/** Why the model does not allow the name; undefined: it does. */
export function failureOf(check: () => void): HyperslabError | undefined {
  try {
    check()
    return undefined
  } catch (error) {
    return harmless(error)
  }
}
