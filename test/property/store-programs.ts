// Random programs for the store: operations by numbers that are taken modulo what there is to choose from, so that
// every program makes sense whatever it is cut down to.

import type { Filter } from '@hyperslab/model/dataset'
import { childOf, type DomainPath, type ObjectId, ObjectIds, parseDomainPath } from '@hyperslab/model/names'
import { type Hyperslab, type Selection, selectionCount } from '@hyperslab/model/selection'
import type { Elements } from '@hyperslab/model/values'
import type { Dataset, HdfObject, Link, Writer } from '@hyperslab/store/store'
import fc from 'fast-check'
import { expect } from 'vitest'
import {
  attribute,
  dataset,
  domain,
  group,
  hardLink,
  INT32,
  inPieces,
  int32s,
  oneFor,
  SHUFFLE_DEFLATE,
  softLink,
  TEXT,
  texts,
} from '../conformance/sample-objects.ts'
import { seededRandom } from '../engines/clock.ts'
import { extents, type StoreModel, type Value } from './store-model.ts'

export const NAMES = ['a', '10', '__proto__', '\uffff', '😀', 'long'.repeat(300), `${'long'.repeat(300)}er`]
/** Objects of each domain, the root among them. */
const OBJECTS = 5

/** Numbers that are taken modulo what there is to choose from, so that every program makes sense. */
interface DomainOperation {
  readonly op: 'putDomain' | 'deleteDomain'
  readonly path: number
  readonly root: number
}
type ObjectOperation =
  | { readonly op: 'create'; readonly object: number; readonly kind: number; readonly shape: number }
  | { readonly op: 'delete'; readonly object: number; readonly links: boolean }
  | { readonly op: 'putLink'; readonly object: number; readonly name: number; readonly target: number }
  | {
      readonly op: 'deleteLink' | 'deleteAttribute' | 'setAcl'
      readonly object: number
      readonly name: number
    }
  | { readonly op: 'putAttribute'; readonly object: number; readonly name: number; readonly length: number }
  | { readonly op: 'setExtents'; readonly object: number; readonly dims: readonly number[] }
  | {
      readonly op: 'writeValues'
      readonly object: number
      readonly box: readonly number[]
      readonly piece: number
    }
  | {
      readonly op: 'writePoints'
      readonly object: number
      readonly points: readonly number[]
      readonly piece: number
    }

type Operation = DomainOperation | ObjectOperation

export interface Step {
  readonly operations: readonly Operation[]
  /** The work throws in the end. */
  readonly fails: boolean
  /** Choose a page to look at. */
  readonly marker: number
  readonly limit: number
}

const nat = fc.nat(999)
const onDomains: fc.Arbitrary<Operation> = fc.record({
  op: fc.constantFrom('putDomain', 'deleteDomain'),
  path: nat,
  root: nat,
})
const onObjects: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ op: fc.constant('create'), object: nat, kind: nat, shape: nat }),
  fc.record({ op: fc.constant('delete'), object: nat, links: fc.boolean() }),
)
const onMembers: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ op: fc.constant('putLink'), object: nat, name: nat, target: nat }),
  fc.record({ op: fc.constantFrom('deleteLink', 'deleteAttribute', 'setAcl'), object: nat, name: nat }),
  fc.record({ op: fc.constant('putAttribute'), object: nat, name: nat, length: fc.nat(3) }),
)
const onValues = (object: fc.Arbitrary<number>): fc.Arbitrary<Operation> =>
  fc.oneof(
    fc.record({
      op: fc.constant('setExtents'),
      object,
      dims: fc.array(fc.nat(9), { minLength: 3, maxLength: 3 }),
    }),
    fc.record({
      op: fc.constant('writeValues'),
      object,
      box: fc.array(fc.nat(9), { minLength: 9, maxLength: 9 }),
      piece: fc.integer({ min: 0, max: 40 }),
    }),
    fc.record({
      op: fc.constant('writePoints'),
      object,
      points: fc.array(fc.nat(99), { maxLength: 30 }),
      piece: fc.integer({ min: 0, max: 9 }),
    }),
  )

function programOf(
  operation: fc.Arbitrary<Operation>,
  kind: fc.Arbitrary<number>,
): fc.Arbitrary<readonly Step[]> {
  const first = fc.array(fc.tuple(kind, nat), { minLength: 2 * OBJECTS, maxLength: 2 * OBJECTS })
  const step: fc.Arbitrary<Step> = fc.record({
    operations: fc.array(operation, { minLength: 1, maxLength: 6, size: 'max' }),
    fails: fc.nat(5).map(chance => chance === 0),
    marker: nat,
    limit: fc.nat(4),
  })
  return fc.tuple(first, fc.array(step, { maxLength: 12, size: 'max' })).map(([kinds, steps]) => {
    const operations = kinds.map(([kind, shape], object) => ({ op: 'create', object, kind, shape }) as const)
    return [{ operations, fails: false, marker: 0, limit: 0 }, ...steps]
  })
}

/** The objects that are created first exist for all later steps. The second kind is about a few datasets only. */
export const program: fc.Arbitrary<readonly Step[]> = fc.oneof(
  programOf(
    fc.oneof(
      { weight: 1, arbitrary: onDomains },
      { weight: 4, arbitrary: onObjects },
      { weight: 9, arbitrary: onMembers },
      { weight: 2, arbitrary: onValues(nat) },
    ),
    nat,
  ),
  programOf(onValues(fc.nat(2)), fc.integer({ min: 2, max: 3 })),
)

const SHAPES: readonly {
  readonly dims: readonly number[]
  readonly chunkDims: readonly number[]
  readonly fill: number
  readonly filters?: readonly Filter[]
}[] = [
  { dims: [], chunkDims: [], fill: 0 },
  { dims: [7], chunkDims: [3], fill: -1 },
  { dims: [4, 6], chunkDims: [3, 4], fill: 0 },
  { dims: [5, 5], chunkDims: [2, 9], fill: -1 },
  { dims: [5, 6], chunkDims: [2, 4], fill: -1, filters: SHUFFLE_DEFLATE },
  { dims: [3, 2, 4], chunkDims: [2, 1, 3], fill: 0 },
  { dims: [0, 3], chunkDims: [1, 2], fill: -1, filters: SHUFFLE_DEFLATE },
]

/** The objects that a program can name. */
export interface World {
  readonly paths: readonly DomainPath[]
  readonly roots: readonly ObjectId[]
  readonly ids: readonly ObjectId[]
  /** The folder of the paths. */
  readonly folder: DomainPath
}

export function newWorld(run: number): World {
  const random = seededRandom(run)
  const roots = [new ObjectIds(random).newRoot(), new ObjectIds(random).newRoot()]
  const ids = roots.flatMap(root => [
    root,
    ...Array.from({ length: OBJECTS - 1 }, () => new ObjectIds(random).newObject(root)),
  ])
  const folder = parseDomainPath(`/run${run}`)
  const paths = ['x', 'y', 'x.z', '😀'].map(name => childOf(folder, name))
  return { folder, paths, roots, ids }
}

export function pick<T>(items: readonly T[], number: number): T {
  return items[number % items.length]
}

function newObject(id: ObjectId, kind: number, shape: number, created: number): HdfObject {
  if (kind % 4 === 0) return { ...group(id), created }
  if (kind % 4 === 1) return { kind: 'datatype', id, created, acl: [], type: TEXT }
  const { dims, chunkDims, fill, filters = [] } = pick(SHAPES, shape)
  const type = kind % 4 === 2 ? INT32 : TEXT
  const fillValue = type === TEXT ? texts([`fill${fill}`]) : int32s([fill])
  const maxdims = dims.map(() => 'H5S_UNLIMITED' as const)
  return { ...dataset(id, { type, dims, maxdims, chunkDims, filters, ...(fill && { fillValue }) }), created }
}

export function fillOf({ type, creationProperties: { fillValue } }: Dataset): Value {
  if (type === TEXT || type.class === 'H5T_STRING') return fillValue ? 'fill-1' : ''
  return fillValue ? -1 : 0
}

/** Per dimension: any start, stride and count that fit. */
export function boxIn(dims: readonly number[], numbers: readonly number[]): Hyperslab {
  const start = dims.map((extent, d) => (extent === 0 ? 0 : numbers[3 * d] % extent))
  const stride = dims.map((_, d) => 1 + (numbers[3 * d + 1] % 3))
  const count = dims.map((extent, d) => {
    const most = Math.ceil((extent - start[d]) / stride[d])
    return most === 0 ? 0 : numbers[3 * d + 2] % (most + 1)
  })
  return { kind: 'hyperslab', start, stride, count, block: dims.map(() => 1) }
}

/** Points, or lists among boxes. */
function selectionIn(dims: readonly number[], numbers: readonly number[]): Selection {
  return numbers.length % 2 === 0 ? pointsIn(dims, numbers) : listsIn(dims, numbers)
}

export function pointsIn(dims: readonly number[], numbers: readonly number[]): Selection {
  const isEmpty = dims.length === 0 || dims.includes(0)
  const coordinates = isEmpty
    ? []
    : numbers.flatMap(number => dims.map((extent, d) => (number * (d + 7)) % extent))
  return { kind: 'points', rank: Math.max(1, dims.length), coordinates: Float64Array.from(coordinates) }
}

/** Lists in every second dimension, boxes in the others; no lists where there is nothing that they could name. */
export function listsIn(dims: readonly number[], numbers: readonly number[]): Selection {
  if (dims.length === 0 || dims.includes(0)) return pointsIn(dims, numbers)
  const listed = dims.flatMap((_, d) => (d % 2 === 0 ? [d] : []))
  const coordinates = numbers.flatMap(number => listed.map(d => (number * (d + 7)) % dims[d]))
  const others = dims.filter((_, d) => d % 2 === 1)
  const rest = boxIn(others, [...numbers, ...others.flatMap(() => [1, 2, 3])])
  return { kind: 'lists', listed, coordinates: Float64Array.from(coordinates), rest }
}

/** Does the same on the model and, later, on a writer; undefined when there is nothing to do. */
export type Work = (writer: Writer) => Promise<unknown>

let time = 1000

export function apply(model: StoreModel, world: World, operation: Operation): Work | undefined {
  if ('path' in operation) {
    const path = pick(world.paths, operation.path)
    if (operation.op === 'deleteDomain') {
      model.deleteDomain(path)
      return writer => writer.deleteDomain(path)
    }
    const entry = { ...domain(path, [...world.roots, undefined][operation.root % 3]), lastModified: time++ }
    model.putDomain(entry)
    return writer => writer.putDomain(entry)
  }
  return applyToObject(model, pick(world.ids, operation.object), world, operation)
}

function applyToObject(
  model: StoreModel,
  id: ObjectId,
  world: World,
  operation: ObjectOperation,
): Work | undefined {
  const object = model.object(id)
  if (operation.op === 'create') {
    if (object) return undefined
    const created = newObject(id, operation.kind, operation.shape, time++)
    model.createObject(created)
    return writer => writer.createObject(created)
  }
  if (!object) return undefined
  switch (operation.op) {
    case 'delete':
      model.deleteObject(id, operation)
      return writer => writer.deleteObject(id, operation)
    case 'setAcl': {
      const permissions = {
        create: true,
        read: true,
        update: true,
        delete: true,
        readACL: true,
        updateACL: true,
      }
      const acl = [{ userName: pick(NAMES, operation.name), ...permissions }]
      model.setAcl(id, acl)
      return writer => writer.setAcl(id, acl)
    }
    case 'putLink': {
      if (object.kind !== 'group') return undefined
      const link = newLink(model, world, id, operation)
      model.putLink(id, link)
      return writer => writer.putLinks(id, link)
    }
    case 'deleteLink': {
      const title = pick(NAMES, operation.name)
      const expected = model.deleteLink(id, title)
      return async writer => expect(await writer.deleteLink(id, title)).toBe(expected)
    }
    case 'putAttribute': {
      const added = attribute(pick(NAMES, operation.name), new Array(operation.length).fill(time), time++)
      model.putAttribute(id, added)
      return writer => writer.putAttributes(id, added)
    }
    case 'deleteAttribute': {
      const name = pick(NAMES, operation.name)
      const expected = model.deleteAttribute(id, name)
      return async writer => expect(await writer.deleteAttribute(id, name)).toBe(expected)
    }
    case 'setExtents': {
      if (object.kind !== 'dataset' || extents(object).length === 0) return undefined
      const dims = operation.dims.slice(0, extents(object).length)
      model.setExtents(object, dims)
      return writer => writer.setExtents(object, dims)
    }
    case 'writeValues':
      if (object.kind !== 'dataset') return undefined
      return applyValues(model, object, boxIn(extents(object), operation.box), operation.piece)
    case 'writePoints':
      if (object.kind !== 'dataset') return undefined
      return applyValues(model, object, selectionIn(extents(object), operation.points), operation.piece)
  }
}

function newLink(
  model: StoreModel,
  world: World,
  group: ObjectId,
  { name, target }: { name: number; target: number },
): Link {
  const title = pick(NAMES, name)
  const id = pick(world.ids, target)
  const object = model.object(id)
  const isNear = id.slice(0, 16) === group.slice(0, 16)
  return object && isNear ? hardLink(title, id, time++, object.kind) : softLink(title, time++)
}

/** With pieces of length 0 one value for all of them. */
function applyValues(model: StoreModel, into: Dataset, selection: Selection, piece: number): Work {
  const count = selectionCount(selection)
  const isText = into.type.class === 'H5T_STRING'
  if (piece === 0) {
    const value = isText ? `v${time++}` : time++
    model.writeValues(into.id, selection, new Array(count).fill(value))
    const element = isText ? texts([`${value}`]) : int32s([Number(value)])
    return writer => writer.writeValues(into, selection, oneFor(count, element))
  }
  const values = Array.from({ length: count }, () => (isText ? `v${time++}`.repeat(time % 5) : time++))
  model.writeValues(into.id, selection, values)
  const elements: Elements = isText ? texts(values.map(String)) : int32s(values.map(Number))
  return writer => writer.writeValues(into, selection, inPieces(elements, piece))
}
