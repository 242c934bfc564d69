// A picture of an object or, for listings, of a domain: of the default plot of a NeXus file, else of the first dataset
// that says something: fields before lines, and no masks, axes or coordinates.

import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import {
  type Attributes,
  type FirstLook,
  firstLookOf,
  isCoordinate,
  LOOK_ATTRIBUTES,
} from '@hyperslab/meaning/meaning'
import { extentsOf, product } from '@hyperslab/model/dataset'
import { isBoolean } from '@hyperslab/model/datatype'
import type { ObjectId } from '@hyperslab/model/names'
import { isNumeric } from '@hyperslab/model/reduction'
import type { Dataset, HdfObject, ObjectStatus } from '@hyperslab/store/store'
import { hasPermission, requirePermission } from '../access/access.ts'
import { readKnownAttributes } from '../attributes/known-attributes.ts'
import type { Context, OpenDomain } from '../context.ts'
import { ALL_LINKS, type LocatedObject, locateAll, resultOrError } from '../links/paths.ts'
import { openObject } from '../objects/objects.ts'
import { SELECT_ALL } from '../selection/request.ts'
import { findDefaultPlot } from './default-plot.ts'
import {
  drawnDataset,
  elementsIn,
  middleOf,
  type PictureField,
  type PictureLine,
  type PictureRequest,
  readPicture,
} from './picture.ts'
import { readRadarAttributes } from './radar.ts'

/**
 * The most links that are read for a picture: hard links, and links of other classes that are skipped.
 * @limit safety, objects
 */
const MAX_OBJECTS = 1000
/** Links other than hard links that are passed over for a picture. @limit safety, links */
const MAX_PASSED = 10_000
/** Elements of a dataset that are read for the picture of a domain: those that are stored. @limit safety, elements */
const MAX_ELEMENTS = 2 ** 24
/**
 * Datasets that are read for the picture of a domain, and then say nothing; and lines that are kept until then.
 * @limit safety, datasets
 */
const MAX_TRIED = 4

/** A picture, and the dataset that it shows. */
export interface Thumbnail {
  readonly dataset: Dataset
  readonly status: ObjectStatus
  /** Absent: no attribute has said anything. */
  readonly look?: FirstLook
  /** Attributes that groups around the dataset give it. */
  readonly around?: Attributes | undefined
  /** Absent: the client has it already. */
  readonly picture?: PictureField | PictureLine
}

/** Whether the client has the picture of the dataset in this state. */
export type IsKnown = (
  dataset: Dataset,
  status: ObjectStatus,
  look: FirstLook | undefined,
  around: Attributes | undefined,
) => boolean

/** The object that a picture is asked of. */
export type Subject = { readonly id: ObjectId } | { readonly path: string }

/** Undefined: it has no elements. Needs the permission to read the dataset, and the groups of its path. */
export async function readObjectPicture(
  context: Context,
  domain: OpenDomain,
  subject: Subject,
  request: PictureRequest,
  isKnown: IsKnown,
): Promise<Thumbnail | undefined> {
  const found = await datasetOf(context, domain, subject)
  const around = 'path' in subject ? await readRadarAttributes(context, domain, subject.path) : undefined
  return thumbnailOf(context, found, { ...request, around }, isKnown)
}

async function datasetOf(
  context: Context,
  domain: OpenDomain,
  subject: Subject,
): Promise<LocatedObject<Dataset>> {
  if ('id' in subject)
    return { domain, object: await openObject(context, domain, 'dataset', subject.id, 'read') }
  const located = await locateAll(context, domain, [subject.path], { following: ALL_LINKS })
  const [found] = located.values()
  const { object } = found
  if (object.kind === 'dataset') return { ...found, object }
  const message = `h5path=${subject.path} leads to a ${object.kind}: a picture shows a dataset`
  throw new HyperslabError('object-not-found', message)
}

/**
 * The picture of a domain. Undefined: no dataset in it says anything, or none that the caller may read. Needs the
 * permission to read the root group.
 */
export async function readThumbnail(
  context: Context,
  domain: OpenDomain,
  request: PictureRequest,
  isKnown: IsKnown,
): Promise<Thumbnail | undefined> {
  requirePermission(context, 'read', domain)
  const plot = await findDefaultPlot(context, domain)
  // The picture shows the same as the page, or there is none.
  if (plot) {
    const { object } = plot.signal
    if (!isShowable(object)) return undefined
    const look = await lookAt(context, object, plot.group)
    if (!(await isQuickToRead(context, object, look))) return undefined
    return thumbnailOf(context, { ...plot.signal, object }, { ...request, look }, isKnown)
  }
  return (await chooseDataset(context, domain, request, isKnown)).chosen?.thumbnail
}

/**
 * The most datasets that a list names: people choose one of them.
 * @limit memory, datasets
 */
const MAX_LISTED = 24

/**
 * Paths of datasets to look at first: that of the picture of the domain, and others. None if attributes lead to a
 * default plot. Needs the permission to read the root group.
 */
export async function listFirstDatasets(context: Context, domain: OpenDomain): Promise<readonly string[]> {
  requirePermission(context, 'read', domain)
  if (await findDefaultPlot(context, domain)) return []
  const { chosen, dull } = await chooseDataset(context, domain, { selection: SELECT_ALL }, () => false)
  const paths = new Set(chosen && [chosen.path])
  for await (const { path } of candidates(context, domain, true)) {
    if (!dull.has(path)) paths.add(path)
    if (paths.size === MAX_LISTED) break
  }
  return [...paths]
}

interface Chosen {
  readonly path: string
  readonly thumbnail: Thumbnail
}

/** The dataset for the picture of a domain without a default plot, and the paths of those that say nothing. */
async function chooseDataset(
  context: Context,
  domain: OpenDomain,
  request: PictureRequest,
  isKnown: IsKnown,
): Promise<{ readonly chosen: Chosen | undefined; readonly dull: ReadonlySet<string> }> {
  const dull = new Set<string>()
  let tried = 0
  let slope: Chosen | undefined
  for await (const { path, ...candidate } of candidates(context, domain)) {
    const around = await readRadarAttributes(context, domain, path)
    const thumbnail = await resultOrError(thumbnailOf(context, candidate, { ...request, around }, isKnown))
    if (thumbnail && !(thumbnail instanceof HyperslabError)) {
      const content = thumbnail.picture ? contentOf(thumbnail.picture) : 'something'
      if (content === 'something') return { chosen: { path, thumbnail }, dull }
      // A line that only rises or only falls may be an axis without a mark: others are better.
      if (content === 'slope') slope ??= { path, thumbnail }
    }
    // Values that cannot be read say nothing either.
    dull.add(path)
    if (++tried === MAX_TRIED) break
  }
  return { chosen: slope, dull }
}

async function thumbnailOf(
  context: Context,
  { domain, object: dataset }: LocatedObject<Dataset>,
  request: PictureRequest,
  isKnown: IsKnown,
): Promise<Thumbnail | undefined> {
  const status = await context.reader.status(dataset.id)
  const look = request.look ?? (await lookAtPlanes(context, dataset, request))
  const { around } = request
  const known = { dataset, status, around, ...(look && { look }) }
  if (isKnown(dataset, status, look, around)) return known
  const picture = await readPicture(context, domain, dataset, { ...request, look })
  return picture && { ...known, picture }
}

/** The look at an image whose colours are not its last dimension, as attributes say; undefined: they do not. */
async function lookAtPlanes(
  context: Context,
  dataset: Dataset,
  { selection }: PictureRequest,
): Promise<FirstLook | undefined> {
  const rank = extentsOf(dataset.space).length
  if (selection.kind !== 'all' || rank < 3) return undefined
  const look = await lookAt(context, dataset, undefined)
  return look.kind === 'colours' && look.colours !== rank - 1 ? look : undefined
}

/** The look at the default plot, which the page has, too. */
async function lookAt(
  context: Context,
  { id, type, space }: Dataset,
  group: LocatedObject | undefined,
): Promise<FirstLook> {
  const [attributes, ofGroup] = await Promise.all([
    readKnownAttributes(context, id, LOOK_ATTRIBUTES.dataset),
    group ? readKnownAttributes(context, group.object.id, LOOK_ATTRIBUTES.group) : new Map(),
  ])
  return firstLookOf(drawnDataset(type, extentsOf(space)), attributes, ofGroup)
}

interface Candidate extends LocatedObject<Dataset> {
  readonly path: string
}

/**
 * Datasets to show: fields of two dimensions, in groups near the root first and by the names of links; then lines;
 * then, if they are asked for, those that take long to read.
 */
async function* candidates(
  context: Context,
  domain: OpenDomain,
  withSlow = false,
): AsyncGenerator<Candidate> {
  const [lines, slow]: Candidate[][] = [[], []]
  for await (const { group, title, path, object } of objectsBelow(context, domain)) {
    if (!isShowable(object) || isBoolean(object.type)) continue
    const isLine = middleOf(object).extents.length === 1
    const most = withSlow ? MAX_LISTED : MAX_TRIED
    if (isLine && lines.length === most) continue
    const isQuick = await isQuickToRead(context, object)
    if (!isQuick && (!withSlow || slow.length === most || !(await hasValues(context, object)))) continue
    const ofDataset = (names: readonly string[]) => readKnownAttributes(context, object.id, names)
    const ofGroup = (names: readonly string[]) => readKnownAttributes(context, group, names)
    if (await isCoordinate(title, ofDataset, ofGroup)) continue
    const candidate = { domain, object, path }
    if (!isQuick) slow.push(candidate)
    else if (isLine) lines.push(candidate)
    else yield candidate
  }
  yield* lines
  yield* slow
}

interface FoundObject {
  readonly group: ObjectId
  readonly title: string
  readonly path: string
  readonly object: HdfObject
}

/** Objects that the caller may read, as far as hard links lead to them. */
async function* objectsBelow(context: Context, domain: OpenDomain): AsyncGenerator<FoundObject> {
  const { reader } = context
  const groups = new Map([[domain.root.id, '']])
  let [count, passed] = [0, 0]
  for (const [group, above] of groups) {
    context.signal.throwIfAborted()
    for await (const { target, title } of reader.links(group)) {
      if (isTurnOver()) await nextTurn()
      if (target.class !== 'H5L_TYPE_HARD') {
        if (++passed > MAX_PASSED) return
        continue
      }
      if (++count > MAX_OBJECTS) return
      const object = await reader.object(target.id)
      if (!object || !hasPermission(context, 'read', domain, object)) continue
      const path = `${above}/${title}`
      if (object.kind === 'group' && !groups.has(object.id)) groups.set(object.id, path)
      yield { group, title, path, object }
    }
  }
}

/** Numbers of which a picture shows at least two. */
function isShowable(object: HdfObject): object is Dataset {
  if (object.kind !== 'dataset' || object.unreadable !== undefined) return false
  if (!isNumeric(object.type) || object.space.class !== 'H5S_SIMPLE') return false
  const { extents } = middleOf(object)
  return extents.length > 0 && !extents.includes(0)
}

/** Whether some values are stored: elements that were never written have one colour. */
async function hasValues({ reader }: Context, { id }: Dataset): Promise<boolean> {
  return (await reader.allocation(id)).chunks > 0
}

/** Whether some values are stored, and few enough are read. */
async function isQuickToRead({ reader }: Context, dataset: Dataset, look?: FirstLook): Promise<boolean> {
  const { chunks } = await reader.allocation(dataset.id)
  if (chunks === 0) return false
  return Math.min(product(middleOf(dataset, look).extents), elementsIn(dataset, chunks)) <= MAX_ELEMENTS
}

/**
 * The content of a picture: `nothing` if all numbers are the same or lie at equal distances, as those of an axis do; a
 * line that only rises or only falls is a `slope`.
 */
function contentOf(picture: PictureField | PictureLine): 'nothing' | 'slope' | 'something' {
  if (picture.kind !== 'line') return isFlat(picture.numbers) ? 'nothing' : 'something'
  const { low, high } = picture
  if (isFlat(low) && isFlat(high)) return 'nothing'
  let [rises, falls, least, most] = [true, true, Number.POSITIVE_INFINITY, 0]
  for (let i = 1; i < low.length; i++) {
    rises &&= low[i] > high[i - 1]
    falls &&= high[i] < low[i - 1]
    const step = Math.abs(rises ? low[i] - low[i - 1] : high[i] - high[i - 1])
    least = Math.min(least, step)
    most = Math.max(most, step)
  }
  if (!rises && !falls) return 'something'
  return most - least <= EVEN * most ? 'nothing' : 'slope'
}

/** Distances that differ by less than this part of them are equal: numbers are rounded. */
const EVEN = 1e-3

function isFlat(numbers: Float64Array): boolean {
  const first = numbers.find(Number.isFinite)
  return first === undefined || numbers.every(number => number === first || Number.isNaN(number))
}
