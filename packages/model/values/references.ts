// References in elements and in JSON. Stored, an object reference is `groups/g-...` and so on in the prefixed spelling,
// NUL-padded to 48 bytes, and a region reference is the JSON text of a RegionReference in the heap, or that of another
// string if the dialect accepts any; all NUL, or an empty slot, is the null reference. How ids are spelled on the wire
// is the dialect's ReferenceSyntax.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Datatype, OBJECT_REFERENCE_SIZE } from '../datatype/datatype.ts'
import { elementSize, includesType } from '../datatype/layout.ts'
import {
  excerpt,
  isJsonList,
  isJsonObject,
  type JsonOutput,
  type JsonValue,
  type NonFinite,
  stringifyJson,
} from '../json/json.ts'
import { parseJson } from '../json/json-parser.ts'
import {
  COLLECTIONS,
  formatPrefixed,
  idFromHex,
  isCollection,
  kindOfCollection,
  type ObjectId,
  type ObjectReference,
  parsePrefixed,
} from '../names/object-id.ts'
import type { Elements } from './elements.ts'
import { slotLength, slotStart } from './slots.ts'

/** The spelling of references inside values in a dialect, and the conversions that it accepts. */
export interface ReferenceSyntax {
  /** `groups/<id>`, `datasets/<id>`, `datatypes/<id>`; undefined for other text. */
  parse(text: string): ObjectReference | undefined
  format(reference: ObjectReference): string
  /** The dataset id of a region reference. */
  parseId(text: string): ObjectId | undefined
  formatId(reference: ObjectReference): string
  /** The null object reference. */
  readonly nullText: string
  /** Whether the blocks of a region end one past their last element (default) or with it (hsds-values 21). */
  readonly blockEnds?: BlockEnds
  /** True: a string instead of a region reference is kept, unless it is the JSON of one (hsds-values 12.4). */
  readonly regionTexts?: boolean
  /** True: decimal text is accepted as a number, and a number as the text of a fixed string (hsds-values 7.7). */
  readonly convertsText?: boolean
}

/** The form of values in a dialect. */
export interface ValueStyle {
  readonly references: ReferenceSyntax
  readonly nonFinite: NonFinite
  /** Floats below 64 bits: as the double that they equal, or in the fewest digits that give them back. */
  readonly float32: 'widened' | 'shortest'
  /** The form of a sequence that was never written: the number 0 (hsds-values 13.4), or an empty list (default). */
  readonly unwrittenSequence?: 'list' | 'zero'
}

/** The spelling that is stored, which is also that of the hsds dialect. */
export const PREFIXED_REFERENCES: ReferenceSyntax = {
  parse(text) {
    const slash = text.indexOf('/')
    const reference = parsePrefixed(text.slice(slash + 1))
    if (slash < 0 || !reference) return reference
    const collection = text.slice(0, slash)
    return isCollection(collection) && kindOfCollection(collection) === reference.kind ? reference : undefined
  },
  format: reference => `${COLLECTIONS[reference.kind]}/${formatPrefixed(reference)}`,
  parseId: text => (parsePrefixed(text) ?? parsePrefixed(`d-${text}`))?.id,
  formatId: reference => formatPrefixed(reference).slice(2),
  nullText: '',
  blockEnds: 'inclusive',
  regionTexts: true,
  convertsText: true,
}

// Object references

/** Fills the 48 bytes at `offset`. */
export function writeObjectReference(
  reference: ObjectReference | undefined,
  target: Uint8Array,
  offset: number,
): void {
  target.fill(0, offset, offset + OBJECT_REFERENCE_SIZE)
  if (reference) new TextEncoder().encodeInto(PREFIXED_REFERENCES.format(reference), target.subarray(offset))
}

/** Undefined for the null reference. Other bytes than a reference: `malformed-value`. */
export function readObjectReference(bytes: Uint8Array, offset: number): ObjectReference | undefined {
  let text = ''
  for (let i = offset; i < offset + OBJECT_REFERENCE_SIZE && bytes[i] !== 0; i++) {
    text += String.fromCharCode(bytes[i])
  }
  if (text === '') return undefined
  const reference = PREFIXED_REFERENCES.parse(text)
  if (!reference) throw new HyperslabError('malformed-value', `${excerpt(text)} is not an object reference`)
  return reference
}

export function parseObjectReference(json: JsonValue, syntax: ReferenceSyntax): ObjectReference | undefined {
  if (json === null || json === '' || json === syntax.nullText) return undefined
  const reference = typeof json === 'string' ? syntax.parse(json) : undefined
  if (!reference) throw new HyperslabError('malformed-value', `${excerpt(json)} is not an object reference`)
  return reference
}

// Region references

type Coordinates = readonly number[]

/** The elements from `first` to `last`, both inclusive. */
export interface Block {
  readonly first: Coordinates
  readonly last: Coordinates
}

export type RegionSelection =
  | { readonly selectType: 'H5S_SEL_NONE' | 'H5S_SEL_ALL' }
  | { readonly selectType: 'H5S_SEL_POINTS'; readonly points: readonly Coordinates[] }
  | { readonly selectType: 'H5S_SEL_HYPERSLABS'; readonly blocks: readonly Block[] }

/** A part of a dataset. */
export type RegionReference = { readonly id: ObjectId } & RegionSelection

/** The form in the heap: JSON as classic 15.6, ids as 32 hex digits, ends of blocks exclusive. */
export function encodeRegionReference(region: RegionReference | string): Uint8Array {
  if (typeof region === 'string') return new TextEncoder().encode(stringifyJson(region))
  return new TextEncoder().encode(stringifyJson(formatRegion(region, region.id, 'exclusive')))
}

export function decodeRegionReference(bytes: Uint8Array): RegionReference | string {
  const json = parseJson(bytes)
  if (typeof json === 'string') return json
  const region = parseRegion(json, idFromHex, 'exclusive')
  if (!region) throw new Error('a stored region reference is null')
  return region
}

/** classic 15.6. Undefined for the null reference: null, empty text, or H5S_SEL_NONE without an id. */
export function parseRegionReference(
  json: JsonValue,
  syntax: ReferenceSyntax,
): RegionReference | string | undefined {
  if (json === null || json === '' || json === syntax.nullText) return undefined
  if (typeof json === 'string' && syntax.regionTexts) return parseRegionText(json, syntax)
  return parseRegion(json, text => syntax.parseId(text), syntax.blockEnds ?? 'exclusive')
}

/** The region reference whose JSON the text is, or else the text. */
function parseRegionText(text: string, syntax: ReferenceSyntax): RegionReference | string | undefined {
  if (!text.trimStart().startsWith('{')) return text
  try {
    return parseRegionReference(parseJson(text), syntax)
  } catch (error) {
    if (error instanceof HyperslabError) return text
    throw error
  }
}

export function formatRegionReference(region: RegionReference | string, syntax: ReferenceSyntax): JsonOutput {
  if (typeof region === 'string') return region
  const idText = syntax.formatId({ kind: 'dataset', id: region.id })
  return formatRegion(region, idText, syntax.blockEnds ?? 'exclusive')
}

type BlockEnds = 'exclusive' | 'inclusive'

function formatRegion(region: RegionReference, id: string, ends: BlockEnds): JsonOutput {
  const select_type = region.selectType
  switch (region.selectType) {
    case 'H5S_SEL_ALL':
    case 'H5S_SEL_NONE':
      return { id, select_type, selection: null }
    case 'H5S_SEL_POINTS':
      return { id, select_type, selection: region.points }
    case 'H5S_SEL_HYPERSLABS': {
      const beyond = ends === 'exclusive' ? 1 : 0
      const selection = region.blocks.map(({ first, last }) => [first, last.map(end => end + beyond)])
      return { id, select_type, selection }
    }
  }
}

function parseRegion(
  json: JsonValue,
  parseId: (text: string) => ObjectId | undefined,
  ends: BlockEnds,
): RegionReference | undefined {
  if (!isJsonObject(json)) throw malformedRegion(json, 'it must be an object with id and select_type')
  const idText = json.get('id')
  const selectType = json.get('select_type')
  if (selectType === 'H5S_SEL_NONE' && (idText === undefined || idText === null)) return undefined
  const id = typeof idText === 'string' ? parseId(idText) : undefined
  if (!id) throw malformedRegion(json, '"id" must be the id of a dataset')
  switch (selectType) {
    case 'H5S_SEL_ALL':
    case 'H5S_SEL_NONE':
      return { id, selectType }
    case 'H5S_SEL_POINTS': {
      const points = listOf(json, json.get('selection')).map(point => coordinatesOf(json, point))
      checkRanks(json, points)
      return { id, selectType, points }
    }
    case 'H5S_SEL_HYPERSLABS': {
      const blocks = listOf(json, json.get('selection')).map(block => blockOf(json, block, ends))
      checkRanks(
        json,
        blocks.flatMap(({ first, last }) => [first, last]),
      )
      return { id, selectType, blocks }
    }
    default:
      throw malformedRegion(
        json,
        '"select_type" must be one of H5S_SEL_NONE, H5S_SEL_ALL, H5S_SEL_POINTS and H5S_SEL_HYPERSLABS',
      )
  }
}

function blockOf(json: JsonValue, block: JsonValue, ends: BlockEnds): Block {
  const [first, end, ...others] = listOf(json, block).map(corner => coordinatesOf(json, corner))
  if (!first || !end || others.length > 0) throw malformedRegion(json, 'a block must have two corners')
  const last = ends === 'exclusive' ? end.map(stop => stop - 1) : end
  if (last.some((coordinate, dimension) => coordinate < first[dimension])) {
    throw malformedRegion(json, 'a block must not end before it starts')
  }
  return { first, last }
}

function coordinatesOf(json: JsonValue, point: JsonValue): Coordinates {
  return listOf(json, point).map(coordinate => {
    if (typeof coordinate !== 'number' || !Number.isSafeInteger(coordinate) || coordinate < 0) {
      throw malformedRegion(json, 'coordinates must be whole numbers from 0 to 2^53 - 1')
    }
    return coordinate
  })
}

function listOf(json: JsonValue, list: JsonValue | undefined): readonly JsonValue[] {
  if (!isJsonList(list) || list.length === 0) {
    throw malformedRegion(json, '"selection" must be an array of points, or of blocks of two corners')
  }
  return list
}

function checkRanks(json: JsonValue, points: readonly Coordinates[]): void {
  if (points.some(point => point.length !== points[0].length)) {
    throw malformedRegion(json, 'all coordinates must have the same rank')
  }
}

function malformedRegion(json: JsonValue, rule: string): HyperslabError {
  return new HyperslabError('malformed-value', `${excerpt(json)} is not a region reference: ${rule}`)
}

// References in values

/** The target of a reference; of a region reference the dataset, and the region. */
export type ReferenceTarget = ObjectReference & { readonly region?: RegionReference }

/** Every reference among the elements that is not null, in order. */
export function* referencesIn(type: Datatype, elements: Elements): Iterable<ReferenceTarget> {
  if (!hasReferences(type)) return
  const size = elementSize(type)
  for (let i = 0; i < elements.count; i++) {
    yield* referencesAt(type, elements.data, i * size, elements.heap)
  }
}

export function hasReferences(type: Datatype): boolean {
  return includesType(type, ({ class: name }) => name === 'H5T_REFERENCE')
}

function* referencesAt(
  type: Datatype,
  bytes: Uint8Array,
  position: number,
  heap: Uint8Array,
): Iterable<ReferenceTarget> {
  if (!hasReferences(type)) return
  if (type.class === 'H5T_COMPOUND') {
    let offset = position
    for (const field of type.fields) {
      yield* referencesAt(field.type, bytes, offset, heap)
      offset += elementSize(field.type)
    }
  } else if (type.class === 'H5T_ARRAY') {
    const end = position + elementSize(type)
    for (let item = position; item < end; item += elementSize(type.base)) {
      yield* referencesAt(type.base, bytes, item, heap)
    }
  } else if (type.class === 'H5T_VLEN') {
    const start = slotStart(bytes, position)
    const end = start + slotLength(bytes, position)
    for (let item = start; item < end; item += elementSize(type.base)) {
      yield* referencesAt(type.base, heap, item, heap)
    }
  } else if (type.class === 'H5T_REFERENCE') {
    const found = referenceAt(type.base, bytes, position, heap)
    if (found) yield found
  }
}

function referenceAt(
  base: 'H5T_STD_REF_OBJ' | 'H5T_STD_REF_DSETREG',
  bytes: Uint8Array,
  offset: number,
  heap: Uint8Array,
): ReferenceTarget | undefined {
  if (base === 'H5T_STD_REF_OBJ') return readObjectReference(bytes, offset)
  const start = slotStart(bytes, offset)
  const length = slotLength(bytes, offset)
  if (length === 0) return undefined
  const region = decodeRegionReference(heap.subarray(start, start + length))
  // A string refers to no object of the service.
  return typeof region === 'string' ? undefined : { kind: 'dataset', id: region.id, region }
}
