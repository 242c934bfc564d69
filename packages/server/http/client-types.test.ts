// packages/client/api.ts is made from the routes and schemas of the hsds dialect: after a change of them, run vitest
// with -u.

import { compile, type JSONSchema } from 'json-schema-to-typescript'
import { expect, test } from 'vitest'
import { dialects, routes } from '../../../test/fixtures/routes.ts'
import { describeApi } from './openapi.ts'

interface Operation {
  readonly summary: string
  readonly parameters: readonly { name: string; in: string; description: string; schema: JSONSchema }[]
  readonly requestBody?: Content
  readonly responses: Readonly<Record<string, Content>>
}

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema: JSONSchema }>>
}

test('the types of the client are those of the API', async () => {
  // The form that describeApi gives.
  const { paths, components } = describeApi(routes, dialects.hsds, '0') as unknown as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, JSONSchema> }
  }
  const operations: Record<string, JSONSchema> = {}
  for (const [path, methods] of Object.entries(paths)) {
    for (const [method, operation] of Object.entries(methods)) {
      if (method === 'options' || method === 'head') continue
      operations[`${method.toUpperCase()} ${path}`] = operationSchema(operation)
    }
  }
  const schemas = Object.entries(components.schemas).map(([name, schema]) => [
    name,
    { ...schema, title: name },
  ])
  const root: JSONSchema = {
    ...object(operations),
    title: 'Operations',
    description:
      'The request and the JSON answer of each operation. `parameters` are those of the path, in braces, and of the query.',
    components: { schemas: Object.fromEntries(schemas) },
  }
  const text = await compile(root, 'Operations', {
    bannerComment: HEADER,
    style: { printWidth: 110, semi: false, singleQuote: true, trailingComma: 'all' },
  })
  await expect(text).toMatchFileSnapshot('../../client/api.ts')
})

const HEADER =
  '// The types of requests and answers, made from the routes and schemas of the hsds dialect (packages/server/http/client-types.test.ts). Do not edit.\n'

function operationSchema({ summary, parameters, requestBody, responses }: Operation): JSONSchema {
  const known = parameters.filter(parameter => parameter.in === 'path' || parameter.in === 'query')
  const members = known.map(({ name, description, schema }) => [
    name,
    { description, ...(schema.enum ? schema : { tsType: 'string | number | boolean' }) },
  ])
  const inPath = known.filter(parameter => parameter.in === 'path').map(({ name }) => name)
  const successes = Object.entries(responses).filter(([status]) => status.startsWith('2'))
  const answers = successes.flatMap(([, response]) => jsonOf(response) ?? [])
  const body = jsonOf(requestBody)
  return {
    ...object({
      parameters: object(Object.fromEntries(members), inPath),
      ...(body && { body }),
      answer:
        answers.length === 1
          ? answers[0]
          : answers.length === 0
            ? { tsType: 'undefined' }
            : { anyOf: answers },
    }),
    description: summary,
  }
}

/** All members are there, or only those that are named. */
function object(properties: Record<string, JSONSchema>, required = Object.keys(properties)): JSONSchema {
  return { type: 'object', additionalProperties: false, properties, required }
}

function jsonOf({ content }: Content = {}): JSONSchema | undefined {
  return content?.['application/json']?.schema
}
