// Routes that are not declared as tables yet. This file goes when the last of them is.

import type { Permission } from '../hdf5/acl.ts'
import type { ObjectReference } from '../hdf5/object-id.ts'
import type { Context, OpenDomain, WriteContext } from '../service/context.ts'
import type { Dialect } from './dialect/dialect.ts'
import type { Place } from './dialect/hrefs.ts'
import type { Method, Reply, Request } from './message.ts'
import type { ParsedRequest, ReadRoute, WriteRoute } from './route.ts'

export interface OldAnswer {
  readonly place: Place
  readonly request: Request
}

export interface RouteData {
  readonly name: string
  readonly method: Method
  readonly path: string
  readonly access: Permission | 'none'
  readonly accessTo?: (request: Request) => ObjectReference | undefined
  readonly only?: 'classic' | 'hsds'
  readonly streamsBody?: boolean
}

interface Old<In extends Context, Where, Input, Output> extends RouteData {
  readonly repeatable?: true
  readonly parse: (request: Request) => Input | Promise<Input>
  readonly once?: (input: Input) => boolean
  readonly run: (context: In, where: Where, input: Input, dialect: Dialect) => Promise<Output>
  readonly respond: (output: Output, answer: OldAnswer, input: Input) => Reply
}

function closed<In extends Context, Where, Input, Output>(old: Old<In, Where, Input, Output>) {
  const { parse, once, run, respond, accessTo, ...data } = old
  return {
    summary: '',
    parameters: {},
    answers: {},
    ...data,
    ...(accessTo && { accessTo: accessTo as ReadRoute['accessTo'] & {} }),
    async parse(request: Request): Promise<ParsedRequest<In, Where>> {
      const input = await parse(request)
      return {
        once: once?.(input) ?? false,
        async run(context, where) {
          const output = await run(context, where, input, request.dialect)
          return place => respond(output, { place, request }, input)
        },
      }
    },
  }
}

export function oldReadRoute<Input, Output>(route: Old<Context, OpenDomain, Input, Output>): ReadRoute {
  return { opens: 'reader', ...closed(route) }
}
export function oldWriteRoute<Input, Output>(
  route: Old<WriteContext, OpenDomain, Input, Output>,
): WriteRoute {
  return { opens: 'writer', ...closed(route) }
}
