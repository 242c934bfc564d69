// Compares what a reader of ours gives of a file with what libhdf5 reads (describe.py, or h5wasm/describe.ts): every
// object, link, attribute, type, creation property and value. Nothing is thrown: the differences are listed, so that
// one defect does not hide another.

import { createHash } from 'node:crypto'
import { HyperslabError } from '@hyperslab/base/errors'
import type {
  FileAddress,
  FileAttribute,
  FileLink,
  H5FileReader,
  ReferenceResolver,
} from '@hyperslab/h5/reader'
import type { Dataspace } from '@hyperslab/model/dataset'
import type { JsonObject } from '@hyperslab/model/json'
import { idFromHex, type ObjectId, type ObjectKind } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import { collect } from '../fixtures/file-of-structures.ts'
import type {
  DescribedAttribute,
  DescribedLink,
  DescribedObject,
  DescribedSpace,
  DescribedValue,
  Description,
} from './description.ts'
import { elementTexts, isPlain, typeName } from './element-text.ts'

/**
 * `refused`: our reader gives a reason and no value. `beyond`: it gives what libhdf5 does not. `defect`: an error that
 * is not its own.
 */
export type FindingKind = 'different' | 'refused' | 'beyond' | 'defect'

export interface Finding {
  readonly path: string
  readonly kind: FindingKind
  readonly message: string
}

/** How many findings one file may have. */
const MOST = 200

/** References are compared by the addresses that they refer to, so ids are made of addresses. */
const idOf = (address: FileAddress): ObjectId => idFromHex(BigInt(address).toString(16).padStart(32, '0'))
const addressOfId = (id: ObjectId): string => BigInt(`0x${id}`).toString()

export interface ComparisonOptions {
  /**
   * The address of the object that an id in a value names. Default: ids are those that the comparison gives to
   * references.
   */
  readonly addressOf?: (id: ObjectId) => FileAddress
  /** Links come in the order of the file, and objects have their comments: a store keeps neither. Default: true. */
  readonly complete?: boolean
}

/** `open` is called once; what it throws is a finding. */
export async function compareFile(
  open: () => Promise<H5FileReader>,
  expected: Description,
  options: ComparisonOptions = {},
): Promise<readonly Finding[]> {
  const comparison = new FileComparison(expected, options)
  const reader = await comparison.attempt('', open)
  // Refused by both is equal.
  if (!reader)
    return comparison.findings.filter(({ kind }) => kind !== 'refused' || expected.objects !== undefined)
  if (expected.objects === undefined) {
    comparison.note('', 'beyond', `libhdf5 does not open it: ${expected.error ?? expected.failed}`)
  } else {
    await comparison.attempt('', () => comparison.compare(reader))
  }
  await comparison.attempt('', () => reader.close())
  return comparison.findings
}

class FileComparison {
  readonly findings: Finding[] = []
  readonly #expected: Description
  readonly #complete: boolean
  readonly #addressOf: (id: ObjectId) => FileAddress
  readonly #kinds = new Map<FileAddress, ObjectKind>()

  constructor(expected: Description, { addressOf = addressOfId, complete = true }: ComparisonOptions) {
    this.#expected = expected
    this.#addressOf = addressOf
    this.#complete = complete
  }

  note(path: string, kind: FindingKind, message: string): void {
    if (this.findings.length < MOST) this.findings.push({ path, kind, message })
  }

  /** Undefined, and a finding, when it throws. */
  async attempt<T>(path: string, work: () => Promise<T>): Promise<T | undefined> {
    try {
      return await work()
    } catch (error) {
      if (error instanceof HyperslabError) this.note(path, 'refused', error.message)
      else this.note(path, 'defect', error instanceof Error ? (error.stack ?? error.message) : String(error))
      return undefined
    }
  }

  /** Goes along the links, as an importer does. */
  async compare(reader: H5FileReader): Promise<void> {
    const objects = this.#expected.objects ?? {}
    this.#equal('', 'the address of the root', this.#expected.root, reader.root)
    const paths = new Map<FileAddress, string>([[reader.root, '/']])
    for (const [address, path] of paths) {
      const described = objects[address]
      if (!described) {
        const isMore = !this.#complete || (await isReadable(reader, address))
        if (!this.#expected.truncated && isMore)
          this.note(path, 'beyond', `libhdf5 knows no object at ${address}`)
        continue
      }
      const object = await this.attempt(path, () => reader.object(address))
      if (!object) continue
      this.#kinds.set(address, object.kind)
      if (described.kind === undefined) continue
      this.#equal(path, 'the kind', described.kind, object.kind)
      if (this.#complete) this.#equal(path, 'the comment', described.comment, object.comment)
      if (object.kind !== 'group' || described.kind !== 'group') continue
      const links = await this.attempt(path, () => collect(reader.links(address)))
      if (!links) continue
      this.#compareLinks(path, described.links ?? [], links)
      for (const link of links) {
        if (link.class === 'H5L_TYPE_HARD' && !paths.has(link.address))
          paths.set(link.address, `${path === '/' ? '' : path}/${link.title}`)
      }
    }
    for (const address of Object.keys(objects)) {
      if (!paths.has(address))
        this.note('', this.#warned(reader), `no link leads to the object at ${address}`)
    }
    const resolve: ReferenceResolver = address => ({
      kind: this.#kinds.get(address) ?? 'dataset',
      id: idOf(address),
    })
    for (const [address, path] of paths) {
      const described = objects[address]
      if (described?.kind) await this.#compareObject(reader, address, path, described, resolve)
    }
  }

  /** An object that is missing was rejected if there is a warning. */
  #warned(reader: H5FileReader): FindingKind {
    return reader.warnings.length > 0 ? 'refused' : 'different'
  }

  #equal(path: string, what: string, expected: unknown, found: unknown): boolean {
    const [left, right] = [JSON.stringify(expected ?? null), JSON.stringify(found ?? null)]
    if (left !== right)
      this.note(path, 'different', `${what}: expected ${left.slice(0, 400)}, got ${right.slice(0, 400)}`)
    return left === right
  }

  /** h5wasm does not tell all that h5py tells. */
  #equalIfDescribed(path: string, what: string, expected: unknown, found: unknown): void {
    if (expected !== undefined) this.#equal(path, what, expected, found)
  }

  #compareLinks(path: string, expected: readonly DescribedLink[], links: readonly FileLink[]): void {
    const openable = expected.filter(link => link.unopenable === undefined)
    const unopenable = new Set(expected.filter(link => link.unopenable !== undefined).map(link => link.name))
    const found = links.filter(link => !unopenable.has(link.title))
    const [left, right] = [openable.map(describedLinkText), found.map(linkText)]
    if (!this.#equal(path, 'the links', [...left].sort(), [...right].sort())) return
    if (this.#complete) this.#equal(path, 'the order of links', left, right)
  }

  async #compareObject(
    reader: H5FileReader,
    address: FileAddress,
    path: string,
    described: DescribedObject,
    resolve: ReferenceResolver,
  ): Promise<void> {
    const warningsBefore = reader.warnings.length
    const attributes = await this.attempt(path, async () => {
      const all: FileAttribute[] = []
      for await (const batch of reader.attributes(address, resolve)) all.push(...batch)
      return all
    })
    if (attributes)
      this.#compareAttributes(path, described.attributes ?? [], attributes, reader, warningsBefore)
    if (described.kind === 'datatype') {
      const type = await this.#attemptSupported(path, described, () => reader.datatype(address))
      if (type && described.type) this.#equal(path, 'the type', described.type, typeName(type))
    }
    if (described.kind === 'dataset') await this.#compareDataset(reader, address, path, described, resolve)
  }

  /** The same as `attempt` for something that the model perhaps cannot hold. */
  async #attemptSupported<T>(
    path: string,
    described: { unsupported?: string },
    work: () => Promise<T>,
  ): Promise<T | undefined> {
    const before = this.findings.length
    const result = await this.attempt(path, work)
    if (described.unsupported === undefined) return result
    if (result === undefined && this.findings.at(-1)?.kind === 'refused') this.findings.length = before
    if (result !== undefined) this.note(path, 'beyond', `a value of ${described.unsupported}`)
    return undefined
  }

  #compareAttributes(
    path: string,
    expected: readonly DescribedAttribute[],
    attributes: readonly FileAttribute[],
    reader: H5FileReader,
    warningsBefore: number,
  ): void {
    const byName = new Map(attributes.map(attribute => [attribute.name, attribute]))
    for (const described of expected) {
      if (described.name === undefined) continue
      const at = `${path} attribute ${described.name}`
      const attribute = byName.get(described.name)
      byName.delete(described.name)
      if (!attribute) {
        if (described.unsupported !== undefined || described.unreadable !== undefined) continue
        const reason = reader.warnings
          .slice(warningsBefore)
          .find(warning => warning.path.includes(described.name ?? ''))
        if (reason) this.note(at, 'refused', reason.message)
        else this.note(at, 'different', 'the attribute is missing')
        continue
      }
      if (described.space === undefined) {
        this.note(at, 'beyond', `libhdf5: ${described.unreadable}`)
        continue
      }
      this.#compareSpace(at, described.space, attribute.space)
      this.#equalIfDescribed(at, 'the committed type', described.committed, attribute.committedType)
      if (described.type === undefined) continue
      if (!this.#equal(at, 'the type', described.type, typeName(attribute.type))) continue
      if (described.unreadable !== undefined) this.note(at, 'beyond', `libhdf5: ${described.unreadable}`)
      else if (described.value) this.#compareValue(at, described.value, attribute, attribute.value)
      else this.#equal(at, 'the value of a null dataspace', undefined, attribute.value)
    }
    for (const name of byName.keys())
      this.note(`${path} attribute ${name}`, 'beyond', 'libhdf5 has no such attribute')
  }

  #compareSpace(path: string, described: DescribedSpace, space: Dataspace): void {
    this.#equal(path, 'the dataspace', describedSpaceText(described), spaceText(space))
  }

  async #compareDataset(
    reader: H5FileReader,
    address: FileAddress,
    path: string,
    described: DescribedObject,
    resolve: ReferenceResolver,
  ): Promise<void> {
    const dataset = await this.#attemptSupported(path, described, () => reader.dataset(address))
    if (!dataset || !described.space) return
    this.#compareSpace(path, described.space, dataset.space)
    this.#equalIfDescribed(path, 'the committed type', described.committed, dataset.committedType)
    const { json, fillValue } = dataset.creationProperties
    const layout = json.get('layout')
    const properties: JsonObject = layout instanceof Map ? layout : new Map()
    if (described.layout !== 'H5D_VIRTUAL') {
      this.#equalIfDescribed(path, 'the layout', described.layout, properties.get('class'))
      this.#equal(path, 'the chunk extents', described.chunks, properties.get('dims'))
    }
    this.#equalIfDescribed(path, 'the allocation time', described.allocTime, json.get('allocTime'))
    this.#equalIfDescribed(path, 'the fill time', described.fillTime, json.get('fillTime'))
    const filters = json.get('filters') ?? []
    const numbers = Array.isArray(filters)
      ? filters.map(filter => (filter instanceof Map ? filter.get('id') : filter))
      : filters
    this.#equal(path, 'the filters', described.filters, numbers)
    if (described.type === undefined) return
    if (!this.#equal(path, 'the type', described.type, typeName(dataset.type))) return
    // A fill value of zeros is none; one with references needs a resolver to be read.
    if (Array.isArray(described.fill?.head) && described.fill.head.some(text => text.includes('@'))) {
      // It shows in the values.
    } else if (described.fillTime === 'H5D_FILL_TIME_NEVER' && described.layout !== 'H5D_VIRTUAL') {
      if (fillValue) this.note(path, 'different', 'the fill value is used, and its time is NEVER')
    } else if (described.fill && (fillValue || !isZero(described.fill))) {
      if (fillValue) this.#compareValue(`${path} fill value`, described.fill, dataset, fillValue)
      else this.note(path, 'different', `the fill value ${JSON.stringify(described.fill.head)} is missing`)
    } else if (described.fill === null && fillValue?.data.some(byte => byte !== 0)) {
      this.note(path, 'different', 'there is no fill value')
    }
    await this.#compareChunks(reader, address, path, described)
    for (const box of described.values ?? []) {
      const elements = await this.attempt(path, () =>
        reader.readValues(address, box.start, box.count, resolve),
      )
      if (box.unreadable !== undefined) {
        // A filter or a file that libhdf5 misses, or damage: refused by both is equal.
        if (elements) this.note(path, 'beyond', `libhdf5: ${box.unreadable}`)
        else if (this.findings.at(-1)?.kind === 'refused') this.findings.pop()
      } else if (elements) {
        this.#compareValue(`${path} from ${box.start}`, box, dataset, elements)
      }
    }
  }

  /** Chunks within the extents. */
  async #compareChunks(
    reader: H5FileReader,
    address: FileAddress,
    path: string,
    described: DescribedObject,
  ): Promise<void> {
    const { stored, chunks, space } = described
    if (!stored || !chunks || !space?.dims) return
    const found = await this.attempt(path, async () => {
      const storage = await reader.storedChunks(address)
      if (!storage) return undefined
      const list: string[] = []
      for await (const batch of storage.batches()) list.push(...batch.map(String))
      return list.sort()
    })
    if (!found) return
    const dims = space.dims.map(Number)
    const expected = stored
      .filter(offset => offset.every((first, d) => first < dims[d]))
      .map(offset => String(offset.map((first, d) => first / chunks[d])))
    this.#equal(path, 'the stored chunks', expected.sort(), found)
  }

  #compareValue(
    path: string,
    described: DescribedValue,
    { type }: Pick<FileAttribute, 'type'>,
    elements: Elements | undefined,
  ): void {
    if (!elements) {
      this.note(path, 'different', 'there is no value')
      return
    }
    const plain = isPlain(type)
    const texts = plain ? [] : elementTexts(type, elements, this.#addressOf)
    const hash = createHash('sha1').update(plain ? elements.data : texts.join('\n'))
    if (hash.digest('hex') === described.sha1) return
    const found = plain ? Buffer.from(elements.data.subarray(0, 64)).toString('hex') : texts.slice(0, 12)
    const { head } = described
    if (typeof head === 'string' || typeof found === 'string') {
      this.note(path, 'different', `the value of type ${typeName(type)}: expected ${head}, got ${found}`)
      return
    }
    const index = head.findIndex((text, place) => text !== found[place]?.slice(0, 300))
    this.note(
      path,
      'different',
      `element ${index} of type ${typeName(type)}: expected ${head[index]}, got ${found[index]?.slice(0, 300)}`,
    )
  }
}

/** Where libhdf5 refuses an object, so must the reader. */
async function isReadable(reader: H5FileReader, address: FileAddress): Promise<boolean> {
  try {
    const { kind } = await reader.object(address)
    if (kind === 'dataset') await reader.dataset(address)
    return true
  } catch (error) {
    if (error instanceof HyperslabError) return false
    throw error
  }
}

function isZero({ head }: DescribedValue): boolean {
  return typeof head === 'string' ? /^0*$/.test(head) : head.every(text => /^[@Rnul0"<>(),[\]]*$/.test(text))
}

function describedLinkText(link: DescribedLink): string {
  if (link.hard !== undefined) return `${link.name} -> ${link.hard}`
  if (link.soft !== undefined) return `${link.name} soft ${link.soft}`
  if (link.external !== undefined) return `${link.name} external ${link.external.join(' in ')}`
  return `${link.name} user-defined`
}

function linkText(link: FileLink): string {
  switch (link.class) {
    case 'H5L_TYPE_HARD':
      return `${link.title} -> ${link.address}`
    case 'H5L_TYPE_SOFT':
      return `${link.title} soft ${link.h5path}`
    case 'H5L_TYPE_EXTERNAL':
      return `${link.title} external ${link.h5path} in ${link.file}`
    case 'H5L_TYPE_USER_DEFINED':
      return `${link.title} user-defined`
  }
}

/** Extents that are the maximum are stated or not: they cannot grow. */
function describedSpaceText({ class: name, dims = [], maxdims = [] }: DescribedSpace): string {
  if (name !== 'simple') return name
  return dims
    .map((extent, d) => (maxdims[d] === extent ? extent : `${extent} of ${maxdims[d] ?? 'unlimited'}`))
    .join(', ')
}

function spaceText(space: Dataspace): string {
  if (space.class === 'H5S_NULL') return 'null'
  if (space.class === 'H5S_SCALAR') return 'scalar'
  return space.dims
    .map((extent, d) => {
      const maximum = space.maxdims?.[d] ?? extent
      if (maximum === extent) return String(extent)
      return `${extent} of ${maximum === 'H5S_UNLIMITED' ? 'unlimited' : maximum}`
    })
    .join(', ')
}
