import { elementsToJson } from '@hyperslab/model/json'
import { type ObjectId, parseDomainPath } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { openStore } from '@hyperslab/store/engines'
import type { Dataset, Reader, Store } from '@hyperslab/store/store'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { seededRandom, testClock } from '../../../../test/engines/clock.ts'
import { openMemoryEngine } from '../../../../test/engines/memory.ts'
import { SELECT_ALL } from '../../service/selection/request.ts'
import { resolveSelection } from '../../service/selection/resolve.ts'
import { createSampleIfEmpty, SAMPLE_DOMAIN } from './sample.ts'

const style = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'shortest' } as const

let store: Store

beforeEach(() => {
  store = openStore(openMemoryEngine(), { clock: testClock(), random: seededRandom(1), sweeps: false })
})

afterEach(() => store.close())

async function idAt(reader: Reader, path: string): Promise<ObjectId> {
  const entry = await reader.domain(SAMPLE_DOMAIN)
  let id = entry?.root
  for (const title of path.split('/').slice(1)) {
    const link = id && (await reader.link(id, title))
    id = link?.target.class === 'H5L_TYPE_HARD' ? link.target.id : undefined
  }
  if (!id) throw new Error(`nothing is at ${path}`)
  return id
}

async function datasetAt(reader: Reader, path: string): Promise<Dataset> {
  const object = await reader.object(await idAt(reader, path))
  if (object?.kind !== 'dataset') throw new Error(`no dataset is at ${path}`)
  return object
}

describe('the sample domain', () => {
  it('is created in an empty store, once', async () => {
    expect(await createSampleIfEmpty(store)).toBe(true)
    expect(await createSampleIfEmpty(store)).toBe(false)
  })

  it('is not created where there is anything, nor again after its deletion beside other domains', async () => {
    const path = parseDomainPath('/mine')
    await store.write(writer =>
      writer.putDomain({ path, created: 1, lastModified: 1, readOnly: false, closed: false }),
    )
    expect(await createSampleIfEmpty(store)).toBe(false)
  })

  it('shows a field, a stack, a table and a series that can grow', async () => {
    await createSampleIfEmpty(store)
    await store.read(async reader => {
      const shapes = ['/waves/height', '/tomography/density', '/stations', '/series/temperature'].map(path =>
        datasetAt(reader, path).then(({ type, space }) => [type.class, space]),
      )
      expect(await Promise.all(shapes)).toEqual([
        ['H5T_FLOAT', { class: 'H5S_SIMPLE', dims: [256, 384] }],
        ['H5T_INTEGER', { class: 'H5S_SIMPLE', dims: [32, 64, 64] }],
        ['H5T_COMPOUND', { class: 'H5S_SIMPLE', dims: [50] }],
        ['H5T_FLOAT', { class: 'H5S_SIMPLE', dims: [1440], maxdims: ['H5S_UNLIMITED'] }],
      ])
    })
  })

  it('has links of two classes, an object with two names, and a committed datatype in use', async () => {
    await createSampleIfEmpty(store)
    await store.read(async reader => {
      expect(await idAt(reader, '/favourites/waves')).toBe(await idAt(reader, '/waves/height'))
      const soft = await reader.link(await idAt(reader, '/favourites'), 'warmth')
      expect(soft?.target).toEqual({ class: 'H5L_TYPE_SOFT', h5path: '/series/temperature' })
      const { committedType } = await datasetAt(reader, '/series/temperature')
      expect(committedType).toBe(await idAt(reader, '/types/celsius'))
    })
  })

  it('has values that make sense', async () => {
    await createSampleIfEmpty(store)
    await store.read(async reader => {
      const stations = await datasetAt(reader, '/stations')
      const rows: unknown[] = []
      for await (const piece of reader.readValues(stations, resolveSelection(SELECT_ALL, stations.space))) {
        const json = elementsToJson(stations.type, [piece.count], piece, style)
        if (Array.isArray(json)) rows.push(...json)
      }
      expect(rows[1]).toEqual(['Berminwald', 51.944, 12.795, 539, 14.3])
      const names = new Set(rows.map(row => (Array.isArray(row) ? row[0] : undefined)))
      expect(names.size).toBe(50)
      const title = await reader.attribute(await idAt(reader, ''), 'title')
      const value = title?.value
      if (title === undefined || value === undefined || !('data' in value)) throw new Error('no short title')
      expect(elementsToJson(title.type, [], value, style)).toBe('Sample domain of Hyperslab')
    })
  })
})
