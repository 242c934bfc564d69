// The object header of a dataset: its type, its space, its fill value, its layout and its filters.

import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import type { JsonObject, JsonValue } from '@hyperslab/model/json'
import { fileCreationProperties } from '../../creation-properties.ts'
import type { FileDataset } from '../../file-reader.ts'
import { filterJson } from '../../filter-json.ts'
import { damaged } from '../../format/errors.ts'
import type { FieldReader } from '../../format/field-reader.ts'
import { decodeExternalFiles } from '../../format/messages/external-files.ts'
import { DEFAULT_ALLOCATION_TIMES, type FillValueMessage } from '../../format/messages/fill-value.ts'
import type { FilterDescription } from '../../format/messages/filters.ts'
import { decodeLayout, type Layout } from '../../format/messages/layout.ts'
import { MESSAGE } from '../../format/messages/message-type.ts'
import { decodeName } from '../../format/messages/names.ts'
import type { RawMessage } from '../../format/object-header.ts'
import { type Steps, waitFor } from '../../steps.ts'
import type { ElementContext } from '../elements/element-walk.ts'
import { decodeElements } from '../elements/elements.ts'
import { modelType } from '../elements/types.ts'
import { unwrittenElement } from '../elements/variable-elements.ts'
import type { H5File } from '../structures/h5-file.ts'
import type { ObjectHeader } from '../structures/header-cache.ts'
import type { PropertyParts } from '../structures/known-messages.ts'
import { openLocalHeap } from '../structures/local-heap.ts'
import type { CountMembers } from '../structures/member-count.ts'
import type { MessageCache } from '../structures/message-cache.ts'
import { findMessage, readKnown, readMessage } from '../structures/object-header.ts'
import { readDataspace, readDatatypeOf, requireMessage } from '../structures/typed-message.ts'
import type { DataFile } from './data-file.ts'
import { type ExternalRange, externalRanges } from './external.ts'
import type { OpenDataset } from './value-source.ts'

/** The layouts by their names in creation properties; the values of a virtual dataset have no layout of their own. */
const LAYOUTS = {
  compact: 'H5D_COMPACT',
  contiguous: 'H5D_CONTIGUOUS',
  chunked: 'H5D_CHUNKED',
  virtual: 'H5D_CONTIGUOUS',
} as const

const NO_FILTERS: readonly FilterDescription[] = []
const NO_FILL_VALUE: FillValueMessage = { isUndefined: false }

/** The extents are those that are stored; of a virtual dataset others may be in effect. */
export function* readStoredDataset(
  dataFile: DataFile,
  header: ObjectHeader,
  context: ElementContext,
): Steps<OpenDataset> {
  const { file } = dataFile
  const { committedType, ...parts } = yield* readParts(file, header)
  const { type: fileType, space, filters, fill, layout } = parts
  const { type, warnings } = modelType(fileType)
  const external = yield* waitFor(readExternalRanges(dataFile, header))
  // The library leaves the memory of its caller as it was; to virtual datasets the time does not matter.
  const isFilled = fill.fillTime !== 'H5D_FILL_TIME_NEVER' || layout.class === 'virtual'
  const creationProperties =
    file.known.properties(parts) ?? (yield* readProperties(file, parts, { isFilled, context }))
  const fillValue =
    fill.value && isFilled ? fill.value : unwrittenElement(fileType, file.bytes.widths.offsets)
  return {
    model: {
      type,
      space,
      creationProperties,
      ...(committedType !== undefined && { committedType }),
      ...(fileType.size > elementSize(type) && { elementBytes: fileType.size }),
      ...((layout.class === 'virtual' || external) && { isOfOthers: true }),
      ...(layout.class === 'virtual' && { isVirtual: true }),
      ...(layout.class === 'contiguous' &&
        !external &&
        isCut(file, layout, product(extentsOf(space)) * fileType.size) && { isCut: true }),
    },
    warnings,
    type: fileType,
    stored: {
      space,
      elementSize: fileType.size,
      layout,
      filters,
      ...(layout.class === 'chunked' && { beginChunks: counterOf(file, header.address) }),
      ...(fillValue && { fillValue }),
      ...(external && { external }),
    },
  }
}

/** The messages of a dataset, decoded. */
function* readParts(
  file: H5File,
  header: ObjectHeader,
): Steps<PropertyParts & Pick<FileDataset, 'committedType'>> {
  const { type, committedType } = yield* readDatatypeOf(file, header)
  const spaceMessage = requireMessage(header, MESSAGE.dataspace, 'the dataspace')
  const space = yield* waitFor(readDataspace(file, spaceMessage))
  const layoutMessage = requireMessage(header, MESSAGE.layout, 'the data layout')
  const layout = yield* waitFor(readMessage(file, layoutMessage, 'the data layout', decodeOwnLayout))
  const { known: cache } = file
  const find = <T>(type: number, messages: MessageCache<T>): T | undefined | Promise<T> => {
    const message = findMessage(header, type)
    return message && readKnown(file, message, messages)
  }
  const filters = (yield* waitFor(find(MESSAGE.filters, cache.filters))) ?? NO_FILTERS
  const fill =
    (yield* waitFor(find(MESSAGE.fillValue, cache.fillValues))) ??
    (yield* waitFor(find(MESSAGE.oldFillValue, cache.oldFillValues))) ??
    NO_FILL_VALUE
  if (fill.value && fill.value.length !== type.size) {
    const rule = `it has ${fill.value.length} bytes, and elements have ${type.size}`
    throw damaged('the fill value', undefined, rule)
  }
  return { type, space, filters, fill, layout, ...(committedType !== undefined && { committedType }) }
}

/** The creation properties with the fill value; they are kept for other datasets of the same parts. */
function* readProperties(
  file: H5File,
  parts: PropertyParts,
  { isFilled, context }: { readonly isFilled: boolean; readonly context: ElementContext },
): Steps<FileDataset['creationProperties']> {
  const { type: fileType, space, fill } = parts
  const decoded = fill.value && (yield* waitFor(decodeElements(file, fileType, fill.value, 1, context)))
  // The objects of its references are not looked up: that they are null is no loss.
  const fillValue = decoded && { count: 1, data: decoded.data, heap: decoded.heap }
  const { type } = modelType(fileType)
  const properties = fileCreationProperties(propertiesOf(parts), type, space, fillValue, isFilled)
  file.known.addProperties(parts, properties)
  return properties
}

function isCut({ bytes }: H5File, { address }: Layout & { class: 'contiguous' }, length: number): boolean {
  return address !== undefined && length > 0 && address + length > bytes.end
}

/** This function is separate because a closure in the reader of the header would keep all its messages in memory. */
function counterOf({ chunkCount }: H5File, dataset: number): () => CountMembers {
  return () => chunkCount.begin(dataset)
}

/** Datasets are kept, and a view of the message would keep a whole block of the file in memory. */
function decodeOwnLayout(fields: FieldReader): Layout {
  const layout = decodeLayout(fields)
  return layout.class === 'compact' ? { ...layout, bytes: layout.bytes.slice() } : layout
}

function readExternalRanges(
  dataFile: DataFile,
  header: ObjectHeader,
): undefined | Promise<readonly ExternalRange[]> {
  const message = findMessage(header, MESSAGE.externalFiles)
  return message && readExternalFiles(dataFile, message)
}

async function readExternalFiles(
  { file, openSibling }: DataFile,
  message: RawMessage,
): Promise<readonly ExternalRange[]> {
  const files = await readMessage(file, message, 'the list of external files', decodeExternalFiles)
  const heap = await openLocalHeap(file.bytes, files.heap)
  const nameAt = (offset: number) => decodeName(heap.string(offset)).text
  return externalRanges(files, nameAt, async name => {
    const sibling = await openSibling(name)
    if (sibling) return sibling.source
    throw new HyperslabError(
      'file-unreadable',
      `the external file ${name} is missing, or outside of the folder whose files may be read`,
    )
  })
}

/** The properties in the form of classic 16.2, without the fill value. */
function propertiesOf({ layout, filters, fill }: PropertyParts): JsonObject {
  return new Map<string, JsonValue>([
    ['allocTime', fill.allocationTime ?? DEFAULT_ALLOCATION_TIMES[layout.class]],
    ['fillTime', fill.fillTime ?? 'H5D_FILL_TIME_IFSET'],
    [
      'layout',
      new Map<string, JsonValue>([
        ['class', LAYOUTS[layout.class]],
        ...(layout.class === 'chunked' ? [['dims', layout.chunkDims] as const] : []),
      ]),
    ],
    ...(filters.length === 0 ? [] : [['filters', filters.map(filterJson)] as const]),
  ])
}
