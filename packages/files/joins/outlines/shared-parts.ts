// Parts of outlines that are alike in many files: equal ones are one object in memory, and one record in the store.

import { createHash } from 'node:crypto'
import { serialize } from 'node:v8'
import { BoundedMap } from '@hyperslab/base/bounded'

type Datasets<One = object> = ReadonlyMap<string, One>

/** Parts that are alike in many files. @limit memory, parts */
const MAX_SHARED = 4096
/** Such parts by their bytes. @limit speed, parts, bench/joins.bench.mjs */
const SHARED = new BoundedMap<string, object>(MAX_SHARED)
/** The keys of datasets that were given. */
const KEYS = new WeakMap<Datasets, string>()

/** An equal value that was given before, or this one: it must not be changed. */
export function shareValue<T extends object>(value: T, key = digestOf(serialize(value))): T {
  const known = SHARED.use(key)
  if (known) return known as T
  SHARED.set(key, value)
  return value
}

/** Equal datasets that were given before, or these: only their addresses are not shared with those of other files. */
export function shareDatasets<One extends { readonly address: string }>(
  datasets: Datasets<One>,
): Datasets<One> {
  const keys: string[] = []
  const compact = new Map<string, One>()
  for (const [path, { address, ...rest }] of datasets) {
    const key = digestOf(serialize(rest))
    keys.push(path, address, key)
    compact.set(path, { ...shareValue(rest, key), address } as unknown as One)
  }
  const key = digestOf(keys.join('\0'))
  const shared = shareValue<Datasets<One>>(compact, key)
  KEYS.set(shared, key)
  return shared
}

/** The key of datasets that were shared: equal for equal ones. */
export function keyOfDatasets(datasets: Datasets): string {
  return KEYS.get(datasets) ?? digestOf(serialize([...datasets]))
}

function digestOf(bytes: Uint8Array | string): string {
  return createHash('sha1').update(bytes).digest('hex')
}
