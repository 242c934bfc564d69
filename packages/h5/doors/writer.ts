// The door to writing: `newFile` begins a file in memory, to whose root group objects, links and attributes are added;
// `pieces` gives its bytes one after another, and `toBytes` at once. The values are copied when they are added.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Dataspace,
  elementCount,
  type MaximumExtent,
  parseCreationProperties,
} from '@hyperslab/model/dataset'
import type { Datatype } from '@hyperslab/model/datatype'
import type { JsonObject, JsonValue } from '@hyperslab/model/json'
import { type ObjectId, ObjectIds, type ObjectKind } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { planFile } from '../writer/file-plan.ts'
import { joined } from '../writer/pieces.ts'
import type { SourceLink } from '../writer/source.ts'
import { encodeValues, shaped, type WritableValue } from './encode-values.ts'
import { type NewObject, NewObjects } from './new-objects.ts'

export { UNLIMITED } from '@hyperslab/model/dataset'
export type { WritableValue } from './encode-values.ts'

export interface ValueOptions {
  /** Default: that of a typed array; float64 for numbers, UTF-8 of any length for strings, the boolean of h5py. */
  readonly type?: Datatype
  /** Default: the length of a typed array, the nesting of lists; an empty list is a scalar. */
  readonly shape?: readonly number[]
}

export interface DatasetOptions extends ValueOptions {
  /** `UNLIMITED`, or the most that an extent can become; the dataset must be chunked. */
  readonly maxShape?: readonly MaximumExtent[]
  /** The chunk shape. Default: one contiguous part, or one chunk if there are filters or a `maxShape`. */
  readonly chunks?: readonly number[]
  readonly shuffle?: boolean
  /** The level of deflate, 0 to 9. */
  readonly deflate?: number
  readonly fletcher32?: boolean
  /** Other filters by number, with the options of their item in the list of HDF5/JSON; they come before the named. */
  readonly filters?: readonly ({ readonly id: number } & Readonly<Record<string, JsonValue>>)[]
  readonly attributes?: Readonly<Record<string, WritableValue>>
}

export interface NewFileOptions {
  /** The time of all objects; default: now. */
  readonly time?: Date
}

/** An empty file, which has a root group. */
export function newFile({ time = new Date(SYSTEM_CLOCK.now()) }: NewFileOptions = {}): NewH5File {
  return new NewH5File(time)
}

export class NewH5File {
  readonly root: NewGroup
  readonly #objects = new NewObjects()

  constructor(time: Date) {
    const ids = new ObjectIds(length => crypto.getRandomValues(new Uint8Array(length)))
    const root = ids.newRoot()
    const making: Making = {
      objects: this.#objects,
      newId: () => ids.newObject(root),
      created: time.getTime() * 1000,
    }
    this.root = new NewGroup(making, root)
  }

  /** The bytes of the file, one piece after another; a piece is valid until the next one is requested. */
  async *pieces(): AsyncGenerator<Uint8Array> {
    const plan = await planFile(this.#objects, this.root.id)
    yield* plan.pieces()
  }

  toBytes(): Promise<Uint8Array> {
    return joined(this.pieces())
  }
}

/** The properties that the objects of one file share. */
interface Making {
  readonly objects: NewObjects
  readonly newId: () => ObjectId
  readonly created: number
}

/** An object of a new file; it is also the value of a reference to it. */
abstract class NewObjectBase {
  abstract readonly kind: ObjectKind
  readonly id: ObjectId
  protected readonly stored: NewObject

  constructor(stored: NewObject) {
    this.id = stored.object.id
    this.stored = stored
  }

  /** Adds an attribute, or replaces the one of that name. */
  setAttribute(name: string, value: WritableValue, options: ValueOptions = {}): this {
    const { type, space, elements } = valuesOf(value, options)
    const { attributes } = this.stored
    const index = attributes.findIndex(other => other.name === name)
    const attribute = { name, type, space, value: elements }
    if (index < 0) attributes.push(attribute)
    else attributes[index] = attribute
    return this
  }
}

export class NewDataset extends NewObjectBase {
  readonly kind = 'dataset'
}

export class NewDatatype extends NewObjectBase {
  readonly kind = 'datatype'
}

export class NewGroup extends NewObjectBase {
  readonly kind = 'group'
  readonly #making: Making

  constructor(making: Making, id: ObjectId) {
    super({ object: { kind: 'group', id, created: making.created }, links: [], attributes: [] })
    this.#making = making
    making.objects.add(this.stored)
  }

  createGroup(title: string): NewGroup {
    return this.#link(title, () => new NewGroup(this.#making, this.#making.newId()))
  }

  /** A dataset with its values. */
  createDataset(title: string, value: WritableValue, options: DatasetOptions = {}): NewDataset {
    return this.#link(title, () => {
      const { maxShape, attributes = {} } = options
      const { type, space: fixed, elements } = valuesOf(value, options)
      const space: Dataspace =
        maxShape && fixed.class === 'H5S_SIMPLE' ? { ...fixed, maxdims: maxShape } : fixed
      const creationProperties = parseCreationProperties(propertiesOf(options, space), type, space)
      const { newId, created, objects } = this.#making
      const object = { kind: 'dataset', id: newId(), created, type, space, creationProperties } as const
      const stored: NewObject = { object, links: [], attributes: [], values: elements }
      objects.add(stored)
      const dataset = new NewDataset(stored)
      for (const [name, attribute] of Object.entries(attributes)) dataset.setAttribute(name, attribute)
      return dataset
    })
  }

  /** A committed datatype. */
  createDatatype(title: string, type: Datatype): NewDatatype {
    return this.#link(title, () => {
      const { newId, created, objects } = this.#making
      const stored: NewObject = {
        object: { kind: 'datatype', id: newId(), created, type },
        links: [],
        attributes: [],
      }
      objects.add(stored)
      return new NewDatatype(stored)
    })
  }

  /** Another name of an object of this file. */
  createHardLink(title: string, { id }: NewGroup | NewDataset | NewDatatype): this {
    return this.#add(title, { class: 'H5L_TYPE_HARD', id })
  }

  createSoftLink(title: string, path: string): this {
    return this.#add(title, { class: 'H5L_TYPE_SOFT', h5path: path })
  }

  createExternalLink(title: string, file: string, path: string): this {
    return this.#add(title, { class: 'H5L_TYPE_EXTERNAL', h5path: path, h5domain: file })
  }

  #link<Made extends NewObjectBase>(title: string, make: () => Made): Made {
    this.#requireNew(title)
    const made = make()
    this.#add(title, { class: 'H5L_TYPE_HARD', id: made.id })
    return made
  }

  #add(title: string, target: SourceLink['target']): this {
    this.#requireNew(title)
    this.stored.links.push({ title, target })
    return this
  }

  #requireNew(title: string): void {
    if (title === '' || title === '.' || title.includes('/'))
      throw new HyperslabError('malformed-name', `"${title}" cannot be the title of a link`)
    if (this.stored.links.some(link => link.title === title))
      throw new HyperslabError('link-exists', `the group has a link "${title}" already`)
  }
}

function valuesOf(
  value: WritableValue,
  options: ValueOptions,
): { readonly type: Datatype; readonly space: Dataspace; readonly elements: Elements } {
  const { type, dims, values } = shaped(value, options.type, options.shape)
  const isScalar = dims === undefined || dims.length === 0
  const space: Dataspace = isScalar ? { class: 'H5S_SCALAR' } : { class: 'H5S_SIMPLE', dims }
  return { type, space, elements: encodeValues(type, elementCount(space), values) }
}

/** The creation properties as HDF5/JSON has them. */
function propertiesOf(options: DatasetOptions, space: Dataspace): JsonObject {
  const { chunks, maxShape, shuffle, deflate, fletcher32, filters = [] } = options
  const list: JsonObject[] = filters.map(filter => new Map(Object.entries(filter)))
  if (shuffle) list.push(new Map([['id', 2]]))
  if (deflate !== undefined) {
    const item: readonly [string, JsonValue][] = [
      ['id', 1],
      ['level', deflate],
    ]
    list.push(new Map(item))
  }
  if (fletcher32) list.push(new Map([['id', 3]]))
  const properties = new Map<string, JsonValue>()
  const dims = space.class === 'H5S_SIMPLE' ? space.dims : []
  const chunkDims =
    chunks ?? (list.length > 0 || maxShape ? dims.map(extent => Math.max(1, extent)) : undefined)
  const layout: readonly [string, JsonValue][] = chunkDims
    ? [
        ['class', 'H5D_CHUNKED'],
        ['dims', [...chunkDims]],
      ]
    : [['class', 'H5D_CONTIGUOUS']]
  properties.set('layout', new Map(layout))
  if (list.length > 0) properties.set('filters', list)
  return properties
}
