// What the counters of a domain stand for, counted in the obvious way: over everything that lies in the engine.

import type { ObjectId } from '../../src/hdf5/object-id.ts'
import type { ChunkRecord } from '../../src/storage/chunks/chunk-record.ts'
import type { Engine } from '../../src/storage/engine.ts'
import { contentsRange } from '../../src/storage/records/keys.ts'
import { decodeRecord } from '../../src/storage/records/record.ts'

const CHUNK = 'k'.charCodeAt(0)
const ATTRIBUTE = 'a'.charCodeAt(0)
const OBJECT = 'r'.charCodeAt(0)
const METADATA = new Set([...'rla'].map(part => part.charCodeAt(0)))

/** Keys are c <domain> o <object> <part> ... A chunk belongs to an object or to the large value of an attribute. */
export async function recount(engine: Engine, root: ObjectId) {
  const domain = { chunks: 0, allocatedBytes: 0, metadataBytes: 0 }
  const stored = new Map<string, { chunks: number; bytes: number }>()
  const objects = new Set<string>()
  const values = new Set<string>()
  const snapshot = engine.keyValue.snapshot()
  for await (const { key, value } of snapshot.range(contentsRange(root))) {
    const part = key[18]
    if (String.fromCharCode(key[9]) !== 'o') continue
    const id = root.slice(0, 16) + Buffer.from(key.subarray(10, 18)).toString('hex')
    if (METADATA.has(part)) domain.metadataBytes += key.length + value.length
    if (part === OBJECT) objects.add(id)
    if (part === ATTRIBUTE) {
      const { large } = decodeRecord<{ readonly large?: string }>(value)
      if (large !== undefined) values.add(large)
    }
    if (part !== CHUNK) continue
    const { dataLength, heapLength, filtered } = decodeRecord<ChunkRecord>(value)
    const { chunks, bytes } = stored.get(id) ?? { chunks: 0, bytes: 0 }
    stored.set(id, { chunks: chunks + 1, bytes: bytes + (filtered?.length ?? dataLength + heapLength) })
  }
  snapshot.close()
  const datasets = new Map<string, { chunks: number; bytes: number }>()
  for (const [id, { chunks, bytes }] of stored) {
    if (values.has(id)) domain.metadataBytes += bytes
    else if (objects.has(id)) {
      datasets.set(id, { chunks, bytes })
      domain.chunks += chunks
      domain.allocatedBytes += bytes
    } else throw new Error(`chunks are stored under ${id}, which is nothing`)
  }
  return { domain, datasets }
}
