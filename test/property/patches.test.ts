// Random writes of parts of chunks, in one write and in several, with folds, new extents and whole writes between them,
// in each class of types, with filters and without: all reads, also at states from before, give what a plain array has.
// The seed is printed.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Filter } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import { elementsFromJson, elementsToJson } from '@hyperslab/model/json'
import { allChunks, type Selection } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import { chooseFields, PREFIXED_REFERENCES } from '@hyperslab/model/values'
import type { Engine } from '@hyperslab/store/engines'
import { inFolder, openEngine, openStore, storeClock } from '@hyperslab/store/engines'
import type { Dataset, Reader, Writer } from '@hyperslab/store/store'
import { afterAll, describe, expect, it } from 'vitest'
import { naiveCoordinates } from '../arbitraries/selection.ts'
import {
  all,
  box,
  dataset,
  domain,
  expectSame,
  group,
  INT32,
  inPieces,
  newId,
  newRoot,
  oneFor,
  points,
  ROW,
  SHUFFLE_DEFLATE,
  TEXT,
} from '../conformance/sample-objects.ts'
import { expectSound } from '../conformance/sound.ts'
import { seededNumbers, seededRandom } from '../engines/clock.ts'
import { openMemoryEngine } from '../engines/memory.ts'
import { shareOf } from '../fixtures/property-runs.ts'

const SEED = Number(process.env.HYPERSLAB_PATCHES_SEED ?? Date.now() % 2 ** 31)
const STEPS = 60
const PROGRAMS = shareOf(10)
const MOST = [40, 30]
const CHUNK = [20, 15]

const folder = await mkdtemp(join(tmpdir(), 'hyperslab-patches-'))
afterAll(() => rm(folder, { recursive: true }))

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

interface Sort {
  readonly type: Datatype
  /** The value of an element that was never written, and a value for a number. */
  readonly missing: JsonValue
  readonly value: (number: number) => JsonValue
}

const SORTS: readonly (readonly [string, Sort])[] = [
  ['numbers', { type: INT32, missing: 0, value: number => number }],
  ['text', { type: TEXT, missing: '', value: number => 'ä'.repeat(number % 9) + String(number) }],
  ['rows', { type: ROW, missing: [0, '', 0], value: number => [number, `t${number % 1000}`, 0 - number] }],
]

/** A dataset as a plain array. */
class PlainArray {
  readonly #values = new Map<string, JsonValue>()
  readonly #missing: JsonValue
  dims: readonly number[] = MOST

  constructor(missing: JsonValue) {
    this.#missing = missing
  }

  copy(): PlainArray {
    const copy = new PlainArray(this.#missing)
    copy.dims = this.dims
    for (const [place, value] of this.#values) copy.#values.set(place, value)
    return copy
  }

  read(selection: Selection): JsonValue[] {
    return naiveCoordinates(selection).map(place => this.#values.get(place.join()) ?? this.#missing)
  }

  write(selection: Selection, values: readonly JsonValue[], field?: number): void {
    for (const [i, place] of naiveCoordinates(selection).entries()) {
      const before = this.#values.get(place.join()) ?? this.#missing
      const after =
        field === undefined || !Array.isArray(before) ? values[i] : before.with(field, values[i] as never)
      this.#values.set(place.join(), after)
    }
  }

  resize(dims: readonly number[]): void {
    this.dims = dims
    for (const place of this.#values.keys()) {
      if (place.split(',').some((index, d) => Number(index) >= dims[d])) this.#values.delete(place)
    }
  }
}

async function read(
  { type }: Sort,
  reader: Reader,
  from: Dataset,
  selection: Selection,
): Promise<JsonValue[]> {
  const values: JsonValue[] = []
  for await (const piece of reader.readValues(from, selection)) {
    const list = elementsToJson(type, [piece.count], piece, STYLE)
    if (Array.isArray(list)) values.push(...list)
  }
  return values
}

function elementsOf(type: Datatype, values: readonly JsonValue[]): Elements {
  return elementsFromJson(type, [values.length], [...values], PREFIXED_REFERENCES)
}

async function runProgram(
  engine: Engine,
  sort: Sort,
  filters: readonly Filter[],
  seed: number,
): Promise<void> {
  const next = seededNumbers(seed)
  const below = (limit: number): number => Math.floor(next() * limit)
  const random = seededRandom(seed)
  const store = openStore(engine, { clock: storeClock(), random, sweeps: false, maxInlineBytes: 150 })
  const root = newRoot()
  const maxdims = ['H5S_UNLIMITED', 'H5S_UNLIMITED'] as const
  const created = dataset(newId(root), { type: sort.type, dims: MOST, chunkDims: CHUNK, maxdims, filters })
  await store.write(async writer => {
    await writer.putDomain(domain(`/patches${seed}`, root))
    await writer.createObject(group(root))
    await writer.createObject(created)
  })
  let plain = new PlainArray(sort.missing)
  const now = async (reader: Reader): Promise<Dataset> => (await reader.object(created.id)) as Dataset
  const anySelection = (): Selection => {
    const { dims } = plain
    if (below(4) === 0) {
      return points(...Array.from({ length: 1 + below(8) }, () => dims.map(extent => below(extent))))
    }
    const isSmall = below(4) > 0
    const start = dims.map(extent => below(extent))
    return box(
      start,
      dims.map((extent, d) => 1 + below(Math.min(isSmall ? 4 : 99, extent - start[d]))),
    )
  }
  const write = async (writer: Writer): Promise<void> => {
    const into = await now(writer)
    const selection = below(12) === 0 ? all(into) : anySelection()
    const count = naiveCoordinates(selection).length
    const kind = below(6)
    if (kind === 0) {
      const value = sort.value(below(1e6))
      await writer.writeValues(into, selection, oneFor(count, elementsOf(sort.type, [value])))
      plain.write(selection, new Array<JsonValue>(count).fill(value))
      return
    }
    const values = Array.from({ length: count }, () => sort.value(below(1e6)))
    if (kind === 1 && sort.type === ROW) {
      const field = below(3)
      const fields = [ROW.fields[field].name]
      const given = values.map(value => [(value as JsonValue[])[field]])
      const elements = elementsOf(chooseFields(ROW, fields).type, given)
      await writer.writeValues(into, selection, inPieces(elements, 7), { fields })
      plain.write(
        selection,
        given.map(([value]) => value),
        field,
      )
      return
    }
    await writer.writeValues(into, selection, inPieces(elementsOf(sort.type, values), 1 + below(9)))
    plain.write(selection, values)
  }
  /** A write may run again, if a fold was in its way. */
  const inWrite = async (work: (writer: Writer) => Promise<void>): Promise<void> => {
    const before = plain
    await store.write(async writer => {
      plain = before.copy()
      await work(writer)
    })
  }
  const compare = async (reader: Reader): Promise<void> => {
    const from = await now(reader)
    const selection = anySelection()
    expectSame(await read(sort, reader, from, selection), plain.read(selection))
    expectSame(await read(sort, reader, from, all(from)), plain.read(all(from)))
  }
  for (let step = 0; step < STEPS; step++) {
    const what = below(10)
    if (what === 0) {
      const dims = MOST.map(extent => 1 + below(extent))
      await store.write(async writer => writer.setExtents(await now(writer), dims))
      plain.resize(dims)
    } else if (what === 1) {
      await store.folds.foldResting(0, 0)
    } else if (what === 2) {
      await store.read(async before => {
        const from = await now(before)
        const expected = plain.read(all(from))
        await inWrite(write)
        await store.folds.foldResting(0, 0)
        await store.sweeper.sweepGarbage()
        expectSame(await read(sort, before, from, all(from)), expected)
      })
    } else {
      await inWrite(async writer => {
        for (let i = below(3); i >= 0; i--) {
          await write(writer)
          if (below(3) === 0) await compare(writer)
        }
      })
    }
    await store.read(compare)
  }
  await store.read(async reader => {
    const from = await now(reader)
    const stored = new Set<string>()
    for await (const { coordinates } of reader.storedChunks(from)) stored.add(coordinates.join())
    const [grid] = [{ dims: plain.dims, chunkDims: CHUNK }]
    for (const chunk of allChunks(grid)) stored.delete(chunk.join())
    expect([...stored]).toEqual([])
  })
  await store.folds.stop()
  await expectSound(engine)
  await store.close()
}

describe.each(SORTS)('patches of %s', (name, sort) => {
  it.each([
    ['in memory', [], async () => openMemoryEngine()],
    ['in memory, with filters', SHUFFLE_DEFLATE, async () => openMemoryEngine()],
    ['in LMDB', [], () => openEngine(inFolder(join(folder, name)))],
  ] as const)(`%s are laid over what is stored, seed ${SEED}`, async (_, filters, open) => {
    for (let program = 0; program < PROGRAMS; program++) {
      const engine = await open()
      await runProgram(engine, sort, filters, SEED + program)
    }
  })
})
