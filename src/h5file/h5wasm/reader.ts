// A reader of HDF5 files over h5wasm, the HDF5 library compiled to WebAssembly. It asks for raw memory in the file's
// own datatypes, since what h5wasm decodes by itself loses references in compounds, n-bit precision, big-endian enums
// and float16. An object is known by the address of its header, which is what an object reference to it holds. What
// h5wasm leaves out (fill values, regions, uses of committed datatypes) is read from the file's bytes.

import type { Metadata } from 'h5wasm/node'
import { HyperslabError } from '../../errors.ts'
import { type Dataspace, type MaximumExtent, product, UNLIMITED } from '../../hdf5/dataspace.ts'
import type { Datatype } from '../../hdf5/datatype/datatype.ts'
import { isVariableSize } from '../../hdf5/datatype/layout.ts'
import type { JsonValue } from '../../hdf5/json.ts'
import type { ObjectKind } from '../../hdf5/object-id.ts'
import { isWellFormed } from '../../hdf5/utf8.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import { type ByteSource, findSignature } from '../byte-source.ts'
import { storedChunks } from '../chunk-index.ts'
import {
  committedTypeOf,
  committedTypesOfAttributes,
  fillValueOf,
  type HeaderMessage,
  hasExternalFiles,
  layoutClassOf,
  layoutMessageOf,
  readHeader,
} from '../object-header.ts'
import type {
  FileAddress,
  FileAttribute,
  FileDataset,
  FileLink,
  FileObject,
  FileWarning,
  H5FileReader,
  ReferenceResolver,
} from '../reader.ts'
import { readRegion } from '../region-selection.ts'
import { elementsFromMemory, type References } from './convert.ts'
import { filterJson } from './creation-properties.ts'
import { fileTypeOf, type MemoryType, memoryTypeOf } from './memory-type.ts'
import { type Hdf5Library, loadLibrary } from './module.ts'

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
  const base = findSignature(source)
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

  object(address: FileAddress): FileObject {
    return this.#known(address)
  }

  links(group: FileAddress): readonly FileLink[] {
    const { path } = this.#known(group)
    const names = this.#call(path, () => this.#functions.get_names(this.#file, path, false))
    return names.flatMap(title => {
      const linkPath = path === '/' ? `/${title}` : `${path}/${title}`
      return this.#tolerate(linkPath, () => this.#link(linkPath, title)) ?? []
    })
  }

  attributes(owner: FileAddress, resolve: ReferenceResolver): readonly FileAttribute[] {
    const { path } = this.#known(owner)
    const names = this.#call(path, () => this.#functions.get_attribute_names(this.#file, path))
    const committedTypes = committedTypesOfAttributes(names.length === 0 ? [] : this.#header(owner))
    return names.flatMap(name => {
      const attribute = this.#attribute(path, name, resolve)
      const committedType = committedTypes.get(name)
      if (!attribute || committedType === undefined) return attribute ?? []
      return { ...attribute, committedType: String(committedType) }
    })
  }

  dataset(address: FileAddress): FileDataset {
    const { metadata, type, filters } = this.#shape(address)
    const header = this.#header(address)
    const committedType = committedTypeOf(header)
    const layout = metadata.chunks ? 'H5D_CHUNKED' : (layoutClassOf(header) ?? 'H5D_CONTIGUOUS')
    const { allocTime = ALLOC_TIMES[layout], fillTime = 'H5D_FILL_TIME_IFSET', value } = fillValueOf(header)
    const isFixed = !isVariableSize(type.type)
    return {
      type: type.type,
      ...(committedType !== undefined && { committedType: String(committedType) }),
      space: dataspaceOf(metadata),
      creationProperties: new Map<string, JsonValue>([
        ['allocTime', allocTime],
        ['fillTime', fillTime],
        [
          'layout',
          new Map<string, JsonValue>([
            ['class', layout],
            ...(metadata.chunks ? [['dims', metadata.chunks] as const] : []),
          ]),
        ],
        ...(filters.length === 0 ? [] : [['filters', filters.map(filterJson)] as const]),
      ]),
      layout,
      ...(metadata.chunks && { chunkDims: metadata.chunks }),
      ...(value?.length === metadata.size && isFixed && { fillValue: this.#fillValue(metadata, value) }),
    }
  }

  datatype(address: FileAddress): Datatype {
    const { path } = this.#known(address)
    return memoryTypeOf(this.#call(path, () => this.#functions.get_datatype_metadata(this.#file, path))).type
  }

  storedChunks(address: FileAddress): Iterable<readonly number[]> | undefined {
    const { metadata, obstacle } = this.#shape(address)
    const header = this.#header(address)
    const layout = layoutMessageOf(header)
    // Values that cannot be read fail when they are read.
    if (!layout || hasExternalFiles(header) || obstacle !== undefined) return undefined
    const file = { source: this.#source, base: this.#base }
    return storedChunks(file, layout, dataspaceOf(metadata), metadata.chunks ?? undefined)
  }

  readValues(
    dataset: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
  ): Elements {
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

  close(): void {
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

  /** What `work` gives; undefined, with a warning, when the file does not allow it. */
  #tolerate<T>(path: string, work: () => T): T | undefined {
    try {
      return work()
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

  #attribute(path: string, name: string, resolve: ReferenceResolver): FileAttribute | undefined {
    return this.#tolerate(`${path} attribute "${name}"`, () => {
      const metadata = this.#call(path, () => this.#functions.get_attribute_metadata(this.#file, path, name))
      const type = memoryTypeOf(metadata)
      const space = dataspaceOf(metadata)
      if (space.class === 'H5S_NULL') return { name, type: type.type, space }
      const value = this.#read(path, type, metadata.total_size, resolve, {
        read: at => this.#functions.get_attribute_data(this.#file, path, name, at),
        reclaim: at => this.#functions.reclaim_vlen_memory(this.#file, path, name, at),
      })
      return { name, type: type.type, space, value }
    })
  }

  /** When the header cannot be read, what h5wasm leaves out stays out. */
  #header(address: FileAddress): readonly HeaderMessage[] {
    return (
      this.#tolerate(this.#known(address).path, () =>
        readHeader(this.#source, this.#base, Number(address)),
      ) ?? []
    )
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
  #read(
    path: string,
    type: MemoryType,
    count: number,
    resolve: ReferenceResolver,
    { read, reclaim }: { read: (at: bigint) => number; reclaim: (at: bigint) => number },
  ): Elements {
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
      const references = this.#references(path, resolve)
      const elements = elementsFromMemory(functions.HEAPU8, at, type, count, references)
      if (count > 0 && isVariableSize(type.type)) this.#do(path, () => reclaim(BigInt(at)))
      return elements
    } finally {
      if (!this.#library.isBroken) functions._free(at)
    }
  }

  #references(path: string, resolve: ReferenceResolver): References {
    const object = (address: bigint) => {
      const target = resolve(String(address))
      return target ?? this.#warn(path, `a reference becomes null: no link leads to its object at ${address}`)
    }
    return {
      object,
      region: (heap, index) =>
        this.#tolerate(path, () => {
          const { address, region } = readRegion(this.#source, this.#base + Number(heap), index)
          const target = object(address)
          return target && { id: target.id, ...region }
        }),
    }
  }
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
