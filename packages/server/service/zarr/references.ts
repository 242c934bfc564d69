// All chunks below a path as references of kerchunk, version 1: the documents of Zarr 2, and where each chunk is.
// Chunks that lie in the file of their domain as numcodecs can decode them are ranges of it; others are addresses in
// the Zarr view. Both name the state that the references are of, so that no reader mixes two (docs/decisions/069).

import { BoundedMap, isTurnOver, nextTurn, SharedWork } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { bucketOf, DEFAULT_BUCKET, type ObjectId } from '@hyperslab/model/names'
import { chunkCounts, rowMajorStrides } from '@hyperslab/model/selection'
import type { PlacedChunk } from '@hyperslab/store/store'
import { DOCUMENTS, documentText, type FileForm, fileForm, type NodeDocuments } from '@hyperslab/views/zarr'
import { hasPermission } from '../access/access.ts'
import type { Context, OpenDomain } from '../context.ts'
import { locateNode, notFound, type ZarrNode } from './locate.ts'
import {
  type ArrayNode,
  chunkBytes,
  chunkDimsOf,
  DocumentMaker,
  formOf,
  isArray,
  requireShown,
} from './nodes.ts'
import { MAX_NODES, type VisitNode, walkNodes } from './walk.ts'

/**
 * Documents and chunks in one answer of references. Their places are held for one array at a time.
 * @limit safety, references
 */
const MAX_REFERENCES = 1_000_000

/** Characters of text that are made at once. */
const PIECE_LENGTH = 32_768

export interface References {
  /** An upper bound of the number of documents and chunks. */
  readonly count: number
  /** The same only for the same text from the same base. Absent: nothing tells that it is the same. */
  readonly name?: string
  /** `base`: the scheme and host of the service, for the addresses. */
  readonly text: (base: string) => AsyncGenerator<string>
}

/** A node whose references are still to be written. */
interface FoundNode {
  readonly path: string
  readonly documents: NodeDocuments
  readonly array: ArrayNode | undefined
}

/** References as they are for every base; `MARK` is where it belongs. */
interface MadeReferences {
  readonly count: number
  /** False: they depend on other domains too. */
  readonly isOfOneDomain: boolean
  /** The text, or the nodes of which it is made. */
  readonly content: { readonly pieces: readonly Uint8Array[] } | { readonly nodes: readonly FoundNode[] }
}

/** JSON has no such character: it escapes all of them. */
const MARK = '\0'

/** Documents and chunks of an answer that is kept; a longer one is made while it is sent. @limit memory, references */
const MAX_IN_KEPT = 131_072
/** Bytes of all answers that are kept. @limit memory, bytes */
const MAX_KEPT = 32 * 2 ** 20

export interface KeptReferences {
  /** Answers by the state of their domain, their caller and their path. */
  readonly made: BoundedMap<string, MadeReferences>
  /** References that are being made: one of each domain at a time. */
  readonly making: SharedWork<MadeReferences>
}

export function keepReferences(): KeptReferences {
  /** Answers about domains that have not changed. @limit speed, bytes, bench/results.md#135-bounded-requests */
  const made = new BoundedMap<string, MadeReferences>(MAX_KEPT, {
    weightOf: ({ content }) =>
      'pieces' in content ? content.pieces.reduce((sum, { length }) => sum + length, 0) : 0,
  })
  return { made, making: new SharedWork() }
}

/** Throws `too-many-references`, and whatever keeps the caller from reading the node at the path. */
export async function readReferences(
  context: Context,
  path: string,
  kept: KeptReferences,
): Promise<References> {
  const { node, parts, remainder, root } = await locateNode(context, path, 2)
  if (remainder.length > 0) throw notFound(`there is no link ${JSON.stringify(remainder.join('/'))}`)
  const { state, form } = await context.reader.state(root)
  const name = `${state} ${form} ${JSON.stringify(context.caller)} ${parts.join('/')}`
  const view = `/zarr/v2/~${state}/${encodePath(parts)}`
  const make = async (signal: Context['signal']): Promise<MadeReferences> => {
    const own = { ...context, signal }
    const { nodes, count, isOfOneDomain } = await findNodes(own, node, root)
    if (!isOfOneDomain || count > MAX_IN_KEPT) return { count, isOfOneDomain, content: { nodes } }
    const pieces: Uint8Array[] = []
    for await (const text of new ReferenceWriter(own, view).text(nodes)) pieces.push(Buffer.from(text))
    const made = { count, isOfOneDomain, content: { pieces } }
    kept.made.set(name, made)
    return made
  }
  const known = kept.made.use(name)
  const { count, isOfOneDomain, content } = known ?? (await kept.making.run(root, name, context.signal, make))
  return {
    count,
    ...(isOfOneDomain && { name }),
    async *text(base) {
      const shown = JSON.stringify(base).slice(1, -1)
      if ('pieces' in content) {
        for (const piece of content.pieces) yield new TextDecoder().decode(piece).replaceAll(MARK, shown)
        return
      }
      const writer = new ReferenceWriter(context, view)
      for await (const piece of writer.text(content.nodes)) yield piece.replaceAll(MARK, shown)
    },
  }
}

async function findNodes(
  context: Context,
  node: ZarrNode,
  root: ObjectId,
): Promise<{
  readonly nodes: readonly FoundNode[]
  readonly count: number
  readonly isOfOneDomain: boolean
}> {
  const nodes: FoundNode[] = []
  let count = 0
  const visit: VisitNode = (path, documents, array) => {
    count += 2 + (array ? product(countsOf(documents, array)) : 0)
    if (count > MAX_REFERENCES) throw tooMany(`${MAX_REFERENCES} documents and chunks`)
    nodes.push({ path, documents, array })
  }
  let isOfOneDomain = node.domain.root.id === root
  if (node.kind === 'group') {
    const walked = await walkNodes(context, node, 2, visit)
    if (!walked.isWhole) throw tooMany(`${MAX_NODES} groups and arrays`)
    isOfOneDomain &&= walked.isOfOneDomain
  } else {
    requireShown(node)
    if (!isArray(node))
      throw notFound('compounds that are a group here have references with the group above them')
    const attributes = await new DocumentMaker(context, 2).attributes(node.dataset.id)
    visit('', await new DocumentMaker(context, 2).array(node, attributes), node)
  }
  return { nodes, count, isOfOneDomain }
}

function tooMany(limit: string): HyperslabError {
  const message = `one answer has references of at most ${limit}: ask for those of a group or a dataset of the domain`
  return new HyperslabError('too-many-references', message)
}

/** The chunks in each dimension of the array as it is declared: those of a netCDF dimension can be more. */
function countsOf(documents: NodeDocuments, array: ArrayNode): readonly number[] {
  const dims = documents.dims ?? []
  return dims.includes(0) ? dims.map(() => 0) : chunkCounts({ dims, chunkDims: chunkDimsOf(array) })
}

function encodePath(parts: readonly string[]): string {
  return parts.map(encodeURIComponent).join('/')
}

/** The locations of the chunks of an array, by their numbers in row-major order. */
interface ChunkPlaces {
  /** Absent: no chunk is taken from the file. */
  readonly file?: { readonly address: string; readonly form: FileForm }
  /** Offsets in the file, or one of the two numbers below; absent: all chunks are in the view. */
  readonly positions?: Float64Array
  readonly lengths?: Float64Array
}

const ALL_IN_VIEW: ChunkPlaces = {}

/** The chunk has the fill value of its document. */
const MISSING = -1
const IN_VIEW = -2

class ReferenceWriter {
  readonly #context: Context
  readonly #view: string
  /** Addresses of files by the root groups of their domains; undefined: the domain is not a file. */
  readonly #files = new Map<ObjectId, string | undefined>()

  constructor(context: Context, view: string) {
    this.#context = context
    this.#view = view
  }

  async *text(nodes: readonly FoundNode[]): AsyncGenerator<string> {
    let text = '{"version":1,"refs":{'
    let comma = ''
    for (const { path, documents, array } of nodes) {
      const prefix = path === '' ? '' : `${path}/`
      const places = array && (await this.#placesOf(array, documents))
      const codecs = places?.file?.form.codecs
      const metadata = { ...documents.metadata, ...codecs }
      for (const name of [DOCUMENTS[2][documents.kind], DOCUMENTS[2].attributes]) {
        const document = documentText(name, { ...documents, metadata }, 2)
        text += `${comma}${JSON.stringify(prefix + name)}:${JSON.stringify(document)}`
        comma = ','
      }
      if (array && places) {
        const tail = '.0'.repeat(array.type.dims.length)
        const address = path === '' ? this.#view : `${this.#view}/${encodePath(path.split('/'))}`
        const isPlain = formOf(array, 2) === 'plain' && array.type.encoding === 'stored'
        const lengthInView = isPlain ? [0, chunkBytes(array)] : []
        for (const [chunk, number] of numbered(countsOf(documents, array))) {
          if (text.length > PIECE_LENGTH) {
            yield text
            text = ''
            this.#context.signal.throwIfAborted()
          }
          if (isTurnOver()) await nextTurn()
          const position = places.positions?.[number] ?? IN_VIEW
          if (position === MISSING) continue
          const key = chunk.length === 0 && tail === '' ? '0' : (chunk.join('.') + tail).replace(/^\./, '')
          const [target, ...range] =
            position === IN_VIEW
              ? [`${address}/${key}`, ...lengthInView]
              : [places.file?.address ?? '', position, places.lengths?.[number]]
          const reference = [`"${MARK}${JSON.stringify(target).slice(1)}`, ...range].join(',')
          text += `,${JSON.stringify(prefix + key)}:[${reference}]`
        }
      }
      if (text.length > PIECE_LENGTH) {
        yield text
        text = ''
      }
    }
    yield `${text}}}`
  }

  async #placesOf(array: ArrayNode, documents: NodeDocuments): Promise<ChunkPlaces> {
    const form = formInFile(array)
    const address = form && (await this.#fileOf(array.domain))
    // A reader uses the fill value only if the document has one.
    const isFillSaid = documents.isFillMissing === true
    const file = form && address !== undefined ? { address, form } : undefined
    if (!file && !isFillSaid) return ALL_IN_VIEW
    try {
      const placed = await this.#context.reader.placedChunks(array.dataset)
      if (!placed) return ALL_IN_VIEW
      const places = await this.#collect(array, documents, placed, form, isFillSaid ? MISSING : IN_VIEW)
      const { positions } = places
      const isInFile = file && (!form?.codecs || !positions.includes(IN_VIEW))
      if (isInFile) return { ...places, file }
      if (!isFillSaid) return ALL_IN_VIEW
      for (let i = 0; i < positions.length; i++) if (positions[i] !== MISSING) positions[i] = IN_VIEW
      return { positions }
    } catch (error) {
      // The view answers requests for such chunks with the reason.
      if (error instanceof HyperslabError && error.code === 'values-unreadable') return ALL_IN_VIEW
      throw error
    }
  }

  /** `unlisted` is the content of chunks that are not stored. */
  async #collect(
    array: ArrayNode,
    documents: NodeDocuments,
    placed: AsyncIterable<PlacedChunk>,
    form: FileForm | undefined,
    unlisted: number,
  ): Promise<Required<Pick<ChunkPlaces, 'positions' | 'lengths'>>> {
    const counts = countsOf(documents, array)
    const strides = rowMajorStrides(counts)
    const positions = new Float64Array(product(counts)).fill(unlisted)
    const lengths = new Float64Array(positions.length)
    for await (const { coordinates, place } of placed) {
      if (isTurnOver()) await nextTurn()
      this.#context.signal.throwIfAborted()
      const number = coordinates.reduce((sum, index, d) => sum + index * strides[d], 0)
      const isFile = form && place && !isFilledUp(array, documents, coordinates)
      const length = isFile ? lengthInFile(array, form, place) : undefined
      positions[number] = place && length !== undefined ? place.position : IN_VIEW
      lengths[number] = length ?? 0
    }
    return { positions, lengths }
  }

  async #fileOf(domain: OpenDomain): Promise<string | undefined> {
    const { id } = domain.root
    if (!this.#files.has(id)) this.#files.set(id, await this.#findFile(domain))
    return this.#files.get(id)
  }

  async #findFile(domain: OpenDomain): Promise<string | undefined> {
    const { reader } = this.#context
    const { path } = domain.entry
    const isServed = bucketOf(path) === DEFAULT_BUCKET && hasPermission(this.#context, 'read', domain)
    if (!isServed || !(await reader.ownFile(domain.root.id))) return undefined
    const { form } = await reader.state(domain.root.id)
    return `/h5/~${form}${encodePath(path.split('/'))}`
  }
}

/** Undefined: the document cannot express the form of the chunks in the file. */
function formInFile(array: ArrayNode): FileForm | undefined {
  const { dataset, members, type } = array
  const { filters } = dataset.creationProperties
  if (members.length > 0 || type.encoding !== 'stored') return undefined
  const form = fileForm(filters, elementSize(dataset.type))
  return form && !form.codecs && filters.length > 0 && formOf(array, 2) !== 'frame' ? undefined : form
}

/** Bytes of the whole chunk, after all filters; undefined: the file does not have it as the document says. */
function lengthInFile(
  array: ArrayNode,
  { checksumLength }: FileForm,
  { length, filtered }: NonNullable<PlacedChunk['place']>,
): number | undefined {
  const { filters, layout } = array.dataset.creationProperties
  if (filters.length > 0) {
    return filtered?.mask === 0 && length > checksumLength ? length - checksumLength : undefined
  }
  const whole = chunkBytes(array)
  // Chunks of a file are whole at the edges, too; the last slab of contiguous values is not.
  return length === whole || layout === 'H5D_CHUNKED' ? whole : undefined
}

/** Whether the view fills up the chunk beyond the extents of the dataset, because the array is declared longer. */
function isFilledUp(array: ArrayNode, { dims = [] }: NodeDocuments, coordinates: readonly number[]): boolean {
  const own = extentsOf(array.dataset.space)
  if (dims.every((extent, d) => extent === own[d])) return false
  const chunkDims = chunkDimsOf(array)
  return coordinates.some((index, d) => (index + 1) * chunkDims[d] > own[d])
}

/** The coordinates of all chunks in row-major order, each with its number. */
function* numbered(
  counts: readonly number[],
): Generator<readonly [chunk: readonly number[], number: number]> {
  const total = product(counts)
  const chunk = counts.map(() => 0)
  for (let number = 0; number < total; number++) {
    yield [chunk, number]
    for (let d = counts.length - 1; d >= 0 && ++chunk[d] === counts[d]; d--) chunk[d] = 0
  }
}
