// Checks of the records that another record names; many are looked up at once.

import type { ObjectId } from '@hyperslab/model/names'
import type { DomainEntry } from '../interfaces/store.ts'
import { decodeRecord } from '../records/record.ts'
import type { Finding } from './finding.ts'
import type { CheckParts } from './parts.ts'

/** Reports the finding when there is no record of the key. */
export function requireRecord({ later, report }: CheckParts, key: Uint8Array, finding: Finding): void {
  later.get(key, record => {
    if (record === undefined) report(finding)
  })
}

export function reportBroken({ report }: CheckParts, object: ObjectId, key: Uint8Array, found: string): void {
  report({ kind: 'broken-record', object, key, found })
}

/**
 * Whether a record agrees with the one that names it. A record that cannot be decoded passes: it is reported elsewhere.
 */
export function fits<Head>(record: Uint8Array | undefined, isSuch: (head: Head) => boolean): boolean {
  return record !== undefined && (orUndefined(() => isSuch(decodeRecord<Head>(record))) ?? true)
}

/** The entry in the record; undefined for a broken record, which is reported elsewhere. */
export function domainIn(record: Uint8Array): DomainEntry | undefined {
  return orUndefined(() => decodeRecord<DomainEntry>(record))
}

export function orUndefined<T>(decode: () => T): T | undefined {
  try {
    return decode()
  } catch {
    return undefined
  }
}
