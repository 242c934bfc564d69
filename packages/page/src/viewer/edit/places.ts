// Places of a domain that a user edits: an attribute, a link, the value of an element. Each has a state, which is
// replaced only while it is the one that the user has seen: the service compares the tag of what was read just before
// (docs/decisions/121). So nothing that somebody else has written meanwhile is ever overwritten.

import { RequestError } from '@hyperslab/client'
import type { Contents } from '../data/contents.ts'

/** Undefined: there is nothing. */
export interface Place<State> {
  /** The state, and the tag that a write must name. */
  readonly read: () => Promise<{ readonly state: State | undefined; readonly tag: string | undefined }>
  readonly write: (state: State | undefined, condition: Readonly<Record<string, string>>) => Promise<unknown>
}

/** Somebody else has changed the place since it was read. */
export class ChangedMeanwhile<State> extends Error {
  readonly state: State | undefined

  constructor(state: State | undefined) {
    super(
      state === undefined
        ? 'It has been deleted elsewhere meanwhile. Nothing was done.'
        : 'It has been changed elsewhere meanwhile. Nothing was overwritten.',
    )
    this.name = 'ChangedMeanwhile'
    this.state = state
  }
}

/** Tags also change when something beside the place does: so often it is read again. */
const ATTEMPTS = 5

/** Rejects with `ChangedMeanwhile`, and changes nothing, if the state is not `from` any more. */
export async function replaceState<State>(
  place: Place<State>,
  from: State | undefined,
  to: State | undefined,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const { state, tag } = await place.read()
    if (!areSame(state, from)) throw new ChangedMeanwhile(state)
    try {
      await place.write(to, tag === undefined ? { 'if-none-match': '*' } : { 'if-match': tag })
      return
    } catch (error) {
      if (!(error instanceof RequestError && error.status === 412)) throw error
    }
  }
  throw new Error('It changes all the time. Nothing was overwritten: try again.')
}

/** Two states are the same if they have the same members, in any order. */
export function areSame(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other)
}

function canonical(state: unknown): string | undefined {
  return JSON.stringify(state, (_, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

type Source = Pick<Contents, 'client' | 'domain'>

/** An attribute as the service describes it, to be put back as it was. */
export interface AttributeState {
  readonly type: unknown
  readonly shape: { readonly class: string; readonly dims?: readonly number[] }
  readonly value?: unknown
  readonly encoding?: 'base64' | undefined
}

export interface AttributeOwner {
  readonly kind: 'group' | 'dataset' | 'datatype'
  readonly id: string
}

export function attributePlace(
  { client, domain }: Source,
  { kind, id }: AttributeOwner,
  name: string,
): Place<AttributeState> {
  const at = { id, name, domain: domain.pathOf(id) }
  const get = `GET /${kind}s/{id}/attributes/{name}` as const
  return {
    read: () =>
      unlessMissing(async () => {
        // The tag is the older one of the two: what was changed between them is not overwritten.
        const { headers } = await client.open(get, at)
        const { type, shape, value, encoding } = (await client.request(get, {
          ...at,
          encoding: 'base64',
        })) as never as AttributeState
        return { state: { type, shape, value, encoding }, tag: headers.get('etag') ?? undefined }
      }),
    write: (state, headers) =>
      state === undefined
        ? client.request(`DELETE /${kind}s/{id}/attributes/{name}`, at, { headers })
        : client.request(
            `PUT /${kind}s/{id}/attributes/{name}`,
            { ...at, replace: 1 },
            // The description is a body, too, but for a committed datatype, which is named.
            {
              body: { ...state, type: (state.type as { readonly id?: string }).id ?? state.type } as never,
              headers,
            },
          ),
  }
}

/** A link, without its title. */
export interface LinkState {
  readonly class: string
  readonly id?: string
  readonly h5path?: string
  readonly h5domain?: string
  readonly file?: string
}

export function linkPlace({ client, domain }: Source, group: string, title: string): Place<LinkState> {
  const at = { id: group, title, domain: domain.pathOf(group) }
  return {
    read: () =>
      unlessMissing(async () => {
        const response = await client.open('GET /groups/{id}/links/{title}', at)
        const { link } = (await response.json()) as {
          readonly link: LinkState & Readonly<Record<string, unknown>>
        }
        const { title: _, collection: __, ...state } = link
        return { state, tag: response.headers.get('etag') ?? undefined }
      }),
    write: (state, headers) =>
      state === undefined
        ? client.request('DELETE /groups/{id}/links/{title}', at, { headers })
        : client.request('PUT /groups/{id}/links/{title}', at, { body: { ...state }, headers }),
  }
}

/** Where the bytes of a value are in the elements that one request reads. */
export interface ValueTarget {
  readonly dataset: string
  /** Undefined: a scalar. */
  readonly select?: string | undefined
  /** Of a compound: the member. */
  readonly fields?: string | undefined
  /** Of a member: the bytes of a value in it; undefined: all of them. */
  readonly bytes?: { readonly offset: number; readonly size: number } | undefined
}

const OCTETS = { accept: 'application/octet-stream' }

/** The bytes of one value, as a list of numbers. */
export function valuePlace({ client, domain }: Source, target: ValueTarget): Place<readonly number[]> {
  const { dataset: id, select, fields, bytes: place } = target
  const at = { id, domain: domain.pathOf(id), select, fields }
  let whole: readonly number[] = []
  return {
    read: async () => {
      const response = await client.open('GET /datasets/{id}/value', at, { headers: OCTETS })
      whole = [...new Uint8Array(await response.arrayBuffer())]
      const state = place ? whole.slice(place.offset, place.offset + place.size) : whole
      return { state, tag: response.headers.get('etag') ?? undefined }
    },
    write: (state = [], condition) => {
      const body = Uint8Array.from(
        place
          ? [...whole.slice(0, place.offset), ...state, ...whole.slice(place.offset + place.size)]
          : state,
      )
      // The service compares the tag of the form that these headers ask for.
      return client.request('PUT /datasets/{id}/value', at, { body, headers: { ...condition, ...OCTETS } })
    },
  }
}

async function unlessMissing<T>(read: () => Promise<T>) {
  try {
    return await read()
  } catch (error) {
    if (error instanceof RequestError && (error.status === 404 || error.status === 410))
      return { state: undefined, tag: undefined }
    throw error
  }
}
