// Every request and answer of the wire tests against the description of the API that the server gives at /openapi.json:
// an answer whose status or members are not declared fails its test, and so does a request that was accepted although
// one of its parameters or members is not declared.

import type http from 'node:http'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'

interface Media {
  readonly schema: object
}

interface Answer {
  readonly content?: Readonly<Record<string, Media>>
}

interface Operation {
  readonly operationId: string
  readonly parameters: readonly { readonly name: string; readonly in: string }[]
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> }
  readonly responses: Readonly<Record<string, Answer>>
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, object>> }
}

export interface Exchange {
  readonly method: string
  readonly target: string
  readonly headers: http.OutgoingHttpHeaders
  readonly body: Buffer | undefined
  readonly status: number
  readonly answerHeaders: http.IncomingHttpHeaders
  readonly answer: Buffer
}

/** Longer bodies are not looked at: they repeat what short ones have. */
const MAX_BYTES = 1 << 18

/** Every answer is compared with its schema, as in `.ci/all`. */
const CHECKS_ALL = Number(process.env.HYPERSLAB_TEST_RUNS ?? 0) >= 1

/** The checks for the two dialects of a server. */
export class ApiDescription {
  readonly #dialects: { readonly classic: Dialect; readonly hsds: Dialect }

  constructor(documents: { readonly classic: Document; readonly hsds: Document }) {
    this.#dialects = { classic: new Dialect(documents.classic), hsds: new Dialect(documents.hsds) }
  }

  /** The fault of an exchange; undefined: none. */
  check(exchanged: Exchange): string | undefined {
    return this.#dialects[dialectOf(exchanged)].check(exchanged)
  }
}

/** The rule of docs/contract/common.md, 1. */
function dialectOf({ target, headers }: Exchange): 'classic' | 'hsds' {
  const { path, query } = parsed(target)
  const names = new Map(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]))
  const domain = query.get('domain')
  const isHsds =
    names.has('x-hdf-domain') ||
    names.has('x-hdf-bucket') ||
    names.get('host')?.startsWith('/') ||
    domain?.includes('/') ||
    (domain === null && query.has('bucket') && !query.has('host')) ||
    /^\/(groups\/g|datasets\/d|datatypes\/t|(groups|datasets|datatypes)\/[gdt])-/.test(path) ||
    path === '/about' ||
    path === '/domains'
  return isHsds ? 'hsds' : 'classic'
}

function parsed(target: string): { readonly path: string; readonly query: URLSearchParams } {
  const [path = '', ...rest] = target.split('?')
  // Without a path a request asks for `/`.
  return { path: path || '/', query: new URLSearchParams(rest.join('?')) }
}

class Dialect {
  readonly #document: Document
  /** Each schema becomes one function, as it comes: most run a few times only, and to compile them takes longer. */
  readonly #ajv = new Ajv2020({
    // A unit test judges the schemas themselves.
    ...{ strict: false, validateFormats: false, validateSchema: false, meta: false },
    ...{ inlineRefs: false, code: { optimize: false } },
  })
  readonly #validators = new Map<object, ValidateFunction>()
  /** Routes and statuses of which an answer was as declared. */
  readonly #checked = new Set<string>()
  /** The paths, those with the most fixed segments first. */
  readonly #paths: readonly {
    readonly pattern: RegExp
    readonly operations: Readonly<Record<string, Operation>>
  }[]

  constructor(document: Document) {
    this.#document = document
    // Each one under an id of its own: ajv compiles what it finds by an id once, and what it finds by a pointer once
    // for each schema.
    for (const [name, schema] of Object.entries(document.components.schemas)) {
      this.#ajv.addSchema({ ...withIds(schema), $id: name })
    }
    const fixed = (path: string) => path.split('/').filter(segment => !segment.startsWith('{')).length
    this.#paths = Object.entries(document.paths)
      .sort(([a], [b]) => fixed(b) - fixed(a))
      .map(([path, operations]) => ({ pattern: patternOf(path), operations }))
  }

  check(exchanged: Exchange): string | undefined {
    const { method, target, status } = exchanged
    const { path, query } = parsed(target)
    const operations = this.#paths.find(({ pattern }) => pattern.test(path))?.operations
    const operation = operations?.[method.toLowerCase()]
    if (operation === undefined) return this.#checkUnknown(exchanged, operations !== undefined)
    const { operationId, responses } = operation
    const answer = responses[status] ?? responses[`${Math.floor(status / 100)}XX`]
    if (answer === undefined) return `${operationId} does not declare the status ${status}`
    if (status < 400) {
      const declared = new Set(
        operation.parameters.filter(({ in: place }) => place === 'query').map(({ name }) => name),
      )
      const unknown = [...query.keys()].find(name => !declared.has(name))
      if (unknown !== undefined) return `${operationId} does not declare the parameter ${unknown}`
      const wrong = this.#checkBody(operation, exchanged)
      if (wrong !== undefined) return wrong
    }
    return this.#checkAnswer(operationId, answer, exchanged)
  }

  #checkUnknown({ method, status }: Exchange, isKnownPath: boolean): string | undefined {
    // Classic answers OPTIONS on any path (classic 2).
    if ((method === 'OPTIONS' && !isKnownPath) || status >= 400) return undefined
    return `${method} of ${isKnownPath ? 'this path' : 'an undeclared path'} is not declared, and answered ${status}`
  }

  #checkBody({ operationId, requestBody }: Operation, { body, headers }: Exchange): string | undefined {
    if (body === undefined || body.length === 0 || body.length > MAX_BYTES) return undefined
    if (requestBody === undefined) return undefined
    const isBytes = Object.entries(headers).some(
      ([name, value]) => name.toLowerCase() === 'content-type' && String(value).includes('octet-stream'),
    )
    if (isBytes) {
      const known = 'application/octet-stream' in requestBody.content
      return known ? undefined : `${operationId} does not declare a body of bytes`
    }
    const media = requestBody.content['application/json']
    const json = jsonOf(body)
    if (media === undefined || json === undefined) return undefined
    const members = this.#membersOf(media.schema)
    for (const item of Array.isArray(json) ? json : [json]) {
      if (members === undefined || typeof item !== 'object' || item === null) continue
      const unknown = Object.keys(item).find(name => !members.has(name))
      if (unknown !== undefined) return `${operationId} does not declare the member ${unknown} of its body`
    }
    return this.#validate(`the body of ${operationId}`, media.schema, json)
  }

  #checkAnswer(
    operationId: string,
    { content = {} }: Answer,
    { method, status, answer, answerHeaders }: Exchange,
  ): string | undefined {
    if (method === 'HEAD' || answer.length === 0 || answer.length > MAX_BYTES) return undefined
    const type = (answerHeaders['content-type'] ?? '').split(';')[0] ?? ''
    const media = content[type]
    if (media === undefined) return `${operationId} does not declare an answer of ${type}`
    if (type !== 'application/json' || media.schema === undefined) return undefined
    // The answers of a route with one status are alike: one of them is enough, unless all runs are made.
    const kind = `${operationId} ${status}`
    if (this.#checked.has(kind) && !CHECKS_ALL) return undefined
    const json = jsonOf(answer)
    if (json === undefined) return undefined
    this.#checked.add(kind)
    return this.#validate(`the answer of ${operationId}`, media.schema, json)
  }

  #validate(what: string, schema: object, json: unknown): string | undefined {
    let validate = this.#validators.get(schema)
    if (validate === undefined) {
      validate = this.#ajv.compile(withIds(schema))
      this.#validators.set(schema, validate)
    }
    if (validate(json)) return undefined
    return `${what} is not as declared: ${this.#ajv.errorsText(validate.errors).slice(0, 1000)}`
  }

  /** The members that a schema declares, those of its alternatives and references included; undefined: any. */
  #membersOf(schema: object): ReadonlySet<string> | undefined {
    const { $ref, properties, items, additionalProperties, anyOf, allOf } = schema as {
      readonly $ref?: string
      readonly properties?: object
      readonly items?: object
      readonly additionalProperties?: unknown
      readonly anyOf?: readonly object[]
      readonly allOf?: readonly object[]
    }
    if ($ref !== undefined) {
      const found = this.#document.components.schemas[$ref.split('/').at(-1) ?? '']
      return found && this.#membersOf(found)
    }
    if (typeof additionalProperties === 'object' && additionalProperties !== null) return undefined
    const members = new Set(Object.keys(properties ?? {}))
    const parts = [...(anyOf ?? []), ...(allOf ?? []), ...(items ? [items] : [])]
    if (properties === undefined && parts.length === 0) return undefined
    for (const part of parts) {
      // An alternative that only requires members has none of its own.
      if (Object.keys(part).join() === 'required') continue
      const more = this.#membersOf(part)
      if (more === undefined) return undefined
      for (const name of more) members.add(name)
    }
    return members
  }
}

/** The schema with references to ids of components, not to their places in the document. */
function withIds(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/schemas/', '"'))
}

/** The last parameter of a path may hold slashes, as names of attributes do. */
function patternOf(path: string): RegExp {
  const escaped = path.replace(/[.+*?^$()[\]\\|]/g, '\\$&')
  const last = escaped.replace(/\{\w+\}$/, '.*')
  return new RegExp(`^${last.replace(/\{\w+\}/g, '[^/]*')}$`)
}

/** Undefined: it is no strict JSON, as with a bare NaN. */
function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'))
  } catch {
    return undefined
  }
}

/** Descriptions by the address of the server. */
const descriptions = new Map<string, Promise<ApiDescription>>()
/**
 * Descriptions by the text of their documents: servers of the same build share one, since compiling its schemas takes
 * long.
 */
const ofDocuments = new Map<string, ApiDescription>()

/** The description that the server at an address gives of itself; fetched once. */
export function descriptionOf(
  address: string,
  get: (target: string) => Promise<{ readonly status: number; readonly text: string }>,
): Promise<ApiDescription> {
  let description = descriptions.get(address)
  if (description === undefined) {
    const document = async (dialect: string): Promise<string> => {
      const reply = await get(`/openapi.json?dialect=${dialect}`)
      if (reply.status !== 200) throw new Error(`/openapi.json answered ${reply.status}`)
      return reply.text
    }
    description = (async () => {
      const [classic, hsds] = [await document('classic'), await document('hsds')]
      const both = classic + hsds
      const known = ofDocuments.get(both)
      if (known !== undefined) return known
      const made = new ApiDescription({ classic: JSON.parse(classic), hsds: JSON.parse(hsds) })
      ofDocuments.set(both, made)
      return made
    })()
    descriptions.set(address, description)
  }
  return description
}
