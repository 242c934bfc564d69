// The description of the API in OpenAPI 3.1, one document for each dialect, made from the list of routes and the
// schemas of the dialect. OpenAPI knows no path parameter that holds slashes: names of attributes may hold some in the
// classic dialect.

import type { JsonOutput } from '@hyperslab/model/json'
import { COLLECTIONS } from '@hyperslab/model/names'
import type { Dialect } from './dialect/dialect.ts'
import { HDF5_FILE, OCTETS } from './message/content-types.ts'
import { type ParameterDescription, ref, type Schema, type Schemas } from './message/schema.ts'
import { type AnswerData, type BodyData, methodsOf, type Route } from './route/route.ts'

type Json = { readonly [name: string]: JsonOutput }

/** JSON Schemas are JSON, but their types have optional members, which JSON has not. */
function toJson(schema: Schema | Schemas): Json {
  return schema as Json
}

/** The document of a dialect. */
export function describeApi(routes: readonly Route[], dialect: Dialect, version: string): Json {
  const paths: Record<string, Record<string, Json>> = {}
  const ids = new Set<string>()
  const { introduction, schemas } = dialect.description
  for (const route of routes) {
    if (route.only !== undefined && route.only !== dialect.name) continue
    for (const [path, collection] of pathsOf(route)) {
      const id = (name: string) => operationId(name, collection, ids)
      paths[path] ??= {
        options: { operationId: id(`preflight-of-${route.name}`), ...preflight(route, dialect) },
      }
      for (const method of methodsOf(route)) {
        paths[path][method.toLowerCase()] =
          method === 'HEAD'
            ? { operationId: id(`head-of-${route.name}`), ...headOperation(route, dialect) }
            : { operationId: id(route.name), ...operation(route, dialect) }
      }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: `Hyperslab, ${dialect.name} dialect`,
      version,
      description: introduction,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    // The address is relative to this document, so it is right below the path of a proxy, too.
    servers: [{ url: '.' }],
    paths,
    components: {
      schemas: toJson(schemas),
      securitySchemes: {
        basic: { type: 'http', scheme: 'basic' },
        bearer: { type: 'http', scheme: 'bearer' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'hyperslab',
          description:
            'The cookie that POST /login sets. Its name has the port, and behind TLS the prefix __Host-. Other methods than GET and HEAD need the header X-Requested-With beside it.',
        },
      },
    },
    security: [{}, ...CREDENTIALS],
  }
}

const CREDENTIALS: readonly Json[] = [{ basic: [] }, { bearer: [] }, { session: [] }]

/** The paths of a route as OpenAPI has them, each with its collection, if the route has one. */
function pathsOf({ path, parameters }: Route): readonly (readonly [string, string | undefined])[] {
  const names = Object.values(parameters).filter(parameter => parameter.in === 'path')
  const rest = names.at(-1)?.name ?? 'rest'
  const template = path.replace(/:(?!collection)(\w+)/g, '{$1}').replace('*', `{${rest}}`)
  if (!template.includes(':collection')) return [[template, undefined]]
  return Object.values(COLLECTIONS).map(name => [template.replace(':collection', name), name])
}

/** An id that no other operation has: an operation at a second path gets a number. */
function operationId(name: string, collection: string | undefined, taken: Set<string>): string {
  const id = collection === undefined ? name : `${name}-of-${collection}`
  let free = id
  for (let n = 2; taken.has(free); n++) free = `${id}-${n}`
  taken.add(free)
  return free
}

/** The resource of an operation: viewers list operations by it. */
function tagOf({ path, opens }: Route): string {
  if (opens === 'nothing') return 'service'
  const resource = ['attributes', 'acls', 'links', 'value', 'query'].find(name =>
    path.split('/').includes(name),
  )
  return resource ?? (path.split('/')[1] || 'domains')
}

function operation(route: Route, dialect: Dialect): Json {
  const { summary, method, parameters, body, upload, opens } = route
  const own = Object.values(parameters).filter(({ only }) => only === undefined || only === dialect.name)
  const shown = [
    ...own.filter(isInPath),
    ...own.filter(one => !isInPath(one)),
    ...namingParameters(route, dialect),
  ]
  return {
    summary,
    tags: [tagOf(route)],
    ...(dialect.rules.requests.writesNeedIdentity && opens.endsWith('writer') && { security: CREDENTIALS }),
    parameters: [
      ...shown.map(describeParameter),
      ...(method === 'PUT' || method === 'DELETE' ? CONDITIONS : []),
    ],
    ...((body || upload !== undefined) && { requestBody: describeBody(body, upload) }),
    responses: responses(route, dialect),
  }
}

function responses({ method, answers }: Route, dialect: Dialect): Readonly<Record<string, Json>> {
  return {
    ...Object.fromEntries(
      Object.entries(answers)
        .filter(([, { only }]) => only === undefined || only === dialect.name)
        .map(([status, answer]) => [status, describeAnswer(answer)]),
    ),
    ...(method === 'GET' && {
      ...(answers[200] && { 206: partOf(answers[200]) }),
      304: { description: 'The client has this answer already (If-None-Match).' },
    }),
    ...ERRORS,
  }
}

/** The bytes that the header Range requests, in each form of the whole answer. */
function partOf(answer: AnswerData): Json {
  const types = Object.keys(contentOf(answer))
  return {
    description: 'The range of bytes that the request asks for, of an answer whose length is known.',
    content: Object.fromEntries(types.map(type => [type, {}])),
  }
}

/** HEAD of a route: the same answers, without their bodies. */
function headOperation(route: Route, dialect: Dialect): Json {
  const answers = Object.entries(responses(route, dialect))
  return {
    ...operation(route, dialect),
    responses: Object.fromEntries(answers.map(([status, { description }]) => [status, { description }])),
  }
}

/** OPTIONS, which every path has. */
function preflight(route: Route, dialect: Dialect): Json {
  const isRequired = dialect.rules.requests.exactPreflights
  const inPath = Object.values(route.parameters).filter(isInPath)
  return {
    summary:
      'Answers the preflight of a browser: the methods and headers that a page of another origin may send to this path.',
    tags: [tagOf(route)],
    security: [],
    parameters: [
      ...[...inPath, ...namingParameters(route, dialect)].map(describeParameter),
      pageHeader('Origin', 'The origin of the page.', isRequired),
      pageHeader('Access-Control-Request-Method', 'The method that the page wants to use.', isRequired),
      pageHeader('Access-Control-Request-Headers', 'The headers that the page wants to send.', false),
    ],
    responses: {
      200: { description: 'What the page may send, in the headers Access-Control-Allow-*.' },
      ...ERRORS,
    },
  }
}

function pageHeader(name: string, description: string, required: boolean): Json {
  return { name, in: 'header', description, required, schema: { type: 'string' } }
}

function isInPath({ in: place }: ParameterDescription): boolean {
  return place === 'path'
}

/** The parameters that name the domain, if the route is about one. */
function namingParameters({ opens }: Route, { description }: Dialect): readonly ParameterDescription[] {
  return opens === 'nothing' ? [] : description.domainParameters
}

function describeParameter({ name, in: place, description, schema }: ParameterDescription): Json {
  return {
    name,
    in: place,
    description,
    schema: toJson(schema),
    ...(place === 'path' && { required: true }),
    // Brackets, commas and colons of selections are sent without encoding.
    ...(place === 'query' && { allowReserved: true }),
  }
}

const CONDITIONS: readonly Json[] = ['If-Match', 'If-None-Match'].map(name => ({
  name,
  in: 'header',
  description: 'Entity tags that GET of the same path gives, or *; 412 if the condition does not hold.',
  schema: { type: 'string' },
}))

const ERROR: Json = {
  description: 'The request, the rule that it broke, and what to do.',
  headers: {
    Link: {
      description: 'The entry of the error in the list of errors: rel="help".',
      schema: { type: 'string' },
    },
  },
  content: { 'application/json': { schema: toJson(ref('Error')) } },
}

/** Error answers that any request may get. */
const ERRORS: Readonly<Record<string, Json>> = {
  417: { description: 'The header Expect is not 100-continue. The answer has no body.' },
  '4XX': ERROR,
  '5XX': ERROR,
}

/** Describes a body; `file` is its meaning as an HDF5 file. */
function describeBody(body: BodyData | undefined, file: string | undefined): Json {
  const { description = 'Nothing, or a file.', required = false, json, bytes, formats } = body ?? {}
  return { description, required, content: contentOf({ json, bytes, file, ...(formats && { formats }) }) }
}

function describeAnswer({ description, ...forms }: AnswerData): Json {
  const content = contentOf(forms)
  return { description, ...(Object.keys(content).length > 0 && { content }) }
}

type Forms = { readonly [Form in 'json' | 'bytes' | 'file' | 'text']?: string | undefined } & Pick<
  AnswerData,
  'formats'
>

function contentOf({ json, bytes, file, text, formats = {} }: Forms): Json {
  const schema = (value: Schema): Json => ({ schema: toJson(value) })
  const binary = (meaning: string): Json => schema({ type: 'string', format: 'binary', description: meaning })
  return {
    ...(json !== undefined && { 'application/json': schema(ref(json)) }),
    ...(bytes !== undefined && { [OCTETS]: binary(bytes) }),
    ...(file !== undefined && { [HDF5_FILE]: binary(file) }),
    ...Object.fromEntries(Object.entries(formats).map(([type, meaning]) => [type, binary(meaning)])),
    ...(text !== undefined && { [text]: schema({ type: 'string' }) }),
  }
}
