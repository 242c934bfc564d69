// The values of several datasets as one answer: JSON, the bytes of each as a part of a multipart body, or an archive of
// files of NumPy (.npz). All is checked before the first byte is sent, as an answer that has begun cannot become an
// error.

import { randomBytes } from 'node:crypto'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { Datatype } from '@hyperslab/model/datatype'
import { excerpt, StreamedJson } from '@hyperslab/model/json'
import { encodeNpyHeader, FORMATS, MAX_NAME_BYTES, zipArchive } from '@hyperslab/views/formats'
import { pathInBucket } from '../../service/domains/path-names.ts'
import { type DatasetName, type ItemValues, within } from '../../service/values/several-values.ts'
import type { SelectedValues } from '../../service/values/values.ts'
import type { Body } from '../dialect/dialect.ts'
import { mediaType } from '../message/content-types.ts'
import { streamJson } from '../message/json-stream.ts'
import { lazyList } from '../message/lazy-json.ts'
import type { ByteStream, RequestHead, StreamReply } from '../message/message.ts'
import { gathered, joined } from '../message/pieces.ts'
import type { Parameter } from '../route/parameter.ts'
import type { Answer } from '../route/route.ts'
import { attachment } from './attachment.ts'
import { isSentAsBytes } from './binary-types.ts'
import { valueFileReply } from './value-formats.ts'
import { bytesOf, jsonText, requireJsonForm, requireShape, requireUtf8 } from './value-output.ts'

/** The forms of an answer, by their content types. */
const FORMS = { json: 'application/json', multipart: 'multipart/mixed', npz: 'application/zip' } as const

export type ValuesForm = keyof typeof FORMS

export const FORM_ANSWERS: Readonly<Record<string, string>> = {
  [FORMS.multipart]:
    'A part for each item: its elements as bytes or, where the dialect has none for the type, JSON.',
  [FORMS.npz]: 'An archive with a file of NumPy for each item, named by its path or id.',
}

/** The requested form of the answer. */
export const FORM: Parameter<ValuesForm> = {
  name: 'format',
  in: 'query',
  description: `The form of the answer; without it, the first of ${Object.values(FORMS).join(', ')} in \`Accept\`, else JSON.`,
  schema: { type: 'string', enum: Object.keys(FORMS) },
  read({ target, headers: { accept = '' } }: RequestHead) {
    const names = Object.keys(FORMS) as ValuesForm[] // its keys are known
    const format = target.query.get('format')
    if (format) {
      const named = names.find(name => name === format)
      if (named) return named
      const rule = `must be one of ${names.join(', ')}`
      throw new HyperslabError('malformed-parameter', `format=${excerpt(format)} ${rule}`)
    }
    const types = accept.split(',').map(mediaType)
    const first = types.map(type => names.find(name => FORMS[name] === type)).find(name => name !== undefined)
    return first ?? 'json'
  },
}

/** Throws unless each item has the form; reads all strings that JSON may not have a form for. */
export async function requireForms(
  items: readonly ItemValues[],
  form: ValuesForm,
  dialect: Answer['dialect'],
): Promise<void> {
  const { values: rules } = dialect.rules
  for (const { item, values } of items) {
    if (isTurnOver()) await nextTurn()
    await within(item.location, async () => {
      const isNull = form === 'json' && rules.null === 'null'
      if (values.shape === undefined && isNull) return
      const shape = requireShape(values)
      if (form === 'npz') return requireNpy(item.dataset, values.type, shape)
      if (form === 'multipart' && isSentAsBytes(values.type, rules)) return
      requireJsonForm(values.type, dialect, FORMS.multipart)
      if (rules.nonUtf8Text === 'error')
        await requireUtf8(values.type, values.pieces, 'JSON', FORMS.multipart)
    })
  }
}

/** Throws unless a file of NumPy can hold the elements, and an archive its name. */
function requireNpy(dataset: DatasetName, type: Datatype, shape: readonly number[]): void {
  encodeNpyHeader(type, shape)
  if (!('h5path' in dataset) || Buffer.byteLength(dataset.h5path) <= MAX_NAME_BYTES - SUFFIX_BYTES) return
  throw new HyperslabError(
    'format-unsupported',
    'the path is too long for the name of a file in an archive: name the dataset by its id',
  )
}

/** The most that is added to a path: a number that makes it different from others, and the extension. */
const SUFFIX_BYTES = 16

export function severalValuesReply(
  items: readonly ItemValues[],
  form: ValuesForm,
  stem: string,
  answer: Answer,
): StreamReply {
  if (form === 'npz') return npzReply(items, stem, answer)
  return { status: 200, stream: form === 'json' ? jsonOf(items, answer) : multipartOf(items, answer) }
}

function jsonOf(items: readonly ItemValues[], answer: Answer): ByteStream {
  const { place, dialect } = answer
  const list = lazyList(
    items,
    shown => ({ ...itemMembers(shown, answer), value: valueJson(shown, answer) }),
    true,
  )
  const body = { values: list, ...dialect.present.values.several(place, '/values') }
  return { contentType: dialect.jsonContentType, pieces: joined(streamJson(body, place.nonFinite)) }
}

function valueJson({ values }: ItemValues, answer: Answer): StreamedJson | null {
  const { shape } = values
  return shape === undefined ? null : new StreamedJson(jsonText(values, shape, answer))
}

/** The dataset of an item: its path as the request has it, its id, and its domain if that is another one. */
function itemMembers({ item, domain, values }: ItemValues, { place, dialect }: Answer): Body {
  return {
    ...('h5path' in item.dataset && { h5path: item.dataset.h5path }),
    id: dialect.formatId({ kind: 'dataset', id: values.dataset.id }),
    ...(domain.root.id !== place.root && { domain: pathInBucket(domain.entry.path) }),
  }
}

/** A part of a multipart body, without its boundary. */
interface Part {
  readonly head: string
  readonly stream: Pick<ByteStream, 'length' | 'pieces'>
}

function multipartOf(items: readonly ItemValues[], answer: Answer): ByteStream {
  const boundary = `hyperslab-${randomBytes(16).toString('hex')}`
  const names = namesOf(items, answer)
  const parts = items.map((shown, i): Part => {
    const stream = partOf(shown, answer)
    const headers = {
      'Content-Type': stream.contentType,
      ...(stream.length !== undefined && { 'Content-Length': String(stream.length) }),
      ...attachment(names[i]),
    }
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
    return { head: `${i === 0 ? '' : '\r\n'}--${boundary}\r\n${lines.join('')}\r\n`, stream }
  })
  const end = `\r\n--${boundary}--\r\n`
  let length: number | undefined = end.length
  for (const { head, stream } of parts) {
    length =
      length === undefined || stream.length === undefined ? undefined : length + head.length + stream.length
  }
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (const { head, stream } of parts) {
      yield Buffer.from(head)
      yield* stream.pieces
    }
    yield Buffer.from(end)
  }
  const contentType = `${FORMS.multipart}; boundary=${boundary}`
  if (length === undefined) return { contentType, pieces: joined(copied(pieces())) }
  return { contentType, length, pieces: gathered(pieces()) }
}

/** The elements as bytes or, where the dialect has none for the type, as JSON. */
function partOf({ values }: ItemValues, answer: Answer): ByteStream {
  const shape = requireShape(values)
  if (isSentAsBytes(values.type, answer.dialect.rules.values)) return bytesOf(values, shape, answer)
  return { contentType: answer.dialect.jsonContentType, pieces: jsonText(values, shape, answer) }
}

/** Copies of pieces that are valid only until the next one is requested. */
async function* copied(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

function npzReply(items: readonly ItemValues[], stem: string, answer: Answer): StreamReply {
  const names = namesOf(items, answer)
  const members = items.map(({ values }, i) => {
    const { length, pieces } = npyOf(values, answer)
    return { name: names[i] + FORMATS.npy.extension, length, bytes: pieces }
  })
  const { length, bytes } = zipArchive(members)
  return {
    status: 200,
    headers: attachment(`${stem}.npz`),
    stream: { contentType: FORMS.npz, length, pieces: gathered(bytes) },
  }
}

function npyOf(
  values: SelectedValues,
  answer: Answer,
): { readonly length: number; readonly pieces: ByteStream['pieces'] } {
  const { stream } = valueFileReply(values, { format: 'npy', name: '' }, {}, answer)
  if (stream.length === undefined) throw new Error('a file of NumPy has no length')
  return { length: stream.length, pieces: stream.pieces }
}

/**
 * A name for each item, no two alike: its path without the slash at its beginning, or its id. Items that name the same
 * dataset in the same way get `#2`, `#3` and so on.
 */
function namesOf(items: readonly ItemValues[], { dialect }: Answer): readonly string[] {
  const plain = items.map(({ item: { dataset } }) =>
    'h5path' in dataset
      ? dataset.h5path.replace(/^\/+/, '')
      : dialect.formatId({ kind: 'dataset', id: dataset.id }),
  )
  const taken = new Set(plain)
  const counts = new Map<string, number>()
  return plain.map(name => {
    let count = (counts.get(name) ?? 0) + 1
    while (count > 1 && taken.has(`${name}#${count}`)) count++
    counts.set(name, count)
    return count === 1 ? name : `${name}#${count}`
  })
}
