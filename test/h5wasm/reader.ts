// A reader of HDF5 files over h5wasm, the HDF5 library compiled to WebAssembly. It asks for raw memory in the file's
// own datatypes, since what h5wasm decodes by itself loses references in compounds, n-bit precision, big-endian enums
// and float16. An object is known by the address of its header, which is what an object reference to it holds. What
// h5wasm leaves out (fill values, regions, uses of committed datatypes) is read from the file's bytes.

import type { Metadata } from 'h5wasm/node'
import { HyperslabError } from '../../src/errors.ts'
import { type ByteSource, findSignature } from '../../src/h5file/byte-source.ts'
import { fileCreationProperties } from '../../src/h5file/creation-properties.ts'
import { filterJson } from '../../src/h5file/filter-json.ts'
import type {
  FileAddress,
  FileAttribute,
  FileDataset,
  FileLink,
  FileObject,
  FileWarning,
  H5FileReader,
  ReferenceResolver,
  StoredChunks,
} from '../../src/h5file/reader.ts'
import { type Dataspace, type MaximumExtent, product, UNLIMITED } from '../../src/hdf5/dataspace.ts'
import type { Datatype } from '../../src/hdf5/datatype/datatype.ts'
import { includesType, isVariableSize } from '../../src/hdf5/datatype/layout.ts'
import type { JsonValue } from '../../src/hdf5/json.ts'
import type { ObjectKind } from '../../src/hdf5/object-id.ts'
import { isWellFormed } from '../../src/hdf5/utf8.ts'
import type { Elements } from '../../src/hdf5/values/elements.ts'
import type { RegionReference } from '../../src/hdf5/values/references.ts'
import { storedChunks } from './chunk-index.ts'
import { elementsFromMemory, type References } from './convert.ts'
import { fileTypeOf, type MemoryType, memoryTypeOf } from './memory-type.ts'
import { type Hdf5Library, loadLibrary } from './module.ts'
import {
  committedTypeOf,
  committedTypesOfAttributes,
  fillValueOf,
  type HeaderMessage,
  hasExternalFiles,
  layoutClassOf,
  layoutMessageOf,
  readHeader,
} from './object-header.ts'
import { readRegion } from './region-selection.ts'

/** The library's numbers for the kinds of objects (H5G_obj_t). */
const KINDS: readonly ObjectKind[] = ['group', 'dataset', 'datatype']

/** What h5wasm gives for the type of what is not there. */
const NO_LINK = -1

const NBIT_FILTER = 5

/** Those that h5wasm has: deflate, shuffle, fletcher32, n-bit, scale-offset. */
const FILTERS: ReadonlySet<number> = new Set([1, 2, 3, NBIT_FILTER, 6])

/** Maximum extents come as doubles; those that are no exact numbers mean unlimited. */
const LARGEST_EXTENT = 2 ** 53 - 1

/** What HDF5 takes for the allocation time when a file does not say. */
const ALLOC_TIMES = {
  H5D_COMPACT: 'H5D_ALLOC_TIME_EARLY',
  H5D_CONTIGUOUS: 'H5D_ALLOC_TIME_LATE',
  H5D_CHUNKED: 'H5D_ALLOC_TIME_INCR',
} as const

/** Opens the file at `path`, whose bytes `source` also gives. */
export async function openH5wasmReader(path: string, source: ByteSource): Promise<H5FileReader> {
  const base = await findSignature(source)
  if (base === undefined) {
    throw new HyperslabError('not-hdf5', `${path} is not an HDF5 file: it has no HDF5 signature`, {
      subject: path,
    })
  }
  const library = await loadLibrary()
  const opened = library.attempt(() => library.functions.open(path, 0, false, -1, -1))
  const complaint = 'failure' in opened ? opened.failure : opened.complaint
  if ('failure' in opened || opened.value < 0n) {
    throw new HyperslabError('file-unreadable', `${path} cannot be read: ${describeComplaint(complaint)}`, {
      subject: path,
    })
  }
  return new H5wasmReader(library, opened.value, { source, base, path })
}

/** The file as bytes, where its address 0 lies in them, and its path. */
interface OpenedFile {
  readonly source: ByteSource
  readonly base: number
  readonly path: string
}

interface KnownObject extends FileObject {
  /** One of the paths that lead to it: the functions of h5wasm go by paths. */
  readonly path: string
}

interface DatasetShape {
  readonly metadata: Metadata
  readonly type: MemoryType
  readonly filters: readonly { id: number; name: string; cd_values: number[] }[]
  /** Why the values cannot be read, as far as that is known before. */
  readonly obstacle: string | undefined
}

class H5wasmReader implements H5FileReader {
  readonly root: FileAddress
  readonly warnings: FileWarning[] = []
  readonly #warned = new Set<string>()
  readonly #library: Hdf5Library
  readonly #file: bigint
  readonly #source: ByteSource
  readonly #base: number
  readonly #path: string
  readonly #objects = new Map<FileAddress, KnownObject>()
  readonly #datasets = new Map<FileAddress, DatasetShape>()

  constructor(library: Hdf5Library, file: bigint, { source, base, path }: OpenedFile) {
    this.#library = library
    this.#file = file
    this.#source = source
    this.#base = base
    this.#path = path
    const root = this.#addressOf('/')
    if (root === undefined) throw unreadableObject('/', 'there is no root group')
    this.root = root
    this.#objects.set(root, { address: root, kind: 'group', path: '/' })
  }

  async object(address: FileAddress): Promise<FileObject> {
    return this.#known(address)
  }

  async links(group: FileAddress): Promise<readonly FileLink[]> {
    const { path } = this.#known(group)
    const names = this.#call(path, () => this.#functions.get_names(this.#file, path, false))
    const links: FileLink[] = []
    for (const title of names) {
      const linkPath = path === '/' ? `/${title}` : `${path}/${title}`
      const link = await this.#tolerate(linkPath, () => this.#link(linkPath, title))
      if (link) links.push(link)
    }
    return links
  }

  async attributes(owner: FileAddress, resolve: ReferenceResolver): Promise<readonly FileAttribute[]> {
    const { path } = this.#known(owner)
    const names = this.#call(path, () => this.#functions.get_attribute_names(this.#file, path))
    const committedTypes = committedTypesOfAttributes(names.length === 0 ? [] : await this.#header(owner))
    const attributes: FileAttribute[] = []
    for (const name of names) {
      const attribute = await this.#attribute(path, name, resolve)
      const committedType = committedTypes.get(name)
      if (!attribute) continue
      attributes.push({
        ...attribute,
        ...(committedType !== undefined && { committedType: String(committedType) }),
      })
    }
    return attributes
  }

  async dataset(address: FileAddress): Promise<FileDataset> {
    const { metadata, type, filters } = this.#shape(address)
    const header = await this.#header(address)
    const committedType = committedTypeOf(header)
    const layout = metadata.chunks ? 'H5D_CHUNKED' : (layoutClassOf(header) ?? 'H5D_CONTIGUOUS')
    const { allocTime = ALLOC_TIMES[layout], fillTime = 'H5D_FILL_TIME_IFSET', value } = fillValueOf(header)
    const hasFillValue = value?.length === metadata.size && !isVariableSize(type.type)
    const fillValue = hasFillValue ? this.#fillValue(metadata, value) : undefined
    const space = dataspaceOf(metadata)
    const properties = new Map<string, JsonValue>([
      ['allocTime', allocTime],
      ['fillTime', fillTime],
      [
        'layout',
        new Map<string, JsonValue>([
          ['class', layout],
          ...(metadata.chunks ? [['dims', metadata.chunks] as const] : []),
        ]),
      ],
      ...(filters.length === 0
        ? []
        : [
            [
              'filters',
              filters.map(filter => filterJson({ ...filter, clientData: filter.cd_values })),
            ] as const,
          ]),
    ])
    return {
      type: type.type,
      ...(committedType !== undefined && { committedType: String(committedType) }),
      space,
      creationProperties: fileCreationProperties(properties, type.type, space, fillValue),
    }
  }

  async datatype(address: FileAddress): Promise<Datatype> {
    const { path } = this.#known(address)
    return memoryTypeOf(this.#call(path, () => this.#functions.get_datatype_metadata(this.#file, path))).type
  }

  async storedChunks(address: FileAddress): Promise<StoredChunks | undefined> {
    const { metadata, obstacle } = this.#shape(address)
    const header = await this.#header(address)
    const layout = layoutMessageOf(header)
    // Values that cannot be read fail when they are read.
    if (!layout || hasExternalFiles(header) || obstacle !== undefined) return undefined
    const file = { source: this.#source, base: this.#base }
    return storedChunks(file, layout, dataspaceOf(metadata), metadata.chunks ?? undefined)
  }

  async readValues(
    dataset: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
  ): Promise<Elements> {
    const { path } = this.#known(dataset)
    const { type, obstacle } = this.#shape(dataset)
    if (obstacle !== undefined) throw unreadableObject(path, obstacle)
    const box = count.length === 0 ? null : count.map(BigInt)
    const offset = count.length === 0 ? null : start.map(BigInt)
    const strides = count.length === 0 ? null : count.map(() => 1n)
    return this.#read(path, type, product(count), resolve, {
      read: at => this.#functions.get_dataset_data(this.#file, path, box, offset, strides, at),
      reclaim: at =>
        box
          ? this.#functions.reclaim_vlen_memory_count(this.#file, path, '', at, box)
          : this.#functions.reclaim_vlen_memory(this.#file, path, '', at),
    })
  }

  async close(): Promise<void> {
    if (!this.#library.isBroken) this.#functions.close_file(this.#file)
  }

  get #functions(): Hdf5Library['functions'] {
    return this.#library.functions
  }

  #known(address: FileAddress): KnownObject {
    const known = this.#objects.get(address)
    if (!known) throw new Error(`no link has named the object at ${address} yet`)
    return known
  }

  /** Runs a function of the library that throws when it fails; its complaints alone mean nothing. */
  #attempt<T>(path: string, work: () => T): { readonly value: T; readonly complaint: string | undefined } {
    if (this.#library.isBroken)
      throw new HyperslabError('file-unreadable', 'the HDF5 library crashed on this file')
    const attempt = this.#library.attempt(work)
    if ('failure' in attempt) throw unreadableObject(path, describeComplaint(attempt.failure))
    return attempt
  }

  /** Runs a function of the library that throws or complains when it fails. */
  #call<T>(path: string, work: () => T): T {
    const { value, complaint } = this.#attempt(path, work)
    if (complaint !== undefined) throw unreadableObject(path, describeComplaint(complaint))
    return value
  }

  /** Runs a function of the library that gives a negative number when it fails. */
  #do(path: string, work: () => number): void {
    const { value: status, complaint } = this.#attempt(path, work)
    if (status < 0) throw unreadableObject(path, describeComplaint(complaint))
  }

  /** Once for each problem: a dataset may have millions of references that lead nowhere. */
  #warn(path: string, message: string): undefined {
    const key = `${path}\0${message}`
    if (!this.#warned.has(key)) this.warnings.push({ path, message })
    this.#warned.add(key)
    return undefined
  }

  /** The result of `work`; undefined, with a warning, when the file does not allow it. */
  async #tolerate<T>(path: string, work: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof HyperslabError) || error.code === 'file-damaged') throw error
      return this.#warn(path, error.message)
    }
  }

  #addressOf(path: string): FileAddress | undefined {
    const { value } = this.#attempt(path, () => this.#functions.create_object_reference(this.#file, path))
    const address = new DataView(Uint8Array.from(value).buffer).getBigUint64(0, true)
    return address === 0n ? undefined : String(address)
  }

  #link(path: string, title: string): FileLink {
    const { value: soft } = this.#attempt(path, () => this.#functions.get_symbolic_link(this.#file, path))
    if (soft !== null) {
      if (!isWellFormed(soft)) throw unreadableObject(path, 'the link is left out: its target is not UTF-8')
      return { title, class: 'H5L_TYPE_SOFT', h5path: soft }
    }
    const { value: external } = this.#attempt(path, () => this.#functions.get_external_link(this.#file, path))
    const { filename, obj_path } = external
    if (filename !== undefined && obj_path !== undefined) {
      return { title, class: 'H5L_TYPE_EXTERNAL', h5path: obj_path, file: filename }
    }
    const address = this.#addressOf(path)
    if (address === undefined) {
      // h5wasm garbles a name that is not UTF-8, so that it is the name of no link.
      const { value: type } = this.#attempt(path, () => this.#functions.get_type(this.#file, path))
      if (type === NO_LINK) throw unreadableObject(path, 'the link is left out: its name is not UTF-8')
      // A link that is neither soft nor external, and leads to no object.
      return { title, class: 'H5L_TYPE_USER_DEFINED' }
    }
    if (!this.#objects.has(address)) {
      this.#objects.set(address, { address, kind: this.#kindOf(path), path })
    }
    return { title, class: 'H5L_TYPE_HARD', address }
  }

  #kindOf(path: string): ObjectKind {
    const number = this.#call(path, () => this.#functions.get_type(this.#file, path))
    const kind = KINDS[number]
    if (!kind) throw unreadableObject(path, `there is no kind of object ${number}`)
    return kind
  }

  #attribute(path: string, name: string, resolve: ReferenceResolver): Promise<FileAttribute | undefined> {
    return this.#tolerate(`${path} attribute "${name}"`, async () => {
      const metadata = this.#call(path, () => this.#functions.get_attribute_metadata(this.#file, path, name))
      const type = memoryTypeOf(metadata)
      const space = dataspaceOf(metadata)
      if (space.class === 'H5S_NULL') return { name, type: type.type, space }
      const value = await this.#read(path, type, metadata.total_size, resolve, {
        read: at => this.#functions.get_attribute_data(this.#file, path, name, at),
        reclaim: at => this.#functions.reclaim_vlen_memory(this.#file, path, name, at),
      })
      return { name, type: type.type, space, value }
    })
  }

  /** When the header cannot be read, what h5wasm leaves out stays out. */
  async #header(address: FileAddress): Promise<readonly HeaderMessage[]> {
    const { path } = this.#known(address)
    return (await this.#tolerate(path, () => readHeader(this.#source, this.#base, Number(address)))) ?? []
  }

  #fillValue(metadata: Metadata, value: Uint8Array): Elements {
    return elementsFromMemory(value, 0, fileTypeOf(metadata), 1, {
      object: () => undefined,
      region: () => undefined,
    })
  }

  #shape(address: FileAddress): DatasetShape {
    const known = this.#datasets.get(address)
    if (known) return known
    const { path } = this.#known(address)
    const metadata = this.#call(path, () => this.#functions.get_dataset_metadata(this.#file, path))
    const filters = this.#call(path, () => this.#functions.get_dataset_filters(this.#file, path))
    const nbit = filters.find(filter => filter.id === NBIT_FILTER)
    const type = memoryTypeOf(metadata, nbit?.cd_values)
    const obstacle = missingFilter(filters) ?? this.#missingSource(metadata)
    const shape = { metadata, filters, type, obstacle }
    this.#datasets.set(address, shape)
    return shape
  }

  /** The library reads what is missing of a virtual dataset as the fill value, without an error. */
  #missingSource({ virtual_sources: sources = [] }: Metadata): string | undefined {
    const missing = sources.find(({ file_name: file, dset_name: path }) => {
      // A pattern stands for any number of sources, none included.
      if (file.includes('%b') || path.includes('%b')) return false
      if (file === '.') return this.#addressOf(path) === undefined
      const beside = this.#path.slice(0, this.#path.lastIndexOf('/') + 1) + file
      return !this.#holds(beside, path) && !this.#holds(file, path)
    })
    return (
      missing &&
      `the source ${missing.dset_name} in ${missing.file_name.slice(missing.file_name.lastIndexOf('/') + 1)} is missing`
    )
  }

  /** Whether there is another file that holds an object at `path`. */
  #holds(name: string, path: string): boolean {
    const { value: file } = this.#attempt(name, () => this.#functions.open(name, 0, false, -1, -1))
    if (file < 0n) return false
    const { value } = this.#attempt(name, () => this.#functions.create_object_reference(file, path))
    this.#functions.close_file(file)
    return Array.from(value).some(byte => byte !== 0)
  }

  /** Lets the library read into memory of its own and turns what is there into storage form. */
  async #read(
    path: string,
    type: MemoryType,
    count: number,
    resolve: ReferenceResolver,
    { read, reclaim }: { read: (at: bigint) => number; reclaim: (at: bigint) => number },
  ): Promise<Elements> {
    const functions = this.#functions
    const length = Math.max(1, count * type.size)
    const { value: at } = this.#attempt(path, () => functions._malloc(length))
    if (at === 0)
      throw unreadableObject(path, `not enough memory for ${count} elements of ${type.size} bytes`)
    try {
      // The library leaves the memory as it is where nothing is stored and the fill time is NEVER.
      functions.HEAPU8.fill(0, at, at + length)
      if (count > 0) {
        // Complaints do not count: setting the byte order of an enum gives one.
        this.#do(path, () => read(BigInt(at)))
      }
      const regions = await this.#regions(path, type, at, count, resolve)
      const references = { object: this.#objectResolver(path, resolve), region: regions }
      const elements = elementsFromMemory(functions.HEAPU8, at, type, count, references)
      if (count > 0 && isVariableSize(type.type)) this.#do(path, () => reclaim(BigInt(at)))
      return elements
    } finally {
      if (!this.#library.isBroken) functions._free(at)
    }
  }

  #objectResolver(path: string, resolve: ReferenceResolver): References['object'] {
    return address => {
      const target = resolve(String(address))
      return target ?? this.#warn(path, `a reference becomes null: no link leads to its object at ${address}`)
    }
  }

  /**
   * The regions that elements in the library's memory refer to. The file has them elsewhere, so they are read before the
   * elements are converted: a first conversion finds which they are.
   */
  async #regions(
    path: string,
    type: MemoryType,
    at: number,
    count: number,
    resolve: ReferenceResolver,
  ): Promise<References['region']> {
    if (!includesType(type.type, isRegionType)) return () => undefined
    const keyOf = (heap: bigint, index: number) => `${heap}/${index}`
    const places = new Map<string, { readonly heap: bigint; readonly index: number }>()
    elementsFromMemory(this.#functions.HEAPU8, at, type, count, {
      object: () => undefined,
      region: (heap, index) => void places.set(keyOf(heap, index), { heap, index }),
    })
    const objectAt = this.#objectResolver(path, resolve)
    const regions = new Map<string, RegionReference>()
    for (const [key, { heap, index }] of places) {
      const found = await this.#tolerate(path, () =>
        readRegion(this.#source, this.#base + Number(heap), index),
      )
      const target = found && objectAt(found.address)
      if (found && target) regions.set(key, { id: target.id, ...found.region })
    }
    return (heap, index) => regions.get(keyOf(heap, index))
  }
}

function isRegionType(type: Datatype): boolean {
  return type.class === 'H5T_REFERENCE' && type.base === 'H5T_STD_REF_DSETREG'
}

function dataspaceOf({ shape, maxshape }: Metadata): Dataspace {
  if (!shape) return { class: 'H5S_NULL' }
  if (shape.length === 0) return { class: 'H5S_SCALAR' }
  const maxdims = maxshape?.map((extent): MaximumExtent => (extent > LARGEST_EXTENT ? UNLIMITED : extent))
  const grows = maxdims?.some((extent, dimension) => extent !== shape[dimension])
  return { class: 'H5S_SIMPLE', dims: shape, ...(grows && maxdims && { maxdims }) }
}

function missingFilter(filters: DatasetShape['filters']): string | undefined {
  const missing = filters.find(({ id }) => !FILTERS.has(id))
  return missing && `the filter ${missing.name || 'without a name'} (${missing.id}) is not available`
}

/** The path is the subject of the error, not part of the message: reports name it beside. */
function unreadableObject(path: string, why: string): HyperslabError {
  return new HyperslabError('file-unreadable', why, { subject: path })
}

function describeComplaint(complaint: string | undefined): string {
  return complaint === undefined
    ? 'the HDF5 library failed without a message'
    : `the HDF5 library says "${complaint}"`
}
