// Random programs of batches: links and attributes of several objects are written, deleted, listed and read, by callers
// of different permissions; a plain model of maps gives the same answers, and after each step holds the same.

import { HyperslabError } from '@hyperslab/base/errors'
import { parseDatatype } from '@hyperslab/model/datatype'
import { idFromHex, type ObjectReference, type Permission } from '@hyperslab/model/names'
import type { ListedAttribute, ListedLink } from '@hyperslab/store/store'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseGlob } from '../../packages/model/names/glob.ts'
import {
  deleteAttributes,
  listAttributes,
  type NewAttribute,
  putAttributes,
  readAttributes,
  readReachableAttributes,
} from '../../packages/server/service/attributes/attributes.ts'
import type { Context, OpenDomain, WriteContext } from '../../packages/server/service/context.ts'
import { createDataset } from '../../packages/server/service/creation/datasets.ts'
import { createGroup } from '../../packages/server/service/creation/groups.ts'
import {
  deleteLinks,
  type LinkRequest,
  listLinks,
  putLinks,
  readLinks,
  readReachableLinks,
} from '../../packages/server/service/links/links.ts'
import type { Listing } from '../../packages/server/service/listing.ts'
import type { MemberQuery, ObjectMembers } from '../../packages/server/service/objects/several.ts'
import { ADMIN, ANN, item, openTestService, REFERENCES, type TestService } from '../fixtures/service.ts'

type Kind = 'links' | 'attributes'

/**
 * The content of a name: of links, the target `#n` (a hard link to the n-th object) or a path; of attributes, a number.
 */
interface Member {
  readonly content: string
  readonly created: number
}

const NAMES = ['a', 'ab', 'abc', 'b', '10', '9', '__proto__', 'é', '😀', '\uffff'] as const
const PATTERNS = ['*', 'a*', 'ab*', '*b', 'a?', '[a-b]', '?', 'nosuch', 'a*c', '😀'] as const
/** Objects by their number: groups, a dataset, and one that is not there. Ann may do nothing with 2 and only read 3. */
const GROUPS = 5
const DATASET = 5
const UNKNOWN = 6
const FORBIDDEN: Readonly<Record<number, readonly Permission[]>> = {
  2: ['read', 'create', 'delete'],
  3: ['create', 'delete'],
}
const EPOCH = 1_600_000_000_000_000

// The model

class Model {
  readonly held = {
    links: Array.from({ length: 6 }, () => new Map<string, Member>()),
    attributes: Array.from({ length: 6 }, () => new Map<string, Member>()),
  }
  readonly deleted = {
    links: Array.from({ length: 6 }, () => new Map<string, Member>()),
    attributes: Array.from({ length: 6 }, () => new Map<string, Member>()),
  }

  require(kind: Kind, object: number, permission: Permission, isAdmin: boolean): void {
    const isThere = object < UNKNOWN && (kind === 'attributes' || object < GROUPS)
    if (isThere && !isAdmin && FORBIDDEN[object]?.includes(permission)) throw new Refused('permission-denied')
    if (!isThere) throw new Refused('object-not-found')
  }

  put(kind: Kind, step: Put, now: number): boolean {
    let changed = false
    for (const { object, items } of step.given) {
      this.require(kind, object, 'create', step.isAdmin)
      const times = new Set<number>()
      for (const [name, { content, created: given }] of new Map(items)) {
        const existing = this.held[kind][object].get(name)
        if (existing?.content === content) continue
        if (existing && !step.replace)
          throw new Refused(kind === 'links' ? 'link-exists' : 'attribute-exists')
        if (content === `#${UNKNOWN}`) throw new Refused('object-not-found')
        let created = given !== undefined && Math.abs(given - now) <= 300e6 ? given : now
        while (times.has(created)) created++
        if (!existing) times.add(created)
        this.held[kind][object].set(name, { content, created: existing?.created ?? created })
        this.deleted[kind][object].delete(name)
        changed = true
      }
    }
    return changed
  }

  delete(kind: Kind, { object, names, isAdmin }: Delete): void {
    this.require(kind, object, 'delete', isAdmin)
    for (const name of names) {
      const member = this.held[kind][object].get(name)
      this.held[kind][object].delete(name)
      if (member) this.deleted[kind][object].set(name, member)
      if (kind === 'attributes' && !this.deleted[kind][object].has(name)) {
        throw new Refused('attribute-not-found')
      }
    }
  }

  names(kind: Kind, object: number, { order, pattern, marker, limit }: ListingOf): string[] {
    const byName = (a: string, b: string) => Buffer.compare(Buffer.from(a), Buffer.from(b))
    const held = this.held[kind][object]
    const known = new Map([...this.deleted[kind][object], ...held])
    const created = (name: string) => known.get(name)?.created ?? 0
    const all = [...known.keys()].sort(byName)
    if (order === 'created') all.sort((a, b) => created(a) - created(b))
    const fits = expressionOf(pattern)
    const after = marker === undefined ? all : all.slice(all.indexOf(marker) + 1)
    return after.filter(name => held.has(name) && fits.test(name)).slice(0, limit)
  }

  list(kind: Kind, { object, listing, isAdmin }: List): string[] {
    this.require(kind, object, 'read', isAdmin)
    const { marker } = listing
    const isKnown = (name: string) =>
      this.held[kind][object].has(name) || this.deleted[kind][object].has(name)
    if (marker !== undefined && !isKnown(marker)) throw this.absent(kind)
    return this.names(kind, object, listing)
  }

  read(kind: Kind, { queries, listing, isAdmin }: Read): unknown[] {
    let left = listing.limit ?? Number.POSITIVE_INFINITY
    return queries.map(({ object, names }) => {
      this.require(kind, object, 'read', isAdmin)
      if (names.length === 0) {
        const page = this.names(kind, object, { ...listing, marker: undefined, limit: left })
        left -= page.length
        return [object, page]
      }
      for (const name of names) {
        if (this.held[kind][object].has(name)) continue
        const was = this.deleted[kind][object].has(name)
        throw was ? new Refused(kind === 'links' ? 'link-deleted' : 'attribute-deleted') : this.absent(kind)
      }
      return [object, names.filter(name => expressionOf(listing.pattern).test(name))]
    })
  }

  follow(kind: Kind, { starts, listing, isAdmin }: Follow): unknown[] {
    const reached = [...new Set(starts)]
    for (const object of reached) this.require(kind, object, 'read', isAdmin)
    for (const object of reached) {
      if (object >= GROUPS || !this.#mayRead(object, isAdmin)) continue
      for (const title of this.names('links', object, {})) {
        const target = Number(this.held.links[object].get(title)?.content.match(/^#(\d)$/)?.[1] ?? Number.NaN)
        const counts = target < GROUPS || (kind === 'attributes' && target === DATASET)
        if (counts && !reached.includes(target)) reached.push(target)
      }
    }
    let left = listing.limit ?? Number.POSITIVE_INFINITY
    const shown = kind === 'links' ? reached.filter(object => this.#mayRead(object, isAdmin)) : reached
    return shown.map(object => {
      if (!this.#mayRead(object, isAdmin)) return [object, 'permission-denied']
      const page = this.names(kind, object, { ...listing, marker: undefined, limit: left })
      left -= page.length
      return [object, page]
    })
  }

  #mayRead(object: number, isAdmin: boolean): boolean {
    return isAdmin || !FORBIDDEN[object]?.includes('read')
  }

  absent(kind: Kind): Refused {
    return new Refused(kind === 'links' ? 'link-not-found' : 'attribute-not-found')
  }
}

class Refused extends Error {}

/** Computed another way than `parseGlob` does. */
function expressionOf(pattern = '*'): RegExp {
  return new RegExp(`^${pattern.replaceAll('?', '.').replace('*', '.*')}$`, 'u')
}

// Programs

interface ListingOf {
  readonly order?: 'created' | undefined
  readonly pattern?: string | undefined
  readonly marker?: string | undefined
  readonly limit?: number | undefined
}
interface Content {
  readonly content: string
  readonly created?: number | undefined
}
interface By {
  readonly kind: Kind
  readonly isAdmin: boolean
}
interface Put extends By {
  readonly do: 'put'
  readonly replace: boolean
  readonly given: readonly {
    readonly object: number
    readonly items: readonly (readonly [string, Content])[]
  }[]
}
interface Delete extends By {
  readonly do: 'delete'
  readonly object: number
  readonly names: readonly string[]
}
interface List extends By {
  readonly do: 'list'
  readonly object: number
  readonly listing: ListingOf
}
interface Read extends By {
  readonly do: 'read'
  readonly queries: readonly { readonly object: number; readonly names: readonly string[] }[]
  readonly listing: ListingOf
}
interface Follow extends By {
  readonly do: 'follow'
  readonly starts: readonly number[]
  readonly listing: ListingOf
}
type Step = Put | Delete | List | Read | Follow

/** 0 leads to 1 and from there to 2, which Ann may not read, and behind it to 4; 3 is alone. */
const FIRST: Put = {
  do: 'put',
  kind: 'links',
  isAdmin: true,
  replace: false,
  given: [
    [0, '#1'],
    [1, '#2'],
    [2, '#4'],
    [1, `#${DATASET}`],
  ].map(([object, content]) => ({
    object: Number(object),
    items: [[`to ${content}`, { content: `${content}` }]],
  })),
}

/** Mostly one that is there. */
const OBJECT = fc.oneof({ weight: 12, arbitrary: fc.nat({ max: DATASET }) }, fc.constant(UNKNOWN))
const NAME = fc.constantFrom(...NAMES)
const SOME_NAMES = fc.array(NAME, { maxLength: 4 })
const LISTING = fc.record(
  {
    order: fc.constant('created' as const),
    pattern: fc.constantFrom(...PATTERNS),
    marker: NAME,
    limit: fc.integer({ min: 1, max: 8 }),
  },
  { requiredKeys: [] },
)
const BY = { isAdmin: fc.boolean() }
const CREATED = fc.constantFrom(undefined, undefined, EPOCH, EPOCH + 3, EPOCH + 250e6, EPOCH - 400e6)

function put(kind: Kind): fc.Arbitrary<Put> {
  const target = fc.oneof({ weight: 8, arbitrary: fc.nat({ max: DATASET }) }, fc.constant(UNKNOWN))
  const content =
    kind === 'links'
      ? fc.oneof(
          target.map(object => `#${object}`),
          fc.constantFrom('/x', '/y'),
        )
      : fc.constantFrom('1', '2', '3')
  const items = fc.array(fc.tuple(NAME, fc.record({ content, created: CREATED })), { maxLength: 6 })
  return fc.record({
    ...BY,
    do: fc.constant('put' as const),
    kind: fc.constant(kind),
    replace: fc.boolean(),
    given: fc.array(fc.record({ object: OBJECT, items }), { maxLength: 3 }),
  })
}

const KIND = fc.constantFrom<Kind>('links', 'attributes')
const STEP: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: put('links') },
  { weight: 2, arbitrary: put('attributes') },
  fc.record({ ...BY, do: fc.constant('delete' as const), kind: KIND, object: OBJECT, names: SOME_NAMES }),
  fc.record({ ...BY, do: fc.constant('list' as const), kind: KIND, object: OBJECT, listing: LISTING }),
  fc.record({
    ...BY,
    do: fc.constant('read' as const),
    kind: KIND,
    queries: fc.array(fc.record({ object: OBJECT, names: SOME_NAMES }), { maxLength: 3 }),
    listing: LISTING,
  }),
  fc.record({
    ...BY,
    do: fc.constant('follow' as const),
    kind: KIND,
    starts: fc.uniqueArray(fc.nat({ max: GROUPS - 1 }), { minLength: 1, maxLength: 2 }),
    listing: LISTING,
  }),
)

// The service

interface World {
  readonly service: TestService
  readonly objects: readonly ObjectReference[]
}

async function newWorld(): Promise<World> {
  const service = await openTestService()
  const I32 = { type: parseDatatype('H5T_STD_I32LE') }
  const objects = await service.writeIn(async (context, domain) => {
    const made: ObjectReference[] = [{ kind: 'group', id: domain.root.id }]
    for (let n = 1; n < GROUPS; n++) made.push((await createGroup(context, domain, {})).object)
    const dataset = { type: I32, space: { class: 'H5S_SCALAR' }, creationProperties: new Map() } as const
    made.push((await createDataset(context, domain, dataset)).object)
    made.push({ kind: 'group', id: idFromHex(`${domain.root.id.slice(0, 16)}${'0'.repeat(16)}`) })
    for (const [n, forbidden] of Object.entries(FORBIDDEN)) {
      const granted = (['read', 'create', 'delete'] as const).filter(flag => !forbidden.includes(flag))
      await context.writer.setAcl(made[Number(n)].id, [item('ann', ...granted)])
    }
    return made.map(({ kind, id }) => ({ kind, id }))
  }, ADMIN)
  return { service, objects }
}

function listingOf({ pattern, ...listing }: ListingOf): Listing {
  return { ...listing, unknownMarker: 'missing', ...(pattern && { pattern: parseGlob(pattern) }) }
}

/** The answer of the service, in the words of the model. */
async function run({ service, objects }: World, step: Step, times: { now?: number }): Promise<unknown> {
  const caller = step.isAdmin ? ADMIN : ANN
  const isLinks = step.kind === 'links'
  const number = (owner: ObjectReference) => objects.findIndex(({ id }) => id === owner.id)
  // A dataset has no links, so its id is sent as that of a group.
  const owner = (object: number): ObjectReference =>
    isLinks ? { kind: 'group', id: objects[object].id } : objects[object]
  const nameOf = (member: ListedLink | ListedAttribute) => ('title' in member ? member.title : member.name)
  const shown = (results: readonly ObjectMembers<ListedLink | ListedAttribute>[]) =>
    results.map(result => [
      number(result.owner),
      result.members instanceof HyperslabError ? result.members.code : result.members.map(nameOf),
    ])
  async function all<T>(iterable: Promise<AsyncIterable<T>>): Promise<readonly T[]> {
    const items: T[] = []
    for await (const item of await iterable) items.push(item)
    return items
  }
  const reading = <T>(work: (context: Context, domain: OpenDomain) => Promise<T>) =>
    service.readIn(work, caller)
  const writing = <T>(work: (context: WriteContext, domain: OpenDomain) => Promise<T>) =>
    service.writeIn((context, domain) => {
      times.now = context.now
      return work(context, domain)
    }, caller)
  switch (step.do) {
    case 'put': {
      const given = <T>(itemOf: (content: Content) => T) =>
        step.given.map(({ object, items }) => ({
          owner: owner(object),
          items: new Map(items.map(([name, content]) => [name, itemOf(content)])),
        }))
      const { replace } = step
      if (!isLinks)
        return writing((...at) =>
          putAttributes(
            ...at,
            given(one => attributeOf(one, replace)),
          ),
        )
      return writing((...at) =>
        putLinks(
          ...at,
          given(one => linkOf(one, objects)),
          { same: 'accept', replace },
        ),
      )
    }
    case 'delete': {
      const { names, object } = step
      return writing((...at) =>
        isLinks ? deleteLinks(...at, owner(object).id, names) : deleteAttributes(...at, owner(object), names),
      )
    }
    case 'list': {
      const listing = listingOf(step.listing)
      const members = await reading<readonly (ListedLink | ListedAttribute)[]>((...at) =>
        isLinks
          ? listLinks(...at, owner(step.object).id, listing)
          : listAttributes(...at, owner(step.object), listing),
      )
      return members.map(nameOf)
    }
    case 'read': {
      const queries: MemberQuery[] = step.queries.map(({ object, names }) => ({
        owner: owner(object),
        names,
      }))
      const listing = listingOf(step.listing)
      return shown(
        await reading<readonly ObjectMembers<ListedLink | ListedAttribute>[]>((...at) =>
          isLinks ? all(readLinks(...at, queries, listing)) : all(readAttributes(...at, queries)),
        ),
      )
    }
    case 'follow': {
      const starts = step.starts.map(owner)
      const listing = listingOf(step.listing)
      return shown(
        await reading<readonly ObjectMembers<ListedLink | ListedAttribute>[]>((...at) =>
          isLinks
            ? all(readReachableLinks(...at, starts, listing))
            : all(readReachableAttributes(...at, starts[0], listing)),
        ),
      )
    }
  }
}

function linkOf({ content, created }: Content, objects: readonly ObjectReference[]): LinkRequest {
  const target = content.startsWith('#') ? { id: objects[Number(content.slice(1))].id } : { h5path: content }
  return { ...target, ...(created !== undefined && { created }) }
}

function attributeOf({ content, created }: Content, replace: boolean): NewAttribute {
  return {
    type: { type: parseDatatype('H5T_STD_I32LE') },
    space: { class: 'H5S_SCALAR' },
    value: Number(content),
    references: REFERENCES,
    checkReferences: false,
    replace,
    same: 'accept',
    ...(created !== undefined && { created }),
  }
}

function expected(model: Model, step: Step, now = 0): unknown {
  switch (step.do) {
    case 'put':
      return model.put(step.kind, step, now)
    case 'delete':
      return model.delete(step.kind, step)
    case 'list':
      return model.list(step.kind, step)
    case 'read':
      return model.read(step.kind, step.kind === 'links' ? step : { ...step, listing: {} })
    case 'follow':
      return model.follow(
        step.kind,
        step.kind === 'links' ? step : { ...step, starts: step.starts.slice(0, 1) },
      )
  }
}

/** All that the objects hold, with its content and its time. */
function held(model: Model): unknown {
  return (['links', 'attributes'] as const).map(kind =>
    model.held[kind].map(members => new Map([...members].sort())),
  )
}

async function stored({ service, objects }: World): Promise<unknown> {
  const all: Map<string, Member>[][] = [[], []]
  await service.readIn(async ({ reader }) => {
    for (const { id } of objects.slice(0, UNKNOWN)) {
      const links: [string, Member][] = []
      for await (const { title, target, created } of reader.links(id)) {
        const content =
          target.class === 'H5L_TYPE_HARD'
            ? `#${objects.findIndex(object => object.id === target.id)}`
            : target.class === 'H5L_TYPE_SOFT'
              ? target.h5path
              : '?'
        links.push([title, { content, created }])
      }
      all[0].push(new Map(links.sort()))
      const attributes: [string, Member][] = []
      for await (const attribute of reader.attributes(id)) {
        const { name, created } = attribute
        const value = 'value' in attribute ? attribute.value : undefined
        attributes.push([
          name,
          { content: `${value && 'data' in value ? value.data[0] : undefined}`, created },
        ])
      }
      all[1].push(new Map(attributes.sort()))
      const { linkCount, attributeCount } = await reader.status(id)
      expect([linkCount, attributeCount]).toEqual([links.length, attributes.length])
    }
  }, ADMIN)
  return all
}

async function outcome(work: () => unknown): Promise<unknown> {
  try {
    return { answer: (await work()) ?? null }
  } catch (error) {
    if (error instanceof HyperslabError) return { refused: error.code }
    if (error instanceof Refused) return { refused: error.message }
    throw error
  }
}

it('batches of links and attributes do what a plain model of them does', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 25 }), async program => {
      const world = await newWorld()
      let model = new Model()
      for (const step of [FIRST, ...program]) {
        const times: { now?: number } = {}
        const actual = await outcome(() => run(world, step, times))
        // All or nothing: what a refused step has changed of the copy is forgotten.
        const after = structuredCloneOf(model)
        expect(actual).toEqual(await outcome(() => expected(after, step, times.now)))
        if ('answer' in (actual as object)) model = after
        expect(await stored(world)).toEqual(held(model))
      }
    }),
    { numRuns: 100 },
  )
})

function structuredCloneOf(model: Model): Model {
  const copy = new Model()
  for (const kind of ['links', 'attributes'] as const) {
    model.held[kind].forEach((members, n) => {
      for (const [name, member] of members) copy.held[kind][n].set(name, member)
      for (const [name, member] of model.deleted[kind][n]) copy.deleted[kind][n].set(name, member)
    })
  }
  return copy
}
