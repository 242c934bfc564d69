// The door to reading: `openFile` opens a file whose bytes a source gives, and its objects are groups, datasets and
// committed datatypes with attributes. Damage of one link or attribute is a warning of the file; what cannot be read at
// all is a HyperslabError.

import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, type MaximumExtent, product } from '@hyperslab/model/dataset'
import { type Datatype, elementSize } from '@hyperslab/model/datatype'
import type { ObjectKind } from '@hyperslab/model/names'
import type { ByteSource } from '../byte-source.ts'
import type { FileDataset, FileLink, FileWarning, H5FileReader, ReferenceResolver } from '../file-reader.ts'
import { type H5FileOptions, openH5File } from '../reader/reader.ts'
import { memorySource } from './byte-sources.ts'
import { decodeValues, type H5Reference, type H5Value, type H5Values, idOfAddress } from './decode-values.ts'
import { partOf, type Slice, steppedBytes } from './slices.ts'

export type { ByteSource } from '../byte-source.ts'
export type { FileLink as H5Link, FileWarning as H5Warning } from '../file-reader.ts'
export { blobSource, type FileHandle, fileSource, memorySource } from './byte-sources.ts'
export type { H5Reference, H5Value, H5Values, NumberArray } from './decode-values.ts'
export type { Slice } from './slices.ts'
export { type UrlOptions, urlSource } from './url-source.ts'

export interface OpenFileOptions extends Pick<H5FileOptions, 'openSibling' | 'readsWhileWritten'> {
  /** The name of the file in messages. */
  readonly name?: string
}

/** The file whose bytes a source has, or bytes in memory. The caller closes what is behind the source. */
export async function openFile(
  source: ByteSource | Uint8Array,
  { name = 'the file', ...options }: OpenFileOptions = {},
): Promise<H5File> {
  const bytes = source instanceof Uint8Array ? memorySource(source) : source
  return new H5File(await openH5File(bytes, name, options))
}

export class H5File {
  readonly #reader: H5FileReader
  readonly root: H5Group

  constructor(reader: H5FileReader) {
    this.#reader = reader
    this.root = new H5Group(reader, reader.root, '/')
  }

  /** The parts that could not be read and were left out so far. */
  get warnings(): readonly FileWarning[] {
    return this.#reader.warnings
  }

  /** The object at a path, through soft links of the same file too; undefined: there is none. */
  get(path: string): Promise<H5Object | undefined> {
    return this.root.get(path)
  }

  /** The object that a reference names. */
  async at({ address }: H5Reference): Promise<H5Object> {
    return openObject(this.#reader, address, this.#reader.pathOf(address))
  }

  close(): Promise<void> {
    return this.#reader.close()
  }
}

export type H5Object = H5Group | H5Dataset | H5Datatype

export interface H5Attribute {
  readonly name: string
  readonly type: Datatype
  /** No extents for a scalar; undefined: it has no value. */
  readonly shape: readonly number[] | undefined
  /** One value of a scalar, else all values in row-major order; undefined: it has none. */
  readonly value: H5Value | undefined
}

/** The properties that groups, datasets and committed datatypes share. */
abstract class Base {
  abstract readonly kind: ObjectKind
  protected readonly reader: H5FileReader
  /** The object in its file: two paths with one address are one object. */
  readonly address: string
  readonly path: string

  constructor(reader: H5FileReader, address: string, path: string) {
    this.reader = reader
    this.address = address
    this.path = path
  }

  async *attributes(): AsyncGenerator<H5Attribute> {
    for await (const batch of this.reader.attributes(this.address, resolve)) {
      for (const { name, type, space, value } of batch) {
        const shape = space.class === 'H5S_NULL' ? undefined : extentsOf(space)
        const values = value && decodeValues(type, value)
        yield { name, type, shape, value: shape?.length === 0 ? values?.[0] : values }
      }
    }
  }

  /** Undefined: there is none of that name. */
  async attribute(name: string): Promise<H5Attribute | undefined> {
    for await (const attribute of this.attributes()) if (attribute.name === name) return attribute
    return undefined
  }
}

/** Soft links that a path follows: they may lead to each other. @limit safety, links */
const MAX_SOFT_LINKS = 100

export class H5Group extends Base {
  readonly kind = 'group'

  /** The links in the order of creation if the group keeps it, else by title. */
  async *links(): AsyncGenerator<FileLink> {
    for await (const batch of this.reader.links(this.address)) yield* batch
  }

  /** The objects of the hard links, by title. */
  async *children(): AsyncGenerator<readonly [title: string, object: H5Object]> {
    for await (const link of this.links()) {
      if (link.class === 'H5L_TYPE_HARD')
        yield [link.title, await openObject(this.reader, link.address, pathIn(this.path, link.title))]
    }
  }

  /** The object at a path, from here or, with a slash first, from the root; undefined: there is none. */
  async get(path: string): Promise<H5Object | undefined> {
    let object: H5Object = path.startsWith('/') ? new H5Group(this.reader, this.reader.root, '/') : this
    const names = namesOf(path)
    for (let softLinks = 0; names.length > 0; ) {
      const name = names.shift()
      const link: FileLink | undefined =
        object instanceof H5Group && name !== undefined ? await linkIn(object, name) : undefined
      if (link?.class === 'H5L_TYPE_HARD') {
        object = await openObject(this.reader, link.address, pathIn(object.path, link.title))
      } else if (link?.class === 'H5L_TYPE_SOFT' && ++softLinks <= MAX_SOFT_LINKS) {
        if (link.h5path.startsWith('/')) object = new H5Group(this.reader, this.reader.root, '/')
        names.unshift(...namesOf(link.h5path))
      } else return undefined
    }
    return object
  }
}

async function linkIn(group: H5Group, title: string): Promise<FileLink | undefined> {
  for await (const link of group.links()) if (link.title === title) return link
  return undefined
}

function namesOf(path: string): string[] {
  return path.split('/').filter(name => name !== '' && name !== '.')
}

function pathIn(group: string, title: string): string {
  return group === '/' ? `/${title}` : `${group}/${title}`
}

export class H5Datatype extends Base {
  readonly kind = 'datatype'

  type(): Promise<Datatype> {
    return this.reader.datatype(this.address)
  }
}

/** A part of a dataset, or all of it. */
export interface H5Array {
  readonly type: Datatype
  /** No extents for a scalar. */
  readonly shape: readonly number[]
  /** In row-major order. */
  readonly values: H5Values
}

export class H5Dataset extends Base {
  readonly kind = 'dataset'
  readonly #dataset: FileDataset

  constructor(reader: H5FileReader, address: string, path: string, dataset: FileDataset) {
    super(reader, address, path)
    this.#dataset = dataset
  }

  get type(): Datatype {
    return this.#dataset.type
  }

  /** No extents for a scalar; undefined: it has no elements (a null dataspace). */
  get shape(): readonly number[] | undefined {
    const { space } = this.#dataset
    return space.class === 'H5S_NULL' ? undefined : extentsOf(space)
  }

  /** Undefined: it cannot be resized. */
  get maxShape(): readonly MaximumExtent[] | undefined {
    const { space } = this.#dataset
    return space.class === 'H5S_SIMPLE' ? space.maxdims : undefined
  }

  /** The chunk shape; undefined: it is not chunked. */
  get chunks(): readonly number[] | undefined {
    const { layout, chunkDims } = this.#dataset.creationProperties
    return layout === 'H5D_CHUNKED' ? chunkDims : undefined
  }

  /** The numbers of the filters in the order of writing. */
  get filters(): readonly number[] {
    return this.#dataset.creationProperties.filters.map(({ id }) => id)
  }

  /** The value of elements that were never written; undefined: zeros. */
  get fillValue(): H5Value | undefined {
    const { fillValue } = this.#dataset.creationProperties
    return fillValue && decodeValues(this.type, fillValue)[0]
  }

  /** All values, or those of a slice for each dimension: `[[0, 10], null, 3]`. They are in memory as a whole. */
  async read(slices?: readonly Slice[], signal?: AbortSignal): Promise<H5Array> {
    const { type, shape: dims } = this
    if (!dims)
      throw new HyperslabError('malformed-selection', `${this.path} has no values: its dataspace is null`)
    const part = partOf(dims, slices)
    const elements = await this.reader.readValues(this.address, part.start, part.count, resolve, { signal })
    const data = steppedBytes(elements.data, elementSize(type), part)
    const count = data === elements.data ? product(part.count) : data.length / elementSize(type)
    return { type, shape: part.shape, values: decodeValues(type, { ...elements, count, data }) }
  }
}

async function openObject(reader: H5FileReader, address: string, path: string): Promise<H5Object> {
  const { kind } = await reader.object(address)
  if (kind === 'group') return new H5Group(reader, address, path)
  if (kind === 'datatype') return new H5Datatype(reader, address, path)
  return new H5Dataset(reader, address, path, await reader.dataset(address))
}

/** A reference keeps the address; the kind of its object is found when it is opened. */
const resolve: ReferenceResolver = address => ({ kind: 'group', id: idOfAddress(address) })
