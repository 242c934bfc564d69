// Values of files that libhdf5 wrote, of every layout and index of chunks, read as a mount reads them: random
// selections give what a loop over all values gives.

import { basename, dirname } from 'node:path'
import { openFileSource, siblingFiles } from '@hyperslab/files/import'
import { extentsOf } from '@hyperslab/model/dataset'
import fc from 'fast-check'
import { beforeAll, describe, expect, it } from 'vitest'
import { bytesOfAll, differenceOf, openMounted, selectionOf } from '../fixtures/mounted-values.ts'
import { isMissing, makeFiles, PYTHON, SAMPLE_FILES } from './h5py.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

/** The loop over all values takes its time. */
const MAX_BYTES = 2 ** 14
/** Some files have hundreds that are much alike. */
const MAX_DATASETS = 40

describe.skipIf(missing)('values of mounted files', () => {
  let files: readonly string[] = []
  beforeAll(() => {
    files = [...makeFiles(), ...SAMPLE_FILES]
  })

  it('are those of the file, whatever its layout and whatever is selected', async () => {
    let datasets = 0
    for (const path of files) {
      const source = openFileSource(path)
      const siblings = siblingFiles({ found: path, real: path }, dirname(path), openFileSource)
      try {
        const file = await openMounted(source, path, { openSibling: siblings.open, pieceBytes: 1500 }).catch(
          () => undefined,
        )
        if (!file) continue
        for (const found of file.datasets.slice(0, MAX_DATASETS)) {
          const { space } = found.dataset
          if (space.class === 'H5S_NULL' || bytesOfAll(found.dataset) > MAX_BYTES) continue
          const all = await file.reader
            .readValues(
              found.address,
              extentsOf(space).map(() => 0),
              extentsOf(space),
              () => undefined,
            )
            .catch(() => undefined)
          if (!all) continue
          const selections = fc.sample(selectionOf(extentsOf(space)), { numRuns: 3, seed: datasets })
          expect(await differenceOf(file, found, selections), basename(path)).toBeUndefined()
          datasets++
        }
      } finally {
        siblings.close()
        source.close()
      }
    }
    expect(datasets).toBeGreaterThan(100)
  })
})
