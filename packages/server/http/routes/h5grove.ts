// The API of h5grove, by which viewers such as h5web (H5GroveProvider) read files: the parameter `file` names a domain.
// Both dialects answer alike (docs/decisions/085).

import { HyperslabError } from '@hyperslab/base/errors'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { excerpt, stringifyJson } from '@hyperslab/model/json'
import { parseDomainPath } from '@hyperslab/model/names'
import type { Attribute } from '@hyperslab/store/store'
import type { FormatName } from '@hyperslab/views/formats'
import { piecesOf } from '../../service/attributes/attribute-value.ts'
import type { Context } from '../../service/context.ts'
import { openDomain } from '../../service/domains/domains.ts'
import { requireRequiredState } from '../../service/domains/required-state.ts'
import { requireLink } from '../../service/links/links.ts'
import { ALL_LINKS, type LocatedObject, locate, titlesOf } from '../../service/links/paths.ts'
import { type PathBelow, pathsBelow } from '../../service/objects/paths-below.ts'
import { leastFrom, summarizeValues } from '../../service/values/reductions.ts'
import { readValues, type SelectedValues } from '../../service/values/values.ts'
import {
  attributesOf,
  behind,
  type Entity,
  entityOf,
  type LinkRule,
  linkEntity,
  memberEntities,
} from '../h5grove/entities.ts'
import { jsonOf, numpySelection, withSafeTypes } from '../h5grove/values.ts'
import type { Reply } from '../message/message.ts'
import { joined } from '../message/pieces.ts'
import { STRING } from '../message/schema.ts'
import { FORMAT_ANSWERS, valueFile, valueFileReply } from '../output/value-formats.ts'
import { bytesOf, valuesTag } from '../output/value-output.ts'
import { flagQuery, optionalQuery, type Parameter } from '../route/parameter.ts'
import {
  type Answer,
  type AnswerData,
  namespaceReadRoute,
  type Route,
  type RouteData,
} from '../route/route.ts'

const JSON_TYPE = 'application/json'

const FILE: Parameter<string> = {
  name: 'file',
  in: 'query',
  description: 'The path of a domain.',
  schema: { type: 'string', examples: ['/lab/run7.h5'] },
  read({ target }) {
    const file = target.query.get('file')
    if (file) return file.startsWith('/') ? file : `/${file}`
    throw new HyperslabError('malformed-parameter', 'file is missing: it must be the path of a domain')
  },
}

function word<const T extends string>(
  name: string,
  words: readonly [T, ...T[]],
  description: string,
): Parameter<T> {
  const parameter = optionalQuery({
    name,
    description: `${description}; ${words[0]} by default.`,
    schema: { type: 'string', enum: [...words] },
    parse(text) {
      const found = words.find(each => each === text)
      if (found !== undefined) return found
      const message = `${name}=${excerpt(text)} must be one of ${words.join(', ')}`
      throw new HyperslabError('malformed-parameter', message)
    },
  })
  return { ...parameter, read: head => parameter.read(head) ?? words[0] }
}

const OBJECT = {
  file: FILE,
  path: optionalQuery({
    name: 'path',
    description: 'The path of an object; without it, the root group.',
    schema: STRING,
    parse: text => text,
  }),
  rule: word('resolve_links', ['only_valid', 'none', 'all'], 'The links that are followed'),
}

const SELECTION = optionalQuery({
  name: 'selection',
  description: 'The elements, as NumPy writes it: an index or `start:stop:step` for each dimension.',
  schema: { type: 'string', examples: ['0,3:7,:'] },
  parse: text => text,
})

interface PathInFile {
  readonly file: string
  readonly path: string | undefined
  readonly rule: LinkRule
}

/** The object, or the link at the end of the path, if that is not followed. */
async function find(
  context: Context,
  { file, path = '/', rule }: PathInFile,
): Promise<LocatedObject | { readonly link: Entity }> {
  const domain = await openDomain(context, parseDomainPath(file))
  await requireRequiredState(context, domain)
  const titles = titlesOf(path)
  const last = titles.at(-1)
  if (rule === 'all' || last === undefined) return locate(context, domain, { titles }, ALL_LINKS)
  const group = await locate(context, domain, { titles: titles.slice(0, -1) }, ALL_LINKS)
  if (group.object.kind !== 'group') return locate(context, domain, { titles }, ALL_LINKS)
  const { target } = await requireLink(context, group.object.id, last)
  if (target.class === 'H5L_TYPE_HARD') return locate(context, domain, { titles }, ALL_LINKS)
  const found = rule === 'none' ? undefined : await behind(context, group, last)
  return found ?? { link: linkEntity(last, target) }
}

/** The object; `object-not-found` for a link that is not followed. */
async function findObject(context: Context, named: PathInFile): Promise<LocatedObject> {
  const found = await find(context, named)
  if ('object' in found) return found
  throw new HyperslabError('object-not-found', `Cannot resolve the link at path=${named.path}`)
}

async function findValues(context: Context, named: PathInFile, selection: string | undefined) {
  const { domain, object } = await findObject(context, named)
  if (object.kind !== 'dataset') {
    const message = `path=${named.path ?? '/'} leads to a ${object.kind}: only a dataset has values`
    throw new HyperslabError('object-not-found', message)
  }
  const extents = extentsOf(object.space)
  const selected = selection === undefined ? undefined : numpySelection(selection, extents)
  const request = { selection: selected?.request ?? ({ kind: 'all' } as const) }
  const values = await readValues(context, domain, object.id, request)
  const shape = values.shape?.filter((_, d) => !selected?.indexes.has(d))
  return { domain, values, shape }
}

function nameOf({ path = '/' }: PathInFile): string {
  return titlesOf(path).at(-1) ?? '/'
}

async function* text(pieces: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece)
}

/** An answer whose pieces are made while it is sent. */
function sent(pieces: AsyncIterable<Uint8Array>): Reply {
  return { status: 200, stream: { contentType: JSON_TYPE, pieces: joined(pieces) } }
}

async function* entityText(entity: Entity, members?: AsyncIterable<Entity>): AsyncGenerator<string> {
  const whole = stringifyJson(entity)
  if (!members) return yield whole
  yield `${whole.slice(0, -1)},"children":[`
  let separator = ''
  for await (const member of members) {
    yield separator + stringifyJson(member)
    separator = ','
  }
  yield ']}'
}

async function* attributesText(attributes: readonly Attribute[]): AsyncGenerator<Uint8Array> {
  let separator = '{'
  for (const { name, type, space, value } of attributes) {
    yield Buffer.from(`${separator}${stringifyJson(name)}:`)
    separator = ','
    if (space.class === 'H5S_NULL' || value === undefined) yield Buffer.from('null')
    else yield* jsonOf(type, extentsOf(space), piecesOf(value))
  }
  yield Buffer.from(separator === '{' ? '{}' : '}')
}

const DATA_FORMATS = ['json', 'bin', 'csv', 'npy', 'tiff'] as const

interface Data {
  readonly values: SelectedValues
  readonly shape: readonly number[] | undefined
  readonly file?: { readonly format: FormatName; readonly name: string } | undefined
  readonly isBinary: boolean
  readonly isFlat: boolean
}

function dataReply({ values, shape, file, isBinary, isFlat }: Data, answer: Answer): Reply {
  if (file) return valueFileReply(values, file, {}, answer)
  if (isBinary) return { status: 200, stream: bytesOf(values, shape ?? [0], answer) }
  if (shape === undefined) return sent(text(single('null')))
  const shown = isFlat && shape.length > 0 ? [product(shape)] : shape
  const tag = valuesTag(values, answer, JSON_TYPE)
  const pieces = joined(jsonOf(values.type, shown, values.pieces))
  return { status: 200, stream: { contentType: JSON_TYPE, ...tag, pieces } }
}

async function* single(piece: string): AsyncGenerator<string> {
  yield piece
}

/** Each path is also there with a slash at its end, as older clients ask. */
function atBoth(name: string, declare: (data: Pick<RouteData, 'name' | 'path'>) => Route): readonly Route[] {
  return ['', '/'].map(end =>
    declare({ name: `h5grove-${name}${end && '-slash'}`, path: `/h5grove/${name}${end}` }),
  )
}

const COMMON = { method: 'GET', hasDomainInPath: true, access: 'read' } as const
const answers = (description: string, forms?: Pick<AnswerData, 'bytes' | 'formats'>) => ({
  200: { description, json: 'H5groveAnswer', ...forms },
})

export const h5groveRoutes: readonly Route[] = [
  ...atBoth('meta', path =>
    namespaceReadRoute({
      ...COMMON,
      ...path,
      summary: 'Describes an object, and the members of a group, for clients of h5grove.',
      parameters: OBJECT,
      answers: answers('The entity.'),
      async run(context, _, named) {
        const found = await find(context, named)
        if (!('object' in found)) return entityText(found.link)
        const entity = await entityOf(context, nameOf(named), found)
        const isGroup = found.object.kind === 'group'
        return entityText(entity, isGroup ? memberEntities(context, found, named.rule) : undefined)
      },
      respond: pieces => sent(text(pieces)),
    }),
  ),
  ...atBoth('attr', path =>
    namespaceReadRoute({
      ...COMMON,
      ...path,
      summary: 'Reads the values of the attributes of an object, for clients of h5grove.',
      parameters: {
        ...OBJECT,
        keys: {
          name: 'attr_keys',
          in: 'query',
          description: 'The name of an attribute that is read; may be repeated. Without it, all are.',
          schema: STRING,
          read: ({ target }) => new Set(target.query.getAll('attr_keys')),
        } satisfies Parameter<ReadonlySet<string>>,
      },
      answers: answers('The values by the names of the attributes.'),
      async run(context, _, { keys, ...named }) {
        const { object } = await findObject(context, named)
        const all = await attributesOf(context, object.id)
        return keys.size === 0 ? all : all.filter(({ name }) => keys.has(name))
      },
      respond: attributes => sent(attributesText(attributes)),
    }),
  ),
  ...atBoth('data', path =>
    namespaceReadRoute({
      ...COMMON,
      ...path,
      summary: 'Reads elements of a dataset, for clients of h5grove.',
      parameters: {
        ...OBJECT,
        selection: SELECTION,
        format: word('format', DATA_FORMATS, 'The form of the elements'),
        types: word('dtype', ['origin', 'safe'], 'The types of numbers: stored, or those that browsers have'),
        isFlat: flagQuery('flatten', 'JSON is one list, whatever the dimensions.'),
      },
      answers: answers('The elements.', { bytes: 'The elements in their order.', formats: FORMAT_ANSWERS }),
      async run(context, _, { selection, format, types, isFlat, ...named }) {
        const found = await findValues(context, named, selection)
        const { domain, shape } = found
        const values = types === 'safe' ? withSafeTypes(context, found.values) : found.values
        const isFile = format !== 'json' && format !== 'bin'
        const file = isFile ? await valueFile(context, domain, values.dataset.id, format) : undefined
        return { values, shape, file, isBinary: format === 'bin', isFlat }
      },
      respond: dataReply,
    }),
  ),
  ...atBoth('stats', path =>
    namespaceReadRoute({
      ...COMMON,
      ...path,
      summary: 'Gives statistics of elements of a dataset, for clients of h5grove.',
      parameters: { ...OBJECT, selection: SELECTION },
      answers: answers('The statistics; NaN counts as absent.'),
      async run(context, _, { selection, ...named }) {
        const { values } = await findValues(context, named, selection)
        const summary = await summarizeValues(values, 0)
        const [strict, positive] = summary ? await leastFrom(context, values, [Number.MIN_VALUE, 0]) : []
        const { min = null, max = null, mean = null, standardDeviation: std = null } = summary ?? {}
        return { strict_positive_min: strict ?? null, positive_min: positive ?? null, min, max, mean, std }
      },
      respond: body => sent(text(single(stringifyJson(body, 'null')))),
    }),
  ),
  ...atBoth('paths', path =>
    namespaceReadRoute({
      ...COMMON,
      ...path,
      summary: 'Lists the paths of all objects and links below a group, for clients of h5grove.',
      parameters: OBJECT,
      answers: answers('The paths.'),
      async run(context, _, named) {
        const found = await findObject(context, named)
        return pathsBelow(context, found, `/${titlesOf(named.path ?? '/').join('/')}`)
      },
      respond: paths => sent(text(listText(paths))),
    }),
  ),
]

async function* listText(items: AsyncIterable<PathBelow>): AsyncGenerator<string> {
  let separator = '['
  for await (const { path } of items) {
    yield separator + stringifyJson(path)
    separator = ','
  }
  yield separator === '[' ? '[]' : ']'
}
