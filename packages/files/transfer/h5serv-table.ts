// The table that h5serv keeps in a file that it has served: the group `__db__` of the root group, which no client sees
// (classic 11.5). It names objects by UUIDs. It has the objects to which no link leads, the access control lists, and
// the creation properties of datasets as clients gave them. Parts that cannot be read are left out.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { FileAddress, FileAttribute, FileDataset, FileLink, H5FileReader } from '@hyperslab/h5/reader'
import { type Attempt, untilDamaged } from '@hyperslab/h5/reader'
import { elementCount, extentsOf, withGivenProperties } from '@hyperslab/model/dataset'
import type { CompoundType } from '@hyperslab/model/datatype'
import {
  elementsToJson,
  isJsonObject,
  isWhole,
  type JsonObject,
  type JsonOutput,
  parseJson,
} from '@hyperslab/model/json'
import { idFromHex, PERMISSIONS, type Permissions } from '@hyperslab/model/names'
import { PREFIXED_REFERENCES, readObjectReference } from '@hyperslab/model/values'
import { harmless } from './file-objects.ts'

const TABLE = '__db__'
/** The path of the table, in messages. */
export const TABLE_PATH = `/${TABLE}`

/** Groups of the table. Each has objects without a link as members, and references to other objects as attributes. */
const OBJECTS = ['{groups}', '{datasets}', '{datatypes}']
/** The group with a dataset for each access control list. */
const LISTS = '{acl}'
/** The group with an attribute for the creation properties of each dataset. */
const PROPERTIES = '{dataset_props}'
/** The groups of h5serv have such names. */
const PART_NAME = /^\{.*\}$/s

/**
 * Items of an access control list of h5serv; a longer one is not h5serv's, which has one item for each user.
 * @limit safety, items
 */
const MAX_ITEMS = 1000
/** The approximate memory of an object in the table. */
const ENTRY_BYTES = 300

const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

/** An item of an access control list; the user 0 is `default`, the others are numbered in h5serv's password file. */
export interface NumberedItem extends Permissions {
  readonly user: number
}

export class H5servTable {
  readonly #reader: H5FileReader
  #address: FileAddress | undefined
  #parts: Promise<ReadonlyMap<string, FileAddress>> | undefined
  #anonymous: Promise<readonly FileAddress[]> | undefined
  #properties: Promise<ReadonlyMap<FileAddress, JsonObject>> | undefined
  #entries = 0

  constructor(reader: H5FileReader) {
    this.#reader = reader
  }

  /** Whether the file has a table, as far as the links of the root group have been read. */
  get isThere(): boolean {
    return this.#address !== undefined
  }

  get heldBytes(): number {
    return ENTRY_BYTES * this.#entries
  }

  /** The links of a group without the one to the table. */
  async *visibleLinks(
    group: FileAddress,
    batches: AsyncIterable<readonly FileLink[]>,
  ): AsyncGenerator<readonly FileLink[]> {
    for await (const links of batches) {
      const table = group === this.#reader.root ? links.find(({ title }) => title === TABLE) : undefined
      yield table && (await this.#isTable(table)) ? links.filter(link => link !== table) : links
    }
  }

  /** A group is the table whatever it has; so is one that cannot be read. */
  async #isTable(link: FileLink): Promise<boolean> {
    if (link.class !== 'H5L_TYPE_HARD') return false
    try {
      if ((await this.#reader.object(link.address)).kind !== 'group') return false
    } catch (error) {
      harmless(error)
    }
    this.#address = link.address
    return true
  }

  /** The objects to which no link leads, if no link outside the table leads to them. */
  anonymous(attempt: Attempt): Promise<readonly FileAddress[]> {
    this.#anonymous ??= this.#readAnonymous(attempt).catch((error: unknown) => {
      this.#anonymous = undefined
      throw error
    })
    return this.#anonymous
  }

  async #readAnonymous(attempt: Attempt): Promise<readonly FileAddress[]> {
    const parts = await this.#partsOf(attempt)
    const found: FileAddress[] = []
    for (const name of OBJECTS) {
      for await (const { address } of this.#members(parts.get(name), attempt)) found.push(address)
    }
    this.#entries += found.length
    return found
  }

  /** The members of the table that h5serv did not make. */
  async strangers(attempt: Attempt): Promise<readonly string[]> {
    return [...(await this.#partsOf(attempt)).keys()].filter(name => !PART_NAME.test(name))
  }

  /** The dataset at the address, with the creation properties that a client gave if there are any. */
  async withGiven(dataset: FileDataset, address: FileAddress, attempt: Attempt): Promise<FileDataset> {
    if (!this.isThere) return dataset
    this.#properties ??= this.#readProperties(attempt).catch((error: unknown) => {
      this.#properties = undefined
      throw error
    })
    const given = (await this.#properties).get(address)
    if (!given || given.size === 0) return dataset
    const { creationProperties, type, space } = dataset
    return { ...dataset, creationProperties: withGivenProperties(creationProperties, given, type, space) }
  }

  /** The access control lists of objects. `attempt` throws where a list must not be left out. */
  async lists(attempt: Attempt): Promise<ReadonlyMap<FileAddress, readonly NumberedItem[]>> {
    const lists = new Map<FileAddress, readonly NumberedItem[]>()
    if (!this.isThere) return lists
    const parts = await this.#partsOf(attempt)
    const found = new Map<string, readonly NumberedItem[]>()
    for await (const { title, address } of this.#members(parts.get(LISTS), attempt)) {
      const items = await attempt(() => this.#readList(address))
      if (items && items.length > 0) found.set(title.toLowerCase(), items)
    }
    if (found.size === 0) return lists
    for await (const [id, address] of this.#addresses(parts, attempt)) {
      const items = found.get(id)
      if (items) lists.set(address, items)
    }
    return lists
  }

  async #readList(address: FileAddress): Promise<readonly NumberedItem[]> {
    const { type, space } = await this.#reader.dataset(address)
    if (space.class === 'H5S_NULL') return []
    const indexes = type.class === 'H5T_COMPOUND' ? columnsOf(type) : undefined
    if (!indexes || elementCount(space) > MAX_ITEMS) {
      throw new HyperslabError(
        'file-unreadable',
        `it is not an access control list of h5serv: compounds with userid and six flags, at most ${MAX_ITEMS}`,
      )
    }
    const dims = extentsOf(space)
    const start = dims.map(() => 0)
    const elements = await this.#reader.readValues(address, start, dims, () => undefined)
    const rows = elementsToJson(type, [elementCount(space)], elements, STYLE)
    const items = new Map<number, NumberedItem>()
    for (const row of Array.isArray(rows) ? rows : []) {
      const item = itemOf(row, indexes)
      if (!items.has(item.user)) items.set(item.user, item)
    }
    return [...items.values()]
  }

  async #readProperties(attempt: Attempt): Promise<ReadonlyMap<FileAddress, JsonObject>> {
    const parts = await this.#partsOf(attempt)
    const found = new Map<string, JsonObject>()
    // Most datasets of a file have equal properties, which are in memory once.
    const parsed = new Map<string, JsonObject | undefined>()
    for await (const attribute of this.#attributes(parts.get(PROPERTIES), attempt)) {
      const text = textOf(attribute)
      if (text === undefined) continue
      if (!parsed.has(text)) parsed.set(text, parseObject(text))
      const json = parsed.get(text)
      if (json) found.set(attribute.name.toLowerCase(), json)
    }
    const properties = new Map<FileAddress, JsonObject>()
    if (found.size === 0) return properties
    for await (const [id, address] of this.#addresses(parts, attempt)) {
      const json = found.get(id)
      if (json) properties.set(address, json)
    }
    this.#entries += properties.size
    return properties
  }

  /** The UUIDs of the root group and of all objects in the table, with their addresses. */
  async *#addresses(
    parts: ReadonlyMap<string, FileAddress>,
    attempt: Attempt,
  ): AsyncGenerator<readonly [id: string, address: FileAddress]> {
    for await (const attribute of this.#attributes(this.#address, attempt)) {
      const id = attribute.name === 'rootUUID' ? textOf(attribute) : undefined
      if (id !== undefined) yield [id.toLowerCase(), this.#reader.root]
    }
    for (const name of OBJECTS) {
      const part = parts.get(name)
      for await (const { title, address } of this.#members(part, attempt))
        yield [title.toLowerCase(), address]
      yield* this.#referenced(part, attempt)
    }
  }

  /** The attributes that are references: their names are UUIDs. */
  async *#referenced(
    part: FileAddress | undefined,
    attempt: Attempt,
  ): AsyncGenerator<readonly [id: string, address: FileAddress]> {
    // The resolver gives numbers in the place of ids, so that each attribute has its address.
    const addresses: FileAddress[] = []
    const resolve = (address: FileAddress) => {
      const id = idFromHex((addresses.push(address) - 1).toString(16).padStart(32, '0'))
      return { kind: 'group', id } as const
    }
    for await (const { name, type, value } of this.#attributes(part, attempt, resolve)) {
      if (type.class !== 'H5T_REFERENCE' || type.base !== 'H5T_STD_REF_OBJ' || value?.count !== 1) continue
      const target = readObjectReference(value.data, 0)
      if (target) yield [name.toLowerCase(), addresses[Number.parseInt(target.id, 16)]]
    }
  }

  #partsOf(attempt: Attempt): Promise<ReadonlyMap<string, FileAddress>> {
    this.#parts ??= this.#readParts(attempt).catch((error: unknown) => {
      this.#parts = undefined
      throw error
    })
    return this.#parts
  }

  async #readParts(attempt: Attempt): Promise<ReadonlyMap<string, FileAddress>> {
    const parts = new Map<string, FileAddress>()
    for await (const { title, address } of this.#members(this.#address, attempt)) parts.set(title, address)
    return parts
  }

  async *#members(
    group: FileAddress | undefined,
    attempt: Attempt,
  ): AsyncGenerator<Extract<FileLink, { class: 'H5L_TYPE_HARD' }>> {
    if (group === undefined) return
    for await (const links of untilDamaged(this.#reader.links(group), attempt)) {
      for (const link of links) {
        if (isTurnOver()) await nextTurn()
        if (link.class === 'H5L_TYPE_HARD') yield link
      }
    }
  }

  async *#attributes(
    owner: FileAddress | undefined,
    attempt: Attempt,
    resolve: Parameters<H5FileReader['attributes']>[1] = () => undefined,
  ): AsyncGenerator<FileAttribute> {
    if (owner === undefined) return
    for await (const batch of untilDamaged(this.#reader.attributes(owner, resolve), attempt)) {
      for (const attribute of batch) {
        if (isTurnOver()) await nextTurn()
        yield attribute
      }
    }
  }
}

/** The positions of the fields of an item. */
type Columns = Readonly<Record<'userid' | keyof Permissions, number>>

/** Undefined: the compound has other fields. */
function columnsOf({ fields }: CompoundType): Columns | undefined {
  const names = ['userid', ...PERMISSIONS] as const
  const columns = names.map(name => [name, fields.findIndex(field => field.name === name)] as const)
  return columns.some(([, index]) => index < 0) ? undefined : (Object.fromEntries(columns) as Columns)
}

function itemOf(row: JsonOutput, columns: Columns): NumberedItem {
  const values: readonly unknown[] = Array.isArray(row) ? row : []
  const user = values[columns.userid]
  const flags = PERMISSIONS.map(name => [name, isSet(values[columns[name]])] as const)
  if (typeof user === 'number' && isWhole(user)) {
    return { user, ...(Object.fromEntries(flags) as Permissions) }
  }
  throw new HyperslabError(
    'file-unreadable',
    'it is not an access control list of h5serv: a userid is no number',
  )
}

/** Flags are numbers, or an enumeration of FALSE and TRUE. */
function isSet(value: unknown): boolean {
  return value === true || (typeof value === 'number' && value !== 0)
}

function textOf({ type, space, value }: FileAttribute): string | undefined {
  if (type.class !== 'H5T_STRING' || !value || value.count !== 1) return undefined
  const [text] = [elementsToJson(type, extentsOf(space), value, STYLE)].flat()
  return typeof text === 'string' ? text : undefined
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const json = parseJson(text)
    return isJsonObject(json) ? json : undefined
  } catch (error) {
    harmless(error)
    return undefined
  }
}
