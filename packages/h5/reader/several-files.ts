// Several files that are read as one: the objects of the first file, and those of other files that it lacks. It knows
// which objects these are, not why.

import { BoundedMap } from '@hyperslab/base/bounded'
import { extentsOf } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonValue } from '@hyperslab/model/json'
import type { ByteSource } from '../byte-source.ts'
import type {
  AddedFile,
  AddedObject,
  AddedObjects,
  ChunkedBytes,
  ChunkRanges,
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
  ReadCaller,
  ReferenceResolver,
  ScaleUse,
  StoredBytes,
  StoredChunks,
} from '../file-reader.ts'
import {
  INTEGER,
  integersIn,
  itemsOf,
  NUMBER,
  NUMBERS,
  newAttribute,
  newList,
  REFERENCE_LIST,
  referenceTo,
  USE,
} from './dimension-lists.ts'
import { isHarmless } from './structures/attempt.ts'
import { rangesInFile } from './values/stored-bytes.ts'

/** Bytes of the kept structures of other files: a walk over all objects needs each file. @limit memory, bytes */
const MAX_HELD_BYTES = 64 * 2 ** 20
/** The memory of a reader that has read nothing. */
const READER_BYTES = 16 * 2 ** 10

export interface OpenedFile {
  readonly reader: H5FileReader
  readonly source: ByteSource
}

/** Opens a file by its name, with the joined datasets that it has. */
export type OpenFileOfName = (name: string, joined: JoinedObjects['datasets']) => Promise<OpenedFile>

interface KeptFile {
  readonly opening: Promise<OpenedFile>
  /** The memory of its structures when it was read last. */
  readonly bytes: number
}

export class SeveralFilesReader implements H5FileReader {
  readonly root: FileAddress
  readonly #first: H5FileReader
  readonly #added: AddedObjects
  readonly #open: OpenFileOfName
  /** The joined datasets of each other file, by their addresses in it. */
  readonly #joined = new Map<AddedFile, Map<FileAddress, JoinedDataset>>()
  /** Other files, with what was read of their structures. @limit memory, bytes */
  readonly #files = new BoundedMap<AddedFile, KeptFile>(MAX_HELD_BYTES, {
    weightOf: ({ bytes }) => bytes,
  })

  constructor(
    first: H5FileReader,
    added: AddedObjects,
    datasets: JoinedObjects['datasets'],
    open: OpenFileOfName,
  ) {
    this.root = first.root
    this.#first = first
    this.#added = added
    this.#open = open
    for (const [address, joined] of datasets) {
      const object = added.objects.get(address)
      if (!object) continue
      const ofFile = this.#joined.get(object.file) ?? new Map()
      this.#joined.set(object.file, ofFile.set(object.address, joined))
    }
  }

  get warnings(): readonly FileWarning[] {
    return this.#first.warnings
  }

  get heldBytes(): number {
    return (this.#first.heldBytes ?? 0) + this.#files.weight
  }

  pathOf(address: FileAddress): string {
    return this.#added.objects.get(address)?.path ?? this.#first.pathOf(address)
  }

  async object(address: FileAddress): Promise<FileObject> {
    return this.#with(address, async (reader, own) => ({ ...(await reader.object(own)), address }))
  }

  async *links(group: FileAddress, onFailure?: MemberFailure): AsyncGenerator<readonly FileLink[]> {
    if (!this.#added.objects.has(group)) yield* this.#first.links(group, onFailure)
    const added = this.#added.links.get(group)
    if (added) yield added
  }

  async *attributes(
    owner: FileAddress,
    resolve: ReferenceResolver,
    onFailure?: MemberFailure,
  ): AsyncGenerator<readonly FileAttribute[]> {
    const { objects, attributes, uses } = this.#added
    const object = objects.get(owner)
    let own = uses.get(owner) ?? []
    for await (const batch of object
      ? this.#attributesOf(object, resolve, onFailure)
      : this.#first.attributes(owner, resolve, onFailure)) {
      yield batch.map(attribute => {
        if (attribute.name !== REFERENCE_LIST || own.length === 0) return attribute
        const used = itemsOf(attribute, USE)
        const all = used && [...used, ...itemsOfUses(own, resolve)]
        own = []
        // One of another type is something else, and stays.
        return all ? newList(REFERENCE_LIST, attribute.type, all) : attribute
      })
    }
    if (own.length > 0) yield [newList(REFERENCE_LIST, USE, itemsOfUses(own, resolve))]
    for (const { names, ...group } of attributes.get(owner) ?? []) {
      const failed: MemberFailure = (error, name) => {
        if (name !== undefined && names.has(name)) onFailure?.(error, name)
      }
      for await (const batch of this.#attributesOf({ ...group, path: '' }, resolve, failed))
        yield batch.filter(({ name }) => names.has(name))
    }
  }

  /** The attributes of an object of another file, without the list of the datasets whose scale it is there. */
  async *#attributesOf(
    { file, address }: AddedObject,
    resolve: ReferenceResolver,
    onFailure: MemberFailure | undefined,
  ): AsyncGenerator<readonly FileAttribute[]> {
    const { reader } = await this.#opened(file)
    for await (const batch of reader.attributes(address, resolverOf(file, resolve), onFailure)) {
      yield batch.flatMap(({ committedType, ...attribute }) => {
        if (attribute.name === REFERENCE_LIST) return []
        if (attribute.name === NUMBER || attribute.name === NUMBERS) return renumbered(attribute, file)
        return [{ ...attribute, ...this.#committed(file, committedType) }]
      })
    }
    this.#weigh(file, reader)
  }

  async datatype(address: FileAddress): Promise<Datatype> {
    return this.#with(address, (reader, own) => reader.datatype(own))
  }

  async dataset(address: FileAddress): Promise<FileDataset> {
    const object = this.#added.objects.get(address)
    if (!object) return this.#first.dataset(address)
    const { committedType, ...dataset } = await this.#with(address, (reader, own) => reader.dataset(own))
    return { ...dataset, ...this.#committed(object.file, committedType) }
  }

  async sourceFiles(address: FileAddress): Promise<Iterable<string>> {
    return this.#with(address, async (reader, own) => (await reader.sourceFiles?.(own)) ?? [])
  }

  async storedChunks(address: FileAddress): Promise<StoredChunks | undefined> {
    return this.#with(address, (reader, own) => reader.storedChunks(own))
  }

  /** Positions are those of the first file. */
  async storedBytes(address: FileAddress): Promise<StoredBytes | undefined> {
    return this.#added.objects.has(address) ? undefined : this.#first.storedBytes?.(address)
  }

  async partRanges(address: FileAddress): Promise<ChunkRanges | undefined> {
    const object = this.#added.objects.get(address)
    if (!object || this.#joined.get(object.file)?.has(object.address))
      return this.#with(address, async (reader, own) => reader.partRanges?.(own))
    const { reader, source } = await this.#opened(object.file)
    const stored = await reader.storedBytes?.(object.address)
    return stored?.layout === 'chunked' ? rangesInFile(stored, source) : undefined
  }

  async chunkRanges(address: FileAddress): Promise<ChunkedBytes | undefined> {
    return this.#added.objects.has(address) ? undefined : this.#first.chunkRanges?.(address)
  }

  async allocation(address: FileAddress): Promise<{ readonly chunks: number; readonly bytes: number }> {
    const allocation = await this.#with(address, async (reader, own) => reader.allocation?.(own))
    return allocation ?? { chunks: 0, bytes: 0 }
  }

  async readValues(
    address: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
    options?: Parameters<H5FileReader['readValues']>[4],
  ): ReturnType<H5FileReader['readValues']> {
    const file = this.#added.objects.get(address)?.file
    const resolver = file ? resolverOf(file, resolve) : resolve
    return this.#with(address, (reader, own) => reader.readValues(own, start, count, resolver, options))
  }

  async requireValues(address: FileAddress, caller?: ReadCaller): Promise<void> {
    await this.#with(address, async (reader, own) => reader.requireValues?.(own, caller))
  }

  async close(): Promise<void> {
    await this.#first.close()
  }

  /** Runs a read of an object by the reader of its file, which knows it by another address. */
  async #with<T>(
    address: FileAddress,
    read: (reader: H5FileReader, own: FileAddress) => Promise<T>,
  ): Promise<T> {
    const object = this.#added.objects.get(address)
    if (!object) return read(this.#first, address)
    const { file } = object
    const { reader } = await this.#opened(file)
    try {
      return await read(reader, object.address)
    } catch (error) {
      if (!isHarmless(error) || error.message.includes(file.name)) throw error
      throw error.within(file.name)
    } finally {
      this.#weigh(file, reader)
    }
  }

  #opened(file: AddedFile): Promise<OpenedFile> {
    const known = this.#files.use(file)
    if (known) return known.opening
    const opening = this.#open(file.name, this.#joined.get(file) ?? new Map())
    this.#files.set(file, { opening, bytes: READER_BYTES })
    opening.catch(() => {
      // The next read tries again.
      if (this.#files.get(file)?.opening === opening) this.#files.forget(file)
    })
    return opening
  }

  #weigh(file: AddedFile, { heldBytes = 0 }: H5FileReader): void {
    const known = this.#files.get(file)
    if (known) this.#files.set(file, { ...known, bytes: READER_BYTES + heldBytes })
  }

  /** The committed datatype, unless an object of another file stands for it: that may have another type. */
  #committed(file: AddedFile, address: FileAddress | undefined): { readonly committedType?: FileAddress } {
    const committedType = address === undefined ? undefined : file.addresses.get(address)
    const isOfFile = committedType !== undefined && this.#added.objects.get(committedType)?.file === file
    return isOfFile ? { committedType } : {}
  }
}

function resolverOf({ addresses }: AddedFile, resolve: ReferenceResolver): ReferenceResolver {
  return own => {
    const address = addresses.get(own)
    return address === undefined ? undefined : resolve(address)
  }
}

function itemsOfUses(uses: readonly ScaleUse[], resolve: ReferenceResolver): readonly JsonValue[] {
  return uses.map(({ dataset, dimension }) => [referenceTo(dataset, resolve), dimension])
}

/** The number of a dimension, or a list of them, as all files have it; none if one of them has no number there. */
function renumbered(attribute: FileAttribute, { dimensions }: AddedFile): readonly FileAttribute[] {
  const { name, type, space } = attribute
  if (type.class !== 'H5T_INTEGER') return [attribute]
  const numbers = integersIn(attribute).flatMap(number => dimensions.get(number) ?? [])
  const [length = 1, ...others] = extentsOf(space)
  if (numbers.length === 0 || numbers.length !== length || others.length > 0) return []
  return [newAttribute(name, INTEGER, space, space.class === 'H5S_SIMPLE' ? numbers : numbers[0])]
}
