// The identity of a store: a record with a random id. If the values are elsewhere than the records, their location is
// marked with this id, and the record has the id of that location, so that all servers use the same one. An unused copy
// names the store that it was copied from: so it is not used before it is complete, and not overwritten afterwards.

import type { Entry, KeyValue, Random } from '../interfaces/engine.ts'
import { EVERYTHING, hexOf } from '../key-range.ts'
import { IDENTITY_KEY } from './keys.ts'
import { decodeRecord, encodeRecord } from './record.ts'
import { withSnapshot } from './with-snapshot.ts'

export interface Identity {
  /** 32 hexadecimal digits. */
  readonly id: string
  /** Absent: the store is not a copy, or has been used since. */
  readonly copy?: {
    /** The id of the store that is copied. */
    readonly of: string
    readonly isComplete: boolean
  }
  /** The id of the location of the values, where that is apart from the records. Absent: it has not been opened yet. */
  readonly place?: string
}

const ID_BYTES = 16

/** Undefined: the store has no id yet, which it needs only if its two halves are apart or it is copied. */
export async function readIdentity(keyValue: Pick<KeyValue, 'snapshot'>): Promise<Identity | undefined> {
  return withSnapshot(keyValue, async snapshot => {
    const record = await snapshot.get(IDENTITY_KEY)
    return record && decodeRecord<Identity>(record)
  })
}

/** Returns the identity of the store, or gives it one. */
export async function makeIdentity(keyValue: KeyValue, random: Random): Promise<Identity> {
  for (;;) {
    const known = await readIdentity(keyValue)
    if (known) return known
    const identity = { id: hexOf(random(ID_BYTES)) }
    // The commit expects no identity, since another process may have made one meanwhile.
    if (await commitIdentity(keyValue, undefined, identity)) return identity
  }
}

/**
 * Must be called before a store is used: from now on it is no longer an unused copy. Throws if it is an incomplete
 * copy.
 */
export async function takeIdentity(keyValue: KeyValue): Promise<void> {
  const identity = await readIdentity(keyValue)
  if (identity?.copy === undefined) return
  if (!identity.copy.isComplete)
    throw new Error('the store is a copy that is not complete: run hyperslab copy once more')
  if (!(await commitIdentity(keyValue, identity, withoutCopy(identity)))) return takeIdentity(keyValue)
}

function withoutCopy({ copy: _, ...identity }: Identity): Identity {
  return identity
}

/**
 * Must be called with the id of the location of the values before they are used. Throws if the values of the store are
 * in another location.
 */
export async function requireValuesLocation(keyValue: KeyValue, id: string): Promise<void> {
  const identity = await readIdentity(keyValue)
  if (identity === undefined) throw new Error('the store has no identity')
  if (identity.place === id) return
  if (identity.place !== undefined)
    throw new Error(
      'blobs: the values of the store are in another location than this one: every server of a store needs the same bucket, or the same folder',
    )
  if (!(await commitIdentity(keyValue, identity, { ...identity, place: id })))
    await requireValuesLocation(keyValue, id)
}

/**
 * Begins a copy of another store into this one, which must be empty or an unused copy of the same store, and returns
 * its id. From now on it is incomplete, and is not served.
 */
export async function beginCopy(keyValue: KeyValue, random: Random, source: string): Promise<string> {
  const identity = await readIdentity(keyValue)
  const isCopy = identity?.copy?.of === source
  if (identity?.id === source) throw new Error('the store cannot be copied onto itself')
  if (!isCopy && !(await isUnused(keyValue)))
    throw new Error(
      'the target of the copy holds another store, or a copy that has been served since: it must be new',
    )
  const id = identity?.id ?? hexOf(random(ID_BYTES))
  const begun: Identity = { ...identity, id, copy: { of: source, isComplete: false } }
  if (!(await commitIdentity(keyValue, identity, begun))) return beginCopy(keyValue, random, source)
  return id
}

/** Marks the copy as complete: from now on it can be served. */
export async function endCopy(keyValue: KeyValue): Promise<void> {
  const known = await readIdentity(keyValue)
  if (known?.copy === undefined) throw new Error('the copy has been used before it was complete')
  const ended: Identity = { ...known, copy: { of: known.copy.of, isComplete: true } }
  if (!(await commitIdentity(keyValue, known, ended))) await endCopy(keyValue)
}

/** Whether nothing is stored but the identity. */
function isUnused(keyValue: KeyValue): Promise<boolean> {
  return withSnapshot(keyValue, async snapshot => {
    const first: Entry[] = []
    for await (const entry of snapshot.range({ ...EVERYTHING, limit: 2 })) first.push(entry)
    return first.every(({ key }) => Buffer.compare(key, IDENTITY_KEY) === 0)
  })
}

/** False: another process has changed it since. */
async function commitIdentity(
  keyValue: KeyValue,
  before: Identity | undefined,
  after: Identity,
): Promise<boolean> {
  const { committed } = await keyValue.commit({
    expect: [{ key: IDENTITY_KEY, value: before && encodeRecord(before) }],
    changes: [{ op: 'set', key: IDENTITY_KEY, value: encodeRecord(after) }],
  })
  return committed
}
