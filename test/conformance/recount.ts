// What the counters of a domain stand for, counted in the obvious way: over everything that lies in the engine.

import type { ObjectId } from '../../src/hdf5/object-id.ts'
import type { ChunkRecord } from '../../src/storage/chunks/chunk-record.ts'
import type { Engine } from '../../src/storage/engine.ts'
import { contentsRange } from '../../src/storage/records/keys.ts'
import { decodeRecord } from '../../src/storage/records/record.ts'

const CHUNK = 'k'.charCodeAt(0)
const METADATA = new Set([...'rla'].map(part => part.charCodeAt(0)))

/** Keys are c <domain> o <object> <part> ... */
export async function recount(engine: Engine, root: ObjectId) {
  const domain = { chunks: 0, allocatedBytes: 0, metadataBytes: 0 }
  const datasets = new Map<string, { chunks: number; bytes: number }>()
  const snapshot = engine.keyValue.snapshot()
  for await (const { key, value } of snapshot.range(contentsRange(root))) {
    const part = key[18]
    if (String.fromCharCode(key[9]) !== 'o') continue
    if (METADATA.has(part)) domain.metadataBytes += key.length + value.length
    if (part !== CHUNK) continue
    const { dataLength, heapLength, filtered } = decodeRecord<ChunkRecord>(value)
    const bytes = filtered ? filtered.length : dataLength + heapLength
    const id = root.slice(0, 16) + Buffer.from(key.subarray(10, 18)).toString('hex')
    const dataset = datasets.get(id) ?? { chunks: 0, bytes: 0 }
    datasets.set(id, { chunks: dataset.chunks + 1, bytes: dataset.bytes + bytes })
    domain.chunks++
    domain.allocatedBytes += bytes
  }
  snapshot.close()
  return { domain, datasets }
}
