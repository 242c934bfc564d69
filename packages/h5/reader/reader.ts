// The reader of HDF5 files: its objects, from the root along the links. A damaged link, attribute or name affects only
// itself: it becomes a warning, and the rest is read.

import { BoundedMap, isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import type { ObjectKind } from '@hyperslab/model/names'
import type { Elements } from '@hyperslab/model/values'
import type { ByteSource } from '../byte-source.ts'
import {
  type ChunkedBytes,
  type ChunkRanges,
  type FileAddress,
  type FileAttribute,
  type FileDataset,
  type FileLink,
  type FileObject,
  type FileWarning,
  type H5FileReader,
  type JoinedObjects,
  type MemberFailure,
  memberPath,
  type ReadCaller,
  type ReferenceResolver,
  type StoredBytes,
  type StoredChunks,
} from '../file-reader.ts'
import { FieldReader } from '../format/field-reader.ts'
import type { AttributeMessage } from '../format/messages/attribute.ts'
import { decodeComment } from '../format/messages/comment.ts'
import type { LinkMessage } from '../format/messages/link.ts'
import { MESSAGE } from '../format/messages/message-type.ts'
import { decodeModificationTime, decodeOldModificationTime } from '../format/messages/modification-time.ts'
import { decodeName } from '../format/messages/names.ts'
import type { RawMessage } from '../format/object-header.ts'
import { runSteps, type Steps, waitFor } from '../steps.ts'
import {
  partRanges,
  readDataset,
  readDatasetValues,
  readStoredChunks,
  requireDatasetValues,
  sourceFiles,
} from './dataset.ts'
import { Allowance, type ElementContext } from './elements/element-walk.ts'
import { modelType } from './elements/types.ts'
import { readAttributeMessages } from './members/attribute-messages.ts'
import { readAttribute } from './members/attributes.ts'
import { readLinks } from './members/links.ts'
import { NameSet } from './members/name-set.ts'
import { NewDimensionReader } from './new-dimension.ts'
import { openFile } from './open-file.ts'
import { type OpenFileOfName, SeveralFilesReader } from './several-files.ts'
import { isHarmless, untilDamaged } from './structures/attempt.ts'
import type { H5File, OpenOptions } from './structures/h5-file.ts'
import type { ObjectHeader } from './structures/header-cache.ts'
import { findMessage, readObjectHeader } from './structures/object-header.ts'
import { readDatatypeOf } from './structures/typed-message.ts'
import { Warnings } from './structures/warnings.ts'
import { type DataFile, heldByFile, type OpenSibling, openDataFile } from './values/data-file.ts'
import { allocationOf, chunkRanges, storedBytes } from './values/stored-bytes.ts'
import type { ChunkDecoder, OpenDataset, ReadOptions } from './values/value-source.ts'

export interface H5FileOptions extends OpenOptions {
  /** Default: no other file is read. */
  readonly openSibling?: OpenSibling
  /** Runs the filters of chunks. Default: in this thread. */
  readonly decode?: ChunkDecoder
  /** Objects that are read as those of several files. Default: none. */
  readonly joined?: JoinedObjects
}

const NO_SIBLINGS: OpenSibling = async () => undefined

/** `path`: for messages. The caller closes the source. */
export async function openH5File(
  source: ByteSource,
  path: string,
  options: H5FileOptions = {},
): Promise<H5FileReader> {
  const { joined, openSibling = NO_SIBLINGS } = options
  const first = new FileReader(await openFile(source, path, options), options)
  if (!joined) return first
  const { added, datasets, dimension } = joined
  const openOther: OpenFileOfName = async (name, datasets) => {
    const other = await openSibling(name)
    if (!other) throw new HyperslabError('file-unreadable', `the file ${name} does not exist`)
    const file = await openFile(other.source, other.path, options)
    const reader = new FileReader(file, { ...options, openSibling: other.openSibling, joined: { datasets } })
    return { reader, source: other.source }
  }
  const reader = added ? new SeveralFilesReader(first, added, datasets, openOther) : first
  return dimension ? new NewDimensionReader(reader, dimension, datasets) : reader
}

/** Attributes that are decoded together, unless their values have more bytes. @limit memory, attributes */
const ATTRIBUTES_AT_ONCE = 512
/** Bytes of attributes that are decoded together. @limit memory, bytes */
const ATTRIBUTE_BYTES_AT_ONCE = 4 * 2 ** 20

/** The number of open datasets that are kept, the last used: values are read box by box. @limit memory, datasets */
const MAX_DATASETS = 256
/** The bytes of a path in the memory. */
const PATH_BYTES = 200

class FileReader implements H5FileReader {
  readonly root: FileAddress
  readonly #file: H5File
  readonly #data: DataFile
  readonly #warnings = new Warnings()
  /** One of the paths that lead to each object, for warnings. */
  readonly #paths = new Map<FileAddress, string>()
  /** Open datasets. @limit speed, datasets, bench/results.md#062-limits-of-speed */
  readonly #datasets = new BoundedMap<FileAddress, OpenDataset>(MAX_DATASETS)

  constructor(file: H5File, { openSibling = NO_SIBLINGS, decode, joined }: H5FileOptions) {
    this.#file = file
    this.#data = openDataFile(file, openSibling, decode, joined?.datasets)
    this.root = String(file.root)
    this.#paths.set(this.root, '/')
    if (file.truncation !== undefined) this.#warnings.add('/', file.truncation)
  }

  get warnings(): readonly FileWarning[] {
    return this.#warnings.list
  }

  async object(address: FileAddress): Promise<FileObject> {
    const header = await this.#header(address)
    const kind = kindOf(header)
    const attempt = this.#warnings.attempt(this.pathOf(address))
    const comment = await attempt(() => commentOf(this.#file, header))
    const modified = await attempt(() => modificationTimeOf(this.#file, header))
    return {
      address,
      kind,
      ...(comment !== undefined && { comment }),
      ...(modified !== undefined && { modified }),
    }
  }

  async *links(group: FileAddress, onFailure?: MemberFailure): AsyncGenerator<readonly FileLink[]> {
    const path = this.pathOf(group)
    const titles = new NameSet()
    const attempt = this.#warnings.attempt(path, onFailure)
    const header = await this.#header(group)
    for await (const messages of untilDamaged(readLinks(this.#file, header, attempt), attempt)) {
      const links: FileLink[] = []
      for (const message of messages) {
        if (isTurnOver()) await nextTurn()
        const link = this.#link(path, message)
        const linkPath = memberPath(path, link.title)
        if (!titles.add(link.title)) {
          const rule = 'the link is left out: another link of the group has its name'
          this.#warnings.add(linkPath, rule)
          onFailure?.(new HyperslabError('file-unreadable', rule), link.title)
          continue
        }
        links.push(link)
        if (link.class === 'H5L_TYPE_HARD' && !this.#paths.has(link.address)) {
          this.#paths.set(link.address, linkPath)
        }
      }
      yield links
    }
  }

  async *attributes(
    owner: FileAddress,
    resolve: ReferenceResolver,
    onFailure?: MemberFailure,
  ): AsyncGenerator<readonly FileAttribute[]> {
    const attempt = this.#warnings.attempt(this.pathOf(owner), onFailure)
    const header = await this.#header(owner)
    const lists = await runSteps(readAttributeMessages(this.#file, header, attempt))
    // Shared: the attributes of a damaged object may all name the same bytes of the global heap.
    const allowance = new Allowance(this.#file.bytes.end)
    for await (const messages of lists) {
      for (let left = messages; left.length > 0; ) {
        const some = left.slice(0, ATTRIBUTES_AT_ONCE)
        const { attributes, read } = await runSteps(
          this.#readAttributes(owner, some, resolve, allowance, onFailure),
        )
        left = left.slice(read)
        yield attributes
      }
    }
  }

  /** The attributes of the first messages: reads `read` of them, or fewer when these have many bytes. */
  *#readAttributes(
    owner: FileAddress,
    messages: readonly AttributeMessage[],
    resolve: ReferenceResolver,
    allowance: Allowance,
    onFailure: MemberFailure | undefined,
  ): Steps<{ readonly attributes: readonly FileAttribute[]; readonly read: number }> {
    const path = this.pathOf(owner)
    const attributes: FileAttribute[] = []
    let read = 0
    let bytes = 0
    for (const message of messages) {
      if (bytes > ATTRIBUTE_BYTES_AT_ONCE) break
      read++
      if (isTurnOver()) yield nextTurn()
      const { text: name, escaped } = decodeName(message.name)
      const attributePath = `${path} attribute "${name}"`
      if (this.#data.joined?.get(owner)?.hiddenAttributes?.includes(name)) continue
      if (escaped) this.#warnings.add(attributePath, NAME_ESCAPED)
      const context = { ...this.#context(attributePath, resolve), allowance }
      try {
        const attribute = yield* readAttribute(this.#file, message, name, Number(owner), context)
        attributes.push(attribute)
        bytes += (attribute.value?.data.length ?? 0) + (attribute.value?.heap.length ?? 0)
      } catch (error) {
        if (!isHarmless(error)) throw error
        this.#warnings.add(attributePath, error.message)
        onFailure?.(error, name)
      }
    }
    return { attributes, read }
  }

  async datatype(address: FileAddress): Promise<Datatype> {
    const { type: fileType } = await runSteps(readDatatypeOf(this.#file, await this.#header(address)))
    const { type, warnings } = modelType(fileType)
    for (const warning of warnings) this.#warnings.add(this.pathOf(address), warning)
    return type
  }

  async dataset(address: FileAddress): Promise<FileDataset> {
    return (await this.#dataset(address)).model
  }

  async sourceFiles(address: FileAddress): Promise<Iterable<string>> {
    return sourceFiles(this.#data, await this.#dataset(address))
  }

  async storedChunks(address: FileAddress): Promise<StoredChunks | undefined> {
    return readStoredChunks(this.#data, await this.#dataset(address))
  }

  async storedBytes(address: FileAddress): Promise<StoredBytes | undefined> {
    return storedBytes(this.#file.bytes, await this.#dataset(address))
  }

  async partRanges(address: FileAddress): Promise<ChunkRanges | undefined> {
    const context = this.#context(this.pathOf(address), () => undefined)
    return partRanges(this.#data, await this.#dataset(address), context)
  }

  async chunkRanges(address: FileAddress): Promise<ChunkedBytes | undefined> {
    return chunkRanges(this.#file.bytes, await this.#dataset(address))
  }

  async allocation(address: FileAddress): Promise<{ readonly chunks: number; readonly bytes: number }> {
    return allocationOf(this.#file.bytes, await this.#dataset(address))
  }

  async readValues(
    address: FileAddress,
    start: readonly number[],
    count: readonly number[],
    resolve: ReferenceResolver,
    options: ReadOptions = {},
  ): Promise<Elements> {
    const dataset = await this.#dataset(address)
    const context = this.#context(this.pathOf(address), resolve)
    return runSteps(readDatasetValues(this.#data, dataset, { start, count }, context, options))
  }

  async requireValues(address: FileAddress, caller: ReadCaller = {}): Promise<void> {
    const context = this.#context(this.pathOf(address), () => undefined)
    await requireDatasetValues(this.#data, await this.#dataset(address), context, caller)
  }

  get heldBytes(): number {
    return heldByFile(this.#data) + PATH_BYTES * this.#paths.size
  }

  async close(): Promise<void> {}

  #dataset(address: FileAddress): OpenDataset | Promise<OpenDataset> {
    return this.#datasets.use(address) ?? runSteps(this.#readDataset(address))
  }

  *#readDataset(address: FileAddress): Steps<OpenDataset> {
    const path = this.pathOf(address)
    // References in fill values are null, because the objects that they may lead to are not known yet. That gives no
    // warning, because files of MATLAB have their first value there.
    const context = { heap: this.#data.heap, resolve: () => undefined, warn: () => undefined }
    const dataset = yield* readDataset(this.#data, yield* waitFor(this.#header(address)), context)
    for (const warning of dataset.warnings) this.#warnings.add(path, warning)
    this.#datasets.set(address, dataset)
    return dataset
  }

  #header(address: FileAddress): ObjectHeader | Promise<ObjectHeader> {
    return readObjectHeader(this.#file, Number(address))
  }

  pathOf(address: FileAddress): string {
    return this.#paths.get(address) ?? `the object at ${address}`
  }

  #link(group: string, { name, target }: LinkMessage): FileLink {
    const { text: title, escaped } = decodeName(name)
    const path = memberPath(group, title)
    if (escaped) this.#warnings.add(path, NAME_ESCAPED)
    const targetText = (bytes: Uint8Array): string => {
      const decoded = decodeName(bytes)
      if (decoded.escaped)
        this.#warnings.add(path, `the target of the link is not UTF-8: its bytes are escaped`)
      return decoded.text
    }
    switch (target.class) {
      case 'hard':
        return { title, class: 'H5L_TYPE_HARD', address: String(target.address) }
      case 'soft':
        return { title, class: 'H5L_TYPE_SOFT', h5path: targetText(target.path) }
      case 'external':
        return {
          title,
          class: 'H5L_TYPE_EXTERNAL',
          h5path: targetText(target.path),
          file: targetText(target.file),
        }
      case 'user-defined':
        return { title, class: 'H5L_TYPE_USER_DEFINED' }
    }
  }

  #context(path: string, resolve: ReferenceResolver): ElementContext {
    return { heap: this.#data.heap, resolve, warn: message => this.#warnings.add(path, message) }
  }
}

const NAME_ESCAPED = 'the name is not UTF-8: its bytes are escaped'

function commentOf(file: H5File, header: ObjectHeader): string | undefined {
  const message = findMessage(header, MESSAGE.comment)
  return message && decodeComment(messageFields(file, message, 'the comment'))
}

/** The modification time, which is in the header itself in version 2 and in a message in version 1. */
function modificationTimeOf(file: H5File, header: ObjectHeader): number | undefined {
  if (header.times) return header.times.modification
  const structure = 'the modification time'
  const message = findMessage(header, MESSAGE.modificationTime)
  if (message) return decodeModificationTime(messageFields(file, message, structure))
  const old = findMessage(header, MESSAGE.oldModificationTime)
  return old && decodeOldModificationTime(messageFields(file, old, structure))
}

function messageFields({ bytes }: H5File, { body, address }: RawMessage, structure: string): FieldReader {
  return new FieldReader(body, bytes.widths, structure, address)
}

/**
 * The kind of an object, by the messages that objects of each kind must have, like in the library (H5Oint.c,
 * H5O__obj_class_real).
 */
function kindOf(header: ObjectHeader): ObjectKind {
  const has = (type: number) => findMessage(header, type) !== undefined
  if (has(MESSAGE.symbolTable) || has(MESSAGE.linkInfo)) return 'group'
  if (has(MESSAGE.datatype)) return has(MESSAGE.dataspace) ? 'dataset' : 'datatype'
  throw new HyperslabError(
    'file-unreadable',
    `the object at ${header.address} is not a group, dataset or datatype`,
  )
}
