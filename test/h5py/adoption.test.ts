// Files that are taken over as they are, against the values that h5py wrote.

import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importFile, openFileSource, openStoreTarget } from '@hyperslab/files/import'
import { openH5File } from '@hyperslab/h5/reader'
import { extentsOf } from '@hyperslab/model/dataset'
import { parseDomainPath } from '@hyperslab/model/names'
import { openStore } from '@hyperslab/store/engines'
import { afterAll, describe, expect, it } from 'vitest'
import { ALL_PERMISSIONS } from '../../packages/server/service/access/access.ts'
import { accessWithin } from '../../packages/server/service/access/folder-access.ts'
import { box, collect } from '../conformance/sample-objects.ts'
import { expectSound } from '../conformance/sound.ts'
import { seededRandom, testClock } from '../engines/clock.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { isMissing, makeLargeFiles, PYTHON } from './h5py.ts'

const PATH = parseDomainPath('/large.h5')

describe.skipIf(isMissing('h5py', PYTHON !== undefined))('files that are taken over as they are', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hyperslab-adoption-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  if (PYTHON !== undefined) makeLargeFiles(folder)
  const names = readdirSync(folder).filter(name => name.endsWith('.h5'))

  it.each(names)('%s is one blob, and has the values that h5py reads', async name => {
    const path = join(folder, name)
    const engine = openMemoryEngine()
    const store = openStore(engine, { clock: testClock(), random: seededRandom(5), sweeps: false })
    const source = openFileSource(path)
    const reader = await openH5File(source, path)
    const target = await openStoreTarget(store, {
      path: PATH,
      file: { size: source.size, lastModified: source.lastModified },
      readOnly: false,
      replace: false,
      accessWithin: (reader, folder) => accessWithin(reader, folder, { defaultAcl: ALL_PERMISSIONS }),
    })
    const { warnings, datasets } = await importFile(reader, target, {
      signal: new AbortController().signal,
      progress: () => {},
      requireUnchanged: () => source.requireUnchanged(),
      file: { size: source.size, pieces: signal => source.pieces(signal) },
    })
    expect(warnings).toEqual([])
    const blobs = await collect(engine.blobs.list(''))
    const sizes = await Promise.all(blobs.map(blob => engine.blobs.size(blob)))
    expect(sizes.filter(size => size === source.size)).toHaveLength(1)
    await store.read(async stored => {
      const root = (await stored.domain(PATH))?.root
      const links = root ? await collect(stored.links(root)) : []
      expect(links).toHaveLength(datasets)
      for (const { title, target } of links) {
        const dataset = target.class === 'H5L_TYPE_HARD' ? await stored.object(target.id) : undefined
        if (dataset?.kind !== 'dataset') throw new Error(`${title} is no dataset`)
        const dims = extentsOf(dataset.space)
        const pieces: Buffer[] = []
        for await (const { data } of stored.readValues(
          dataset,
          box(
            dims.map(() => 0),
            dims,
          ),
        )) {
          pieces.push(Buffer.from(data))
        }
        const expected = readFileSync(`${path}.${title}.bytes`)
        expect([title, Buffer.compare(Buffer.concat(pieces), expected)]).toEqual([title, 0])
      }
    })
    source.close()
    await expectSound(engine)
    await store.close()
  })
})
