// A file as h5web's provider for h5grove (H5GroveProvider) reads it from the service, against what h5py reads.

import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type Attribute,
  type DataProviderApi,
  type Dataset,
  type Entity,
  EntityKind,
  type GroupWithChildren,
  H5GroveProvider,
  hasNonNullShape,
} from '@h5web/app'
import { createElement, isValidElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../wire/server.ts'
import { isMissing, PYTHON, run } from './h5py.ts'

interface Truth {
  readonly datasets: Readonly<
    Record<string, { readonly shape: readonly number[] | null; readonly value: unknown }>
  >
  readonly attributes: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly parts: Readonly<Record<string, readonly number[]>>
}

/** The access to data that the provider makes, and hands to the viewer. */
function apiOf(url: string, filepath: string): DataProviderApi {
  let api: DataProviderApi | undefined
  const Probe = () => {
    const element = H5GroveProvider({ url, filepath })
    if (isValidElement<{ api: DataProviderApi }>(element)) api = element.props.api
    return null
  }
  renderToStaticMarkup(createElement(Probe))
  if (!api) throw new Error('the provider has made no access to data')
  return api
}

/** Values as the script writes them: whole numbers of types that are whole as digits, and no NaN. */
function plain(value: unknown, type: unknown): unknown {
  if (typeof value === 'boolean') return value ? '1' : '0'
  if (typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return isWhole(type) ? String(value) : Number.isFinite(value) ? value : null
  if (value === null || value === undefined || typeof value === 'string') return value
  const items = Array.from(value as Iterable<unknown>)
  return items.map((item, i) => plain(item, partOf(type, i)))
}

interface AnyType {
  readonly class: string
  readonly base?: AnyType
  readonly realType?: AnyType
  readonly fields?: ReadonlyMap<string, AnyType>
}

function isWhole(type: unknown): boolean {
  const { class: name, base } = type as AnyType
  return (
    ['Integer', 'Boolean', 'Enumeration', 'Opaque'].includes(name) || (base !== undefined && isWhole(base))
  )
}

/** The type of a part: of lists that an array, a sequence or the dataset has, it is that of the elements. */
function partOf(type: unknown, index: number): unknown {
  const { class: name, fields, base, realType } = type as AnyType
  if (name === 'Elements') return base
  if (name === 'Complex') return realType
  if (fields) return [...fields.values()][index]
  return type
}

/** Attributes come as lists in each other. */
function typeOf({ shape, type }: Pick<Attribute, 'shape' | 'type'>): unknown {
  const rank = 'dims' in shape ? shape.dims.length : 0
  return Array.from({ length: rank }).reduce((base: unknown) => ({ class: 'Elements', base }), type)
}

describe.skipIf(isMissing('h5py', PYTHON !== undefined))(
  'H5GroveProvider of h5web',
  { timeout: 120_000 },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperslab-h5grove-'))
    let server: RunningServer
    let truth: Truth
    let api: DataProviderApi
    const entities = new Map<string, Entity>()

    async function walk(path: string): Promise<void> {
      const entity = await api.getEntity(path)
      entities.set(path, entity)
      if (entity.kind !== EntityKind.Group) return
      for (const child of (entity as GroupWithChildren).children) {
        const below = `${path === '/' ? '' : path}/${child.name}`
        if (child.kind === EntityKind.Unresolved) entities.set(below, child)
        else await walk(below)
      }
    }

    beforeAll(async () => {
      const files = join(folder, 'files')
      mkdirSync(files)
      truth = JSON.parse(run('h5grove-values.py', [join(files, 'all.h5')]))
      server = await startServer(folder, ['--mount', `${files}=/mounted`])
      api = apiOf(`${server.address}/h5grove`, '/mounted/all.h5')
      await walk('/')
    })

    afterAll(async () => {
      await server?.end('SIGTERM')
      rmSync(folder, { recursive: true })
    })

    it('has every dataset, with its shape and its values', async () => {
      expect(Object.keys(truth.datasets).length).toBeGreaterThan(45)
      for (const [path, { shape, value }] of Object.entries(truth.datasets)) {
        const dataset = entities.get(path) as Dataset
        expect([path, dataset?.kind]).toEqual([path, EntityKind.Dataset])
        expect([path, 'dims' in dataset.shape ? dataset.shape.dims : null]).toEqual([path, shape])
        if (!hasNonNullShape(dataset)) continue
        const read = await api.getValue({ dataset })
        const type =
          dataset.shape.class === 'Scalar' && dataset.type.class !== 'Opaque'
            ? dataset.type
            : { class: 'Elements', base: dataset.type }
        expect([path, plain(read, type)]).toEqual([path, value])
      }
    })

    it('has every attribute, with its value', async () => {
      expect(Object.keys(truth.attributes)).toEqual(['/', '/types/text'])
      for (const [path, expected] of Object.entries(truth.attributes)) {
        const entity = entities.get(path)
        if (!entity) throw new Error(`${path} is missing`)
        const values = await api.getAttrValues(entity)
        expect(entity.attributes.map(({ name }) => name).sort()).toEqual(Object.keys(expected).sort())
        const read = entity.attributes.map(each => [each.name, plain(values[each.name], typeOf(each))])
        expect(Object.fromEntries(read)).toEqual(expected)
      }
    })

    it('has selections in the syntax of NumPy', async () => {
      const dataset = entities.get('/numbers/chunked') as Dataset
      for (const [selection, expected] of Object.entries(truth.parts)) {
        const read = await api.getValue({ dataset: dataset as never, selection })
        expect([selection, Array.from(read as Float64Array)]).toEqual([selection, expected])
      }
    })

    it('has links at their ends, and those that lead nowhere as links', () => {
      expect(entities.get('/links/soft')).toMatchObject({
        kind: 'dataset',
        name: 'soft',
        shape: { dims: [3] },
      })
      expect(entities.get('/links/broken')).toMatchObject({
        kind: 'unresolved',
        link: { class: 'Soft', path: '/nowhere' },
      })
      expect(entities.get('/links/away')).toMatchObject({
        kind: 'unresolved',
        link: { class: 'External', file: 'other.h5', path: '/x' },
      })
      expect(entities.get('/types/committed')).toMatchObject({
        kind: 'datatype',
        type: { class: 'Float', size: 32 },
      })
      expect(entities.get('/links/again')).toMatchObject({
        chunks: [7, 8],
        filters: [
          { id: 2, name: 'shuffle' },
          { id: 1, name: 'gzip' },
        ],
      })
    })

    it('finds all paths, and gives files of other programs', async () => {
      const paths = await api.getSearchablePaths?.('/')
      expect(paths?.sort()).toEqual([...entities.keys()].sort())
      const dataset = entities.get('/numbers/chunked') as Dataset
      const address = api.getExportURL?.('npy', dataset as never, '0,:')
      if (!(address instanceof URL)) throw new Error('an export has an address')
      const file = Buffer.from(await (await fetch(address)).arrayBuffer())
      expect(file.subarray(1, 6).toString()).toBe('NUMPY')
      expect(Array.from({ length: 30 }, (_, i) => file.readDoubleLE(file.length - 240 + 8 * i))).toEqual(
        Array.from({ length: 30 }, (_, i) => i),
      )
    })

    it('shows the errors of the service', async () => {
      await expect(apiOf(`${server.address}/h5grove`, '/mounted/no.h5').getEntity('/')).rejects.toThrow(
        'there is no domain /mounted/no.h5',
      )
      await expect(api.getEntity('/nothing')).rejects.toThrow('has no link "nothing"')
    })
  },
)
