// The secret of a store from which the ids of mounted objects follow (mounts/object-ids.ts): without it, the path of an
// object could be guessed from its id, and two stores would have the same ids. It is a record, so that all processes on
// the store, and its copies, have the same ids. It is made once. Logins under way at identity providers are sealed with
// it, too (http/auth/pending-logins.ts).

import type { KeyValue, Random } from '../interfaces/engine.ts'
import { hexOf } from '../key-range.ts'
import { MOUNT_SECRET_KEY } from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { withSnapshot } from './with-snapshot.ts'

const BYTES = 32

/** Returns the secret, which is made durably if it is missing. */
export async function makeMountSecret(keyValue: KeyValue, random: Random): Promise<Uint8Array> {
  for (;;) {
    const record = await withSnapshot(keyValue, snapshot => snapshot.get(MOUNT_SECRET_KEY))
    if (record) return decodeMountSecret(record)
    const secret = random(BYTES)
    if (await addMountSecret(keyValue, secret)) return secret
  }
}

/** False: the store has one, which stays as it is. */
async function addMountSecret(keyValue: KeyValue, secret: Uint8Array): Promise<boolean> {
  const { committed } = await keyValue.commit({
    expect: [{ key: MOUNT_SECRET_KEY, value: undefined }],
    changes: [{ op: 'set', key: MOUNT_SECRET_KEY, value: encodeRecord({ secret: hexOf(secret) }) }],
  })
  return committed
}

/** Decodes the secret; the error contains no part of the record. */
export function decodeMountSecret(record: Uint8Array): Uint8Array {
  const secret = parseMountSecret(secretIn(record))
  if (secret === undefined)
    throw new Error(
      `the record of the secret of mounts should hold ${2 * BYTES} hexadecimal digits: restore a copy of the store`,
    )
  return secret
}

/** The bytes of the secret; undefined: the string is not a secret. */
function parseMountSecret(hex: string): Uint8Array | undefined {
  const secret = Buffer.from(hex, 'hex')
  return secret.length === BYTES ? secret : undefined
}

function secretIn(record: Uint8Array): string {
  try {
    return String(decodeRecord<{ readonly secret: unknown }>(record).secret)
  } catch {
    return ''
  }
}
