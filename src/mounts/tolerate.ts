// Parts of a mounted file that cannot be read or that the model does not allow are passed over where a whole is read.

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

/** False: the model does not allow the name. */
export function isAllowed(check: () => void): boolean {
  try {
    check()
    return true
  } catch (error) {
    harmless(error)
    return false
  }
}
