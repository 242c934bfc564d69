// The order in which a route reads a request.

import { idFromHex } from '@hyperslab/model/names'
import { expect, test } from 'vitest'
import { dialects } from '../../../../test/fixtures/routes.ts'
import type { Request } from '../message/message.ts'
import { parseTarget } from '../message/target.ts'
import { readRoute } from './route.ts'

test('parameters are read once, before the body, also where one names the object whose permission is required', async () => {
  const steps: string[] = []
  const object = { kind: 'group', id: idFromHex('0'.repeat(32)) } as const
  const route = readRoute({
    name: 'get-something',
    method: 'POST',
    path: '/something',
    summary: 'Reads something.',
    access: 'read',
    accessTo: ({ start }) => start,
    parameters: {
      start: {
        name: 'start',
        in: 'query',
        description: 'Where to begin.',
        schema: {},
        read() {
          steps.push('parameter')
          return object
        },
      },
    },
    body: {
      description: 'Something.',
      required: true,
      json: 'Something',
      read(_body, _dialect, { start }) {
        steps.push('body')
        return start
      },
    },
    answers: {},
    run: async () => undefined,
    respond: () => ({ status: 200 }),
  })
  const head = route.readHead({
    dialect: dialects.hsds,
    headers: {},
    target: parseTarget('/things'),
  } as Request)
  expect(head.accessed).toBe(object)
  expect(steps).toEqual(['parameter'])
  await head.readBody()
  expect(steps).toEqual(['parameter', 'body'])
})
