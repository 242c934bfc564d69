// A domain of a store as if it were the file that was imported into it, so that one comparison (compare-file.ts) serves
// for both. Addresses are those of the file: found along the links, which have the names that they have there.

import { HyperslabError } from '@hyperslab/base/errors'
import type {
  FileAddress,
  FileAttribute,
  FileDataset,
  FileLink,
  FileObject,
  H5FileReader,
  StoredChunks,
} from '@hyperslab/h5/reader'
import { extentsOf } from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { DomainPath, ObjectId } from '@hyperslab/model/names'
import { type Elements, ElementsBuilder } from '@hyperslab/model/values'
import type { Dataset, HdfObject, Link, Reader } from '@hyperslab/store/store'
import { SELECT_ALL } from '../../packages/server/service/selection/request.ts'
import { resolveSelection } from '../../packages/server/service/selection/resolve.ts'
import { wholeValue } from '../conformance/sample-objects.ts'
import type { Description } from './description.ts'

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = []
  for await (const item of items) list.push(item)
  return list
}

/** The methods of a reader that it needs. */
export type DomainSource = Pick<Reader, 'domain' | 'object' | 'links' | 'attributes' | 'readValues'>

export class DomainReader implements H5FileReader {
  readonly root: FileAddress
  readonly warnings = []
  readonly #reader: DomainSource
  readonly addressOf: (id: ObjectId) => FileAddress
  readonly #ids: ReadonlyMap<FileAddress, ObjectId>

  constructor(
    reader: DomainSource,
    root: FileAddress,
    addresses: ReadonlyMap<ObjectId, FileAddress>,
    addressOfOther?: (id: ObjectId) => FileAddress,
  ) {
    this.root = root
    this.#reader = reader
    this.addressOf = id => addresses.get(id) ?? addressOfOther?.(id) ?? `unknown ${id}`
    this.#ids = new Map([...addresses].map(([id, address]) => [address, id]))
  }

  /**
   * Goes along the links of the store and of the description at the same time, and to the committed datatypes of
   * datasets. `addressOfOther`: of other objects that no link leads to. Default: their addresses are not known.
   */
  static async open(
    reader: DomainSource,
    path: DomainPath,
    { root = '', objects = {} }: Description,
    addressOfOther?: (id: ObjectId) => FileAddress,
  ): Promise<DomainReader> {
    const entry = await reader.domain(path)
    if (!entry?.root) throw new Error('there is no domain')
    const addresses = new Map<ObjectId, FileAddress>([[entry.root, root]])
    for (const [id, address] of addresses) {
      const { committed } = objects[address] ?? {}
      const object = await reader.object(id)
      const type = object?.kind === 'dataset' ? object.committedType : undefined
      if (type !== undefined && committed && !addresses.has(type)) addresses.set(type, committed)
      const described = new Map(objects[address]?.links?.map(link => [link.name, link.hard]))
      for (const { title, target } of await all(reader.links(id))) {
        const to = described.get(title)
        if (target.class === 'H5L_TYPE_HARD' && to !== undefined && !addresses.has(target.id))
          addresses.set(target.id, to)
      }
    }
    return new DomainReader(reader, root, addresses, addressOfOther)
  }

  pathOf(address: FileAddress): string {
    return address
  }

  async object(address: FileAddress): Promise<FileObject> {
    const { kind } = await this.#object(address)
    return { address, kind }
  }

  async *links(group: FileAddress): AsyncGenerator<readonly FileLink[]> {
    for await (const link of this.#reader.links(this.#id(group))) {
      // The comparison says that it is not there.
      if (link.target.class === 'H5L_TYPE_ERROR') continue
      yield [this.#link({ ...link, target: link.target })]
    }
  }

  async *attributes(owner: FileAddress): AsyncGenerator<readonly FileAttribute[]> {
    const attributes = await all(this.#reader.attributes(this.#id(owner)))
    yield await Promise.all(
      attributes.map(async attribute => {
        if ('reason' in attribute) throw attribute.reason
        const { name, type, space, value, committedType } = attribute
        const whole = await wholeValue(type, value)
        return {
          name,
          type,
          space,
          ...(committedType && { committedType: this.addressOf(committedType) }),
          ...(whole && { value: whole }),
        }
      }),
    )
  }

  async dataset(address: FileAddress): Promise<FileDataset> {
    const { type, space, creationProperties, committedType } = await this.#dataset(address)
    return {
      type,
      space,
      creationProperties,
      ...(committedType && { committedType: this.addressOf(committedType) }),
    }
  }

  async datatype(address: FileAddress): Promise<Datatype> {
    const object = await this.#object(address)
    if (object.kind !== 'datatype') throw new Error(`${address} is no committed datatype`)
    return object.type
  }

  /** A store has chunks of its own. */
  async storedChunks(): Promise<StoredChunks | undefined> {
    return undefined
  }

  async readValues(
    address: FileAddress,
    start: readonly number[],
    count: readonly number[],
  ): Promise<Elements> {
    const dataset = await this.#dataset(address)
    if (dataset.unreadable !== undefined) throw new HyperslabError('file-unreadable', dataset.unreadable)
    const stop = start.map((first, d) => first + count[d])
    const isAll = String(count) === String(extentsOf(dataset.space))
    // A stop of 0 would be the extent.
    const request = isAll ? SELECT_ALL : ({ kind: 'hyperslab', start, stop } as const)
    const pieces = await all(this.#reader.readValues(dataset, resolveSelection(request, dataset.space)))
    const total = pieces.reduce((sum, piece) => sum + piece.count, 0)
    const copy = new ElementsBuilder(dataset.type, total)
    let at = 0
    for (const piece of pieces) {
      copy.copy(piece, 0, at, piece.count)
      at += piece.count
    }
    return copy.finish()
  }

  async close(): Promise<void> {}

  #id(address: FileAddress): ObjectId {
    const id = this.#ids.get(address)
    if (!id) throw new Error(`no object of the store stands for ${address}`)
    return id
  }

  async #object(address: FileAddress): Promise<HdfObject> {
    const object = await this.#reader.object(this.#id(address))
    if (!object) throw new Error(`the store has no object for ${address}`)
    return object
  }

  async #dataset(address: FileAddress): Promise<Dataset> {
    const object = await this.#object(address)
    if (object.kind !== 'dataset') throw new Error(`${address} is no dataset`)
    return object
  }

  #link({ title, target }: Link): FileLink {
    switch (target.class) {
      case 'H5L_TYPE_HARD':
        return { title, class: target.class, address: this.addressOf(target.id) }
      case 'H5L_TYPE_SOFT':
        return { title, class: target.class, h5path: target.h5path }
      case 'H5L_TYPE_EXTERNAL':
        return { title, class: target.class, h5path: target.h5path, file: target.h5domain }
      case 'H5L_TYPE_USER_DEFINED':
        return { title, class: target.class }
    }
  }
}
