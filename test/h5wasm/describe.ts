// Describes HDF5 files as h5wasm reads them, the HDF5 library compiled to WebAssembly, in the form of
// test/h5py/describe.py: links, attributes, types, extents and values. It needs no Python. h5wasm does not tell of
// committed types that are used, of layouts other than chunked, nor of fill values: these are left out and not
// compared.

import { createHash } from 'node:crypto'
import type {
  DescribedAttribute,
  DescribedLink,
  DescribedObject,
  DescribedSpace,
  DescribedValue,
  Description,
} from '../h5py/description.ts'
import { type H5Module, type Metadata, ready } from './library.ts'

/** The library's numbers for the kinds of objects (H5G_obj_t). */
const KINDS = ['group', 'dataset', 'datatype'] as const
const CHARSETS = ['ascii', 'utf8']
const PADDINGS = ['term', 'null', 'space']
/** Maximum extents come as doubles; those that are no exact numbers mean unlimited. */
const LARGEST_EXTENT = 2 ** 53 - 1

/**
 * `text`: of the element at this place of the library's memory; without, the bytes in memory are those of the element.
 */
interface Storage {
  readonly name: string
  readonly size: number
  readonly text?: (at: number) => string
}

export async function describeWithH5wasm(path: string): Promise<Description> {
  const module = await ready()
  const file = module.open(path, 0, false, -1, -1)
  if (file < 0n) return { error: 'h5wasm does not open it' }
  try {
    return new FileDescriber(module, file).describe()
  } finally {
    module.close_file(file)
  }
}

class FileDescriber {
  readonly #module: H5Module
  readonly #file: bigint

  constructor(module: H5Module, file: bigint) {
    this.#module = module
    this.#file = file
  }

  describe(): Description {
    const objects: Record<string, DescribedObject> = {}
    const paths = ['/']
    for (const path of paths) {
      const address = this.#addressOf(path)
      if (address === undefined || address in objects) continue
      objects[address] = this.#object(path)
      for (const { name, hard } of objects[address].links ?? []) {
        if (hard !== undefined) paths.push(childOf(path, name))
      }
    }
    return { root: this.#addressOf('/') ?? 'none', objects }
  }

  /** An object reference holds the address of the object. */
  #addressOf(path: string): string | undefined {
    const reference = Uint8Array.from(this.#module.create_object_reference(this.#file, path))
    const address = new DataView(reference.buffer).getBigUint64(0, true)
    return address === 0n ? undefined : String(address)
  }

  #object(path: string): DescribedObject {
    const [module, file] = [this.#module, this.#file]
    const names = module.get_attribute_names(file, path)
    const attributes = names.map(name => this.#attribute(path, name))
    const kind = KINDS[module.get_type(file, path)]
    if (kind === 'group') {
      const links = module.get_names(file, path, false).map(name => this.#link(childOf(path, name), name))
      return { kind, attributes, links }
    }
    if (kind === 'datatype') {
      return { kind, attributes, type: this.#storage(module.get_datatype_metadata(file, path)).name }
    }
    const metadata = module.get_dataset_metadata(file, path)
    const storage = this.#storage(metadata)
    const { shape } = metadata
    const read = (at: number) => module.get_dataset_data(file, path, null, null, null, BigInt(at))
    const value = shape && this.#value(storage, metadata.total_size, read)
    return {
      kind,
      attributes,
      type: storage.name,
      space: spaceOf(metadata),
      chunks: metadata.chunks,
      filters: module.get_dataset_filters(file, path).map(({ id }) => id),
      values: value ? [{ start: shape.map(() => 0), count: shape, ...value }] : [],
    }
  }

  #attribute(path: string, name: string): DescribedAttribute {
    const metadata = this.#module.get_attribute_metadata(this.#file, path, name)
    const storage = this.#storage(metadata)
    const read = (at: number) => this.#module.get_attribute_data(this.#file, path, name, BigInt(at))
    return {
      name,
      type: storage.name,
      space: spaceOf(metadata),
      ...(metadata.shape && { value: this.#value(storage, metadata.total_size, read) }),
    }
  }

  #link(path: string, name: string): DescribedLink {
    const soft = this.#module.get_symbolic_link(this.#file, path)
    if (soft !== null) return { name, soft }
    const { filename, obj_path } = this.#module.get_external_link(this.#file, path)
    if (filename !== undefined && obj_path !== undefined) return { name, external: [obj_path, filename] }
    const hard = this.#addressOf(path)
    if (hard === undefined) throw new Error(`the link ${path} leads to no object`)
    return { name, hard }
  }

  /** The digest that describe.py makes of the same elements. */
  #value({ size, text }: Storage, count: number, read: (at: number) => number): DescribedValue {
    const memory = this.#module._malloc(Math.max(1, count * size))
    try {
      // The library leaves memory as it is where nothing is stored and the fill time is NEVER.
      this.#module.HEAPU8.fill(0, memory, memory + count * size)
      if (count > 0 && read(memory) < 0) throw new Error('h5wasm does not read the values')
      if (text === undefined) {
        const bytes = this.#bytes(memory, count * size)
        return { sha1: sha1(bytes), head: bytes.subarray(0, 64).toString('hex') }
      }
      const texts = Array.from({ length: count }, (_, index) => text(memory + index * size))
      return { sha1: sha1(texts.join('\n')), head: texts.slice(0, 12) }
    } finally {
      this.#module._free(memory)
    }
  }

  #bytes(at: number, length: number): Buffer {
    return Buffer.from(this.#module.HEAPU8.subarray(at, at + length))
  }

  /** A word of the library's memory: a pointer or a length. */
  #word(at: number): number {
    return this.#bytes(at, 4).readUInt32LE()
  }

  /** h5wasm gives values as they are in memory, little-endian: big-endian ones are not described. */
  #storage(metadata: Omit<Metadata, 'chunks' | 'maxshape' | 'total_size'>): Storage {
    const { type, size } = metadata
    const number = (letter: string): Storage => {
      if (size > 1 && !metadata.littleEndian) throw new Error('big-endian numbers are not described')
      return { name: `${letter}${size}${size === 1 ? '|' : '<'}`, size }
    }
    if (type === 0) return number(metadata.signed ? 'i' : 'u')
    if (type === 1) return number('f')
    if (type === 3) {
      const shape = `${CHARSETS[metadata.cset ?? 0]}:${PADDINGS[metadata.strpad ?? 0]}`
      if (!metadata.vlen) return { name: `S${size}:${shape}`, size }
      return { name: `vS:${shape}`, size: 4, text: at => this.#variableString(at) }
    }
    if (type === 6) {
      const members = metadata.compound_type?.members ?? []
      const parts = members.map(member => this.#storage(member))
      let offset = 0
      for (const [index, part] of parts.entries()) {
        if (part.text || members[index].offset !== offset)
          throw new Error('compounds with gaps or parts of variable size are not described')
        offset += part.size
      }
      return { name: `{${parts.map(({ name }, index) => `${members[index].name}:${name}`).join(',')}}`, size }
    }
    if (type === 7 && metadata.ref_type === 'object') {
      return { name: 'ref', size, text: at => this.#objectReference(at) }
    }
    throw new Error(`the datatype class ${type} is not described`)
  }

  #variableString(at: number): string {
    const start = this.#word(at)
    const end = start === 0 ? 0 : this.#module.HEAPU8.indexOf(0, start)
    return `"${this.#bytes(start, end - start).toString('hex')}"`
  }

  #objectReference(at: number): string {
    const address = this.#bytes(at, 8).readBigUInt64LE()
    return address === 0n ? '@null' : `@${address}`
  }
}

function childOf(path: string, name: string): string {
  return path === '/' ? `/${name}` : `${path}/${name}`
}

function sha1(bytes: Buffer | string): string {
  return createHash('sha1').update(bytes).digest('hex')
}

function spaceOf({ shape, maxshape }: Metadata): DescribedSpace {
  if (!shape) return { class: 'null' }
  if (shape.length === 0) return { class: 'scalar' }
  const maxdims = (maxshape ?? shape).map(extent => (extent > LARGEST_EXTENT ? null : String(extent)))
  return { class: 'simple', dims: shape.map(String), maxdims }
}
