// A file whose joined datasets have a first dimension that no file has: the reader of the file, with the scale of this
// dimension, and with the attributes that attach it to the datasets (H5DSattach_scale, H5DSset_label; netCDF-4).

import { product, type SimpleDataspace, UNLIMITED } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import { isJsonList, type JsonValue } from '@hyperslab/model/json'
import { ElementsBuilder } from '@hyperslab/model/values'
import { fileCreationProperties } from '../creation-properties.ts'
import type {
  ChunkedBytes,
  FileAddress,
  FileAttribute,
  FileDataset,
  FileLink,
  FileObject,
  FileWarning,
  H5FileReader,
  JoinedDataset,
  JoinedObjects,
  MemberFailure,
  NewDimension,
  ReadCaller,
  ReferenceResolver,
  StoredBytes,
  StoredChunks,
} from '../file-reader.ts'
import { memberPath } from '../file-reader.ts'
import {
  INTEGER,
  itemsOf,
  LABELS,
  LIST,
  NUMBER,
  NUMBERS,
  newAttribute,
  newList,
  REFERENCE_LIST,
  referenceTo,
  SCALAR,
  SCALES,
  TEXT,
  USE,
} from './dimension-lists.ts'

/** The address of a scale that no file has: beyond the end of every file. */
const NEW_ADDRESS: FileAddress = String(2 ** 52)
/** Elements of its chunks. */
const CHUNK = 1024

export class NewDimensionReader implements H5FileReader {
  readonly root: FileAddress
  readonly #reader: H5FileReader
  readonly #dimension: NewDimension
  readonly #datasets: JoinedObjects['datasets']
  readonly #scale: FileAddress
  /** Absent: a dataset of the file is the scale. */
  readonly #added: Exclude<NewDimension['scale'], FileAddress> | undefined

  constructor(reader: H5FileReader, dimension: NewDimension, datasets: JoinedObjects['datasets']) {
    const { scale } = dimension
    this.root = reader.root
    this.#reader = reader
    this.#dimension = dimension
    this.#datasets = datasets
    this.#scale = typeof scale === 'string' ? scale : NEW_ADDRESS
    this.#added = typeof scale === 'string' ? undefined : scale
  }

  get warnings(): readonly FileWarning[] {
    return this.#reader.warnings
  }

  get heldBytes(): number {
    const { data, heap } = this.#added?.values ?? { data: [], heap: [] }
    return (this.#reader.heldBytes ?? 0) + data.length + heap.length
  }

  pathOf(address: FileAddress): string {
    return this.#isAdded(address) ? memberPath('/', this.#dimension.name) : this.#reader.pathOf(address)
  }

  async object(address: FileAddress): Promise<FileObject> {
    return this.#isAdded(address) ? { address, kind: 'dataset' } : this.#reader.object(address)
  }

  async *links(group: FileAddress, onFailure?: MemberFailure): AsyncGenerator<readonly FileLink[]> {
    yield* this.#reader.links(group, onFailure)
    if (group === this.root && this.#added)
      yield [{ title: this.#dimension.name, class: 'H5L_TYPE_HARD', address: NEW_ADDRESS }]
  }

  async *attributes(
    owner: FileAddress,
    resolve: ReferenceResolver,
    onFailure?: MemberFailure,
  ): AsyncGenerator<readonly FileAttribute[]> {
    const changes = new Map(this.#changesOf(owner, resolve))
    if (!this.#isAdded(owner)) {
      for await (const batch of this.#reader.attributes(owner, resolve, onFailure)) {
        yield batch.map(attribute => {
          const changed = changes.get(attribute.name)?.(attribute)
          changes.delete(attribute.name)
          return changed ?? attribute
        })
      }
    }
    const added = [...changes.values()].flatMap(change => change() ?? [])
    if (added.length > 0) yield added
  }

  async datatype(address: FileAddress): Promise<Datatype> {
    return this.#reader.datatype(address)
  }

  async dataset(address: FileAddress): Promise<FileDataset> {
    if (!this.#added || address !== NEW_ADDRESS) return this.#reader.dataset(address)
    const { type, values } = this.#added
    const space: SimpleDataspace = { class: 'H5S_SIMPLE', dims: [values.count], maxdims: [UNLIMITED] }
    const layout = new Map<string, JsonValue>([
      ['class', 'H5D_CHUNKED'],
      ['dims', [CHUNK]],
    ])
    const creationProperties = fileCreationProperties(new Map([['layout', layout]]), type, space, undefined)
    return { type, space, creationProperties }
  }

  async sourceFiles(address: FileAddress): Promise<Iterable<string>> {
    return this.#isAdded(address) ? [] : ((await this.#reader.sourceFiles?.(address)) ?? [])
  }

  async storedChunks(address: FileAddress): Promise<StoredChunks | undefined> {
    return this.#isAdded(address) ? undefined : this.#reader.storedChunks(address)
  }

  async storedBytes(address: FileAddress): Promise<StoredBytes | undefined> {
    return this.#isAdded(address) ? undefined : this.#reader.storedBytes?.(address)
  }

  async chunkRanges(address: FileAddress): Promise<ChunkedBytes | undefined> {
    return this.#isAdded(address) ? undefined : this.#reader.chunkRanges?.(address)
  }

  async allocation(address: FileAddress): Promise<{ readonly chunks: number; readonly bytes: number }> {
    const allocation = this.#isAdded(address) ? undefined : await this.#reader.allocation?.(address)
    return allocation ?? { chunks: 0, bytes: 0 }
  }

  async readValues(
    address: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
    options?: Parameters<H5FileReader['readValues']>[4],
  ): ReturnType<H5FileReader['readValues']> {
    if (!this.#added || address !== NEW_ADDRESS)
      return this.#reader.readValues(address, start, count, resolve, options)
    const { type, values } = this.#added
    const elements = new ElementsBuilder(type, product(count))
    elements.copy(values, start[0], 0, count[0])
    return elements.finish()
  }

  async requireValues(address: FileAddress, caller?: ReadCaller): Promise<void> {
    if (!this.#isAdded(address)) await this.#reader.requireValues?.(address, caller)
  }

  async close(): Promise<void> {
    await this.#reader.close()
  }

  #isAdded(address: FileAddress): boolean {
    return this.#added !== undefined && address === NEW_ADDRESS
  }

  #changesOf(owner: FileAddress, resolve: ReferenceResolver): readonly NamedChange[] {
    if (owner === this.#scale) return this.#changesOfScale(resolve)
    const dataset = this.#datasets.get(owner)
    return [...(dataset ? this.#changesOfUse(dataset, resolve) : []), this.#moved(resolve)]
  }

  #changesOfScale(resolve: ReferenceResolver): readonly NamedChange[] {
    const { name, number } = this.#dimension
    const texts = [['CLASS', 'DIMENSION_SCALE'], ['NAME', name], ...(this.#added?.attributes ?? [])] as const
    const uses = [...this.#datasets].flatMap(([address, { newAxis }]) =>
      newAxis === 'scale' && address !== this.#scale ? [[referenceTo(address, resolve), 0]] : [],
    )
    return [
      ...texts.map(([name, text]): NamedChange => [name, () => newText(name, text)]),
      [REFERENCE_LIST, () => (uses.length > 0 ? newList(REFERENCE_LIST, USE, uses) : undefined)],
      [NUMBER, () => (number === undefined ? undefined : newAttribute(NUMBER, INTEGER, SCALAR, number))],
    ]
  }

  /** Lists with an item for each dimension get one for the new dimension. */
  #changesOfUse({ newAxis, space }: JoinedDataset, resolve: ReferenceResolver): readonly NamedChange[] {
    const { name, number } = this.#dimension
    const isAttached = newAxis === 'scale'
    const scales = isAttached ? [referenceTo(this.#scale, resolve)] : []
    const without = Array<string>(space.dims.length - 1).fill('')
    return [
      // A dataset without this list is attached only if it is a scalar in its file.
      [LIST, old => withItem(LIST, SCALES, scales, old, isAttached ? [] : undefined)],
      [LABELS, old => withItem(LABELS, TEXT, name, old, isAttached ? undefined : without)],
      [NUMBERS, old => (number === undefined ? undefined : withItem(NUMBERS, INTEGER, number, old))],
    ]
  }

  /** In the list of another scale, its dimensions in the datasets that have the new one are one further. */
  #moved(resolve: ReferenceResolver): NamedChange {
    const change: Change = old => {
      const uses = old && itemsOf(old, USE)
      if (!uses) return undefined
      const datasets = new Set([...this.#datasets.keys()].map(address => referenceTo(address, resolve)))
      const moved = uses.map(use => {
        const [dataset, dimension] = isJsonList(use) ? use : []
        const isMoved = typeof dataset === 'string' && datasets.has(dataset)
        return isMoved && typeof dimension === 'number' ? [dataset, dimension + 1] : use
      })
      return newList(REFERENCE_LIST, old.type, moved)
    }
    return [REFERENCE_LIST, change]
  }
}

/** The attribute in the place of the old one; undefined: the old one stays, if there is one. */
type Change = (old?: FileAttribute) => FileAttribute | undefined
type NamedChange = readonly [name: string, change: Change]

/** The list with an item before those that it has, or, if there is none, before `otherwise`. */
function withItem(
  name: string,
  type: Datatype,
  item: JsonValue,
  old: FileAttribute | undefined,
  otherwise?: readonly JsonValue[],
): FileAttribute | undefined {
  const items = old ? itemsOf(old, type) : otherwise
  return items && newList(name, type, [item, ...items])
}

/** A string of fixed length, with the NUL at its end. */
function newText(name: string, text: string): FileAttribute {
  const charSet = /^[ -~]*$/.test(text) ? 'H5T_CSET_ASCII' : 'H5T_CSET_UTF8'
  const length = new TextEncoder().encode(text).length + 1
  return newAttribute(
    name,
    { class: 'H5T_STRING', length, charSet, strPad: 'H5T_STR_NULLTERM' },
    SCALAR,
    text,
  )
}
