// The contract of packages/store/interfaces/engine.ts as tests, for every storage engine, bare and in every wrapper.
// `open` gives a new, empty engine; the suite closes it.

import type { Engine } from '@hyperslab/store/engines'
import { describe } from 'vitest'
import { type BlobRules, describeBlobs } from './engine-blobs.ts'
import { describeCommits } from './engine-commits.ts'
import { describeReads } from './engine-reads.ts'

export function describeEngine(name: string, open: () => Promise<Engine>, rules?: BlobRules): void {
  describe(name, () => {
    describeReads(open)
    describeCommits(open)
    describeBlobs(open, rules)
  })
}
