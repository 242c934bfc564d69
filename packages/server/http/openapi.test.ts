// The description of the API, against the list of routes, JSON Schema and OpenAPI.

import { Validator } from '@seriousme/openapi-schema-validator'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { dialects, routes } from '../../../test/fixtures/routes.ts'
import { describeApi } from './openapi.ts'
import type { Route } from './route/route.ts'

function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)|\*/g)].map(([all]) => all).filter(name => name !== ':collection')
}

/** Names of the schemas that a route refers to. */
function schemaNames({ body, answers }: Route): string[] {
  const names = [body?.json, ...Object.values(answers).map(({ json }) => json)]
  return names.flatMap(name => name ?? [])
}

describe.each(routes.map(route => [`${route.name}, ${route.method} ${route.path}`, route] as const))(
  '%s',
  (_, route) => {
    it('says what it does and what it answers', () => {
      expect(route.summary).toMatch(/^[A-Z].*\.$/)
      expect(Object.keys(route.answers)).not.toEqual([])
    })

    it('declares each parameter of its path, and each parameter once', () => {
      const declared = Object.values(route.parameters)
      const inPath = declared.filter(parameter => parameter.in === 'path').map(({ name }) => name)
      expect(inPath).toHaveLength(pathNames(route.path).length)
      const names = declared.map(parameter => `${parameter.in} ${parameter.name}`)
      expect(new Set(names).size).toBe(names.length)
    })
  },
)

describe.each(Object.values(dialects))('the $name dialect', dialect => {
  const known = routes.filter(({ only }) => only === undefined || only === dialect.name)
  const { schemas } = dialect.description
  const document = describeApi(routes, dialect, '0.1.0')
  const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, strictRequired: false })
  ajv.addVocabulary(['components'])
  ajv.addSchema({ $id: 'api', components: { schemas: schemas } })

  it('is described by a valid document of OpenAPI 3.1', async () => {
    const { valid, errors } = await new Validator().validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
  })

  it('has OPTIONS of every path, HEAD of what has GET, and what any request may be answered with', () => {
    const paths = document.paths as Record<string, Record<string, { responses: Record<string, object> }>>
    for (const [path, operations] of Object.entries(paths)) {
      expect(Object.keys(operations), path).toContain('options')
      for (const { responses } of Object.values(operations)) {
        expect(Object.keys(responses), path).toEqual(expect.arrayContaining(['417', '4XX', '5XX']))
      }
    }
    const having = (method: string) => Object.keys(paths).filter(path => method in (paths[path] ?? {}))
    expect(having('head')).toEqual(having('get'))
    expect(paths['/ready']?.head?.responses[200]).not.toHaveProperty('content')
  })

  it('does not allow 0 where the service rejects it', () => {
    const rejected: [string, object][] = [
      ['CreationPropertiesInput', { layout: { class: 'H5D_CHUNKED', dims: [0] } }],
      ['TypeInput', { class: 'H5T_OPAQUE', size: 0 }],
    ]
    if (dialect.name === 'hsds') {
      rejected.push(['ShapeChange', { extend: 0 }], ['ShapeChange', { extend: '00' }])
      rejected.push(
        ['PointQuery', { start: 0, stop: 10, step: 0 }],
        ['PointQuery', { start: [0], stop: [9], step: [0] }],
      )
    }
    for (const [name, body] of rejected) {
      expect(ajv.compile({ $ref: `api#/components/schemas/${name}` })(body), JSON.stringify(body)).toBe(false)
    }
  })

  it('has operations with different ids', () => {
    const operations = Object.values(
      document.paths as Record<string, Record<string, { operationId: string }>>,
    )
    const ids = operations.flatMap(methods => Object.values(methods).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('has every schema that its routes refer to, and no other', () => {
    const text = JSON.stringify(schemas)
    const referred = [...text.matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, name]) => name)
    const used = new Set([...known.flatMap(schemaNames), ...referred, 'Error'])
    expect([...used].sort()).toEqual(Object.keys(schemas).sort())
  })

  it.each(Object.keys(schemas))('the schema %s has examples, and they fit it', name => {
    const { examples = [] } = schemas[name] ?? {}
    expect(examples).not.toEqual([])
    const validate = ajv.compile({ $ref: `api#/components/schemas/${name}` })
    for (const example of examples) {
      validate(example)
      expect(validate.errors ?? [], JSON.stringify(example)).toEqual([])
    }
  })
})
