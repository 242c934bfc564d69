// An object as it is in a file: its header, then its links or the index of its chunks, then its attributes, if these
// are not in the header. Their lengths do not depend on addresses, so an object is planned twice: to place it, and to
// write it.

import { elementCount } from '@hyperslab/model/dataset'
import type { ObjectId, Timestamp } from '@hyperslab/model/names'
import type { GlobalHeapReference } from '../format/heaps/global-heap.ts'
import {
  ALLOCATION_TIMES,
  DEFAULT_ALLOCATION_TIMES,
  encodeFillValue,
  FILL_TIMES,
} from '../format/messages/fill-value.ts'
import { encodeFilters } from '../format/messages/filters.ts'
import { encodeGroupInfo } from '../format/messages/group-info.ts'
import { encodeLayout, type Layout } from '../format/messages/layout.ts'
import { encodeAttributeInfo, encodeLinkInfo } from '../format/messages/member-info.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { encodeObjectHeader, type NewObjectHeader, objectHeaderLength } from '../format/object-header.ts'
import { type Steps, waitFor } from '../steps.ts'
import { attributeMessages, denseAttributes, type PlannedAttributes, planAttributes } from './attributes.ts'
import type { FileContext } from './file-context.ts'
import { denseLinks, linkMessages, planLinks } from './links.ts'
import type { PlannedMembers } from './members.ts'
import {
  CONSTANT,
  encoded,
  type Message,
  message,
  NOT_SHARED,
  referenceCountMessage,
  timesOf,
} from './messages.ts'
import { joined } from './pieces.ts'
import type { SourceAttribute, SourceDataset, SourceObject } from './source.ts'
import { spaceBody, typeMessage } from './type-messages.ts'
import { ChunkTree } from './values/chunk-tree.ts'
import { DatasetValues, type Storage } from './values/datasets.ts'
import { WIDTHS } from './values/elements.ts'

type Put = (bytes: Uint8Array) => GlobalHeapReference

/** The addresses of the parts of an object. */
interface Addresses {
  readonly links: number
  readonly chunkTree: number
  readonly attributes: number
  readonly values: number
}

const GROUP_INFO = encoded(writer => encodeGroupInfo(writer, {}))

const NOWHERE: Addresses = { links: 0, chunkTree: 0, attributes: 0, values: 0 }

/** Bytes of a header that depend on addresses of the global heap. */
interface HeaderContent {
  readonly fillValue?: Uint8Array
  readonly compactValues?: Uint8Array
  readonly links: readonly Uint8Array[]
  readonly attributes: readonly Uint8Array[]
}

/** The puts of an object into the global heap: its fill value and its attributes, then its values. */
export interface HeapWalks {
  /** A new walk from the first heap object of the object. */
  header(): Put
  /** A new walk from the first heap object of its values. */
  values(): Put
}

export interface PlanOptions {
  /** Called for each attribute. */
  readonly visit?: (attribute: SourceAttribute) => Promise<void> | undefined
  /** The storage of the values, from an earlier plan. */
  readonly storage?: Storage
}

export class PlannedObject {
  readonly #context: FileContext
  readonly #object: SourceObject
  readonly #attributes: PlannedMembers
  readonly #headerAttributes: readonly SourceAttribute[]
  readonly #links: PlannedMembers | undefined
  readonly #values: { readonly dataset: DatasetValues; readonly storage: Storage } | undefined
  readonly #chunkTree: ChunkTree | undefined
  readonly #headerLength: number

  static *plan(
    context: FileContext,
    object: SourceObject,
    { visit, storage }: PlanOptions,
  ): Steps<PlannedObject> {
    const { id } = object
    const values = object.kind === 'dataset' ? new DatasetValues(context, object) : undefined
    const planned = values && { dataset: values, storage: storage ?? (yield* values.plan()) }
    const attributes = yield* planAttributes(context, id, visit)
    const links = object.kind === 'group' ? yield* planLinks(context, id) : undefined
    return new PlannedObject(context, object, attributes, links, planned)
  }

  constructor(
    context: FileContext,
    object: SourceObject,
    { members, attributes }: PlannedAttributes,
    links: PlannedMembers | undefined,
    values: { readonly dataset: DatasetValues; readonly storage: Storage } | undefined,
  ) {
    this.#context = context
    this.#object = object
    this.#attributes = members
    this.#headerAttributes = attributes
    this.#links = links
    this.#values = values
    const storage = values?.storage
    this.#chunkTree =
      storage?.kind === 'chunked' ? new ChunkTree(storage.chunkDims, storage.chunkCount) : undefined
    this.#headerLength = objectHeaderLength(this.#header(NOWHERE, this.#placeholders(), 0))
  }

  get storage(): Storage | undefined {
    return this.#values?.storage
  }

  /** Bytes of the object without its values. */
  get length(): number {
    return this.#addresses(0, 0).end
  }

  /** The object at `address`, whose values are at `valuesAddress`. */
  async *bytes(address: number, valuesAddress: number, heap: HeapWalks): AsyncGenerator<Uint8Array> {
    const addresses = this.#addresses(address, valuesAddress)
    const { id } = this.#object
    const lastModified = await this.#context.remembered.lastModified(id)
    const header = this.#header(addresses, await this.#content(heap), lastModified)
    yield encodeObjectHeader(header, WIDTHS)
    if (this.#links?.dense) {
      yield* this.#links.dense.bytes(addresses.links, denseLinks(this.#context, id))
    }
    if (this.#chunkTree && this.#values) {
      const { dataset, storage } = this.#values
      const encoded = storage.kind === 'chunked' ? storage.encoded : undefined
      const chunks = () => dataset.writtenChunks(addresses.values, encoded)
      yield* this.#chunkTree.bytes(addresses.chunkTree, chunks)
    }
    if (this.#attributes.dense) {
      const messages = denseAttributes(this.#context, id, () => this.#putAfterFillValue(heap))
      yield* this.#attributes.dense.bytes(addresses.attributes, messages)
    }
  }

  #addresses(address: number, values: number): Addresses & { readonly end: number } {
    const links = address + this.#headerLength
    const chunkTree = links + (this.#links?.length ?? 0)
    const attributes = chunkTree + (this.#chunkTree?.length ?? 0)
    return { links, chunkTree, attributes, values, end: attributes + this.#attributes.length }
  }

  #header(addresses: Addresses, content: HeaderContent, lastModified: Timestamp): NewObjectHeader {
    const { tracksOrder } = this.#attributes
    const own = this.#ownMessages(addresses, content)
    return {
      times: timesOf(this.#object.created, lastModified),
      tracksAttributeOrder: tracksOrder,
      indexesAttributeOrder: tracksOrder,
      messages: [...own, ...this.#attributeMessages(addresses, content), ...this.#referenceCount()],
    }
  }

  #ownMessages(addresses: Addresses, content: HeaderContent): readonly Message[] {
    const object = this.#object
    switch (object.kind) {
      case 'group':
        return this.#groupMessages(addresses, content)
      case 'datatype':
        return [typeMessage(this.#context.objects, object.type)]
      case 'dataset':
        return this.#datasetMessages(object, addresses, content)
    }
  }

  #groupMessages({ links }: Addresses, content: HeaderContent): readonly Message[] {
    const info = this.#links?.info(links)
    if (!info) return []
    return [
      message(
        MESSAGE.linkInfo,
        'the link info',
        encoded(writer => encodeLinkInfo(writer, info)),
      ),
      message(MESSAGE.groupInfo, 'the group info', GROUP_INFO, CONSTANT),
      ...content.links.map(body => message(MESSAGE.link, 'a link', body)),
    ]
  }

  #datasetMessages(
    { type, committedType, space, creationProperties: { json } }: SourceDataset,
    addresses: Addresses,
    content: HeaderContent,
  ): readonly Message[] {
    const { fillValue } = content
    const layout = this.#layout(addresses, content)
    const fill = {
      allocationTime:
        timeOf(NAMED_ALLOCATION_TIMES, json.get('allocTime')) ?? DEFAULT_ALLOCATION_TIMES[layout.class],
      fillTime: timeOf(FILL_TIMES, json.get('fillTime')) ?? 'H5D_FILL_TIME_IFSET',
      ...(fillValue && { value: fillValue }),
      isUndefined: false,
    }
    const filters = layout.class === 'chunked' ? (this.#values?.dataset.filters.descriptions ?? []) : []
    return [
      message(MESSAGE.dataspace, 'the dataspace', spaceBody(space)),
      typeMessage(this.#context.objects, type, committedType),
      message(
        MESSAGE.fillValue,
        'the fill value',
        encoded(writer => encodeFillValue(writer, fill)),
        CONSTANT,
      ),
      message(
        MESSAGE.layout,
        'the layout',
        encoded(writer => encodeLayout(writer, layout)),
      ),
      ...(filters.length === 0
        ? []
        : [
            message(
              MESSAGE.filters,
              'the list of filters',
              encoded(writer => encodeFilters(writer, filters)),
              CONSTANT,
            ),
          ]),
    ]
  }

  #layout(
    { values, chunkTree }: Addresses,
    { compactValues }: HeaderContent,
  ): Layout & { class: WrittenLayout } {
    if (!this.#values) throw new Error('only a dataset has a layout')
    const { dataset, storage } = this.#values
    const elementSize = dataset.form.fileSize
    switch (storage.kind) {
      case 'none':
        return { class: 'contiguous', size: elementCount(dataset.dataset.space) * elementSize }
      case 'contiguous':
        return { class: 'contiguous', address: values, size: storage.length }
      case 'compact':
        return { class: 'compact', bytes: compactValues ?? new Uint8Array(storage.length) }
      case 'chunked': {
        const address = this.#chunkTree?.rootAddress(chunkTree)
        const index = { kind: 'b-tree-1', ...(address !== undefined && { address }) } as const
        return {
          class: 'chunked',
          chunkDims: storage.chunkDims,
          elementSize,
          hasUnfilteredEdges: false,
          index,
        }
      }
    }
  }

  #attributeMessages({ attributes }: Addresses, content: HeaderContent): readonly Message[] {
    if (this.#attributes.count === 0) return []
    const info = encoded(writer => encodeAttributeInfo(writer, this.#attributes.info(attributes)))
    return [
      message(MESSAGE.attributeInfo, 'the attribute info', info, NOT_SHARED),
      ...content.attributes.map((body, creationOrder) =>
        message(MESSAGE.attribute, 'an attribute', body, 0, creationOrder),
      ),
    ]
  }

  /**
   * The message with the count of references, which is not needed for one. Uses of a datatype are counted while other
   * objects are planned.
   */
  #referenceCount(): readonly Message[] {
    const { id, kind } = this.#object
    const count = this.#context.objects.referenceCount(id)
    return count === 1 && kind !== 'datatype' ? [] : [referenceCountMessage(count)]
  }

  #placeholders(): HeaderContent {
    const { dataset, storage } = this.#values ?? {}
    return {
      ...(dataset?.hasFillValue && { fillValue: new Uint8Array(dataset.form.fileSize) }),
      ...(storage?.kind === 'compact' && { compactValues: new Uint8Array(storage.length) }),
      links: this.#links?.placeholders ?? [],
      attributes: this.#attributes.placeholders,
    }
  }

  async #content(heap: HeapWalks): Promise<HeaderContent> {
    const { id } = this.#object
    const { dataset, storage } = this.#values ?? {}
    const put = heap.header()
    const fillValue = dataset?.fillValue(put)
    const links: Uint8Array[] = []
    if (this.#links && !this.#links.dense) {
      for await (const message of linkMessages(this.#context, id)) links.push(message)
    }
    const attributes = await attributeMessages(this.#context, id, this.#headerAttributes, put)
    const compactValues =
      dataset && storage?.kind === 'compact' && (await joined(dataset.pieces(storage, heap.values())))
    return {
      ...(fillValue && { fillValue }),
      ...(compactValues && { compactValues }),
      links,
      attributes,
    }
  }

  #putAfterFillValue(heap: HeapWalks): Put {
    const put = heap.header()
    this.#values?.dataset.fillValue(put)
    return put
  }
}

type WrittenLayout = 'compact' | 'contiguous' | 'chunked'

/** A file names the time that the default represents. */
const NAMED_ALLOCATION_TIMES = ALLOCATION_TIMES.filter(time => time !== 'H5D_ALLOC_TIME_DEFAULT')
function timeOf<T>(times: readonly T[], given: unknown): T | undefined {
  return times.find(time => time === given)
}

export function* requireObject(context: FileContext, id: ObjectId): Steps<SourceObject> {
  const object = yield* waitFor(context.remembered.object(id))
  if (!object) throw new Error(`the object ${id} is gone`)
  return object
}
