// Pixels of a detector that measure nothing, as NeXus has them beside its images: `pixel_mask`, of which each number
// but 0 is a bad pixel, and `saturation_value`, from which on a number says nothing.

import { numberForm } from '@hyperslab/client/elements'
import { type Contents, childPath, type Entity, pathsTo, type StoredShape, textOf } from '../data/contents.ts'

export interface Detector {
  /** Its extents are those of the last dimensions of the image; undefined: there is none. */
  readonly mask: StoredShape | undefined
  /** Numbers from this one on are bad; undefined: no number is. */
  readonly saturation: number | undefined
}

/** A detector of which only the greatest number of its type is known. */
const UNKNOWN: Detector = { mask: undefined, saturation: undefined }

/** Members of an instrument that are looked at. @limit safety, members */
const MAX_MEMBERS = 64

/** Undefined: the dataset is no image of a detector. */
export async function detectorOf(
  { contents, path }: { readonly contents: Contents; readonly path: string },
  { id, type, shape = [] }: Pick<StoredShape, 'id' | 'type' | 'shape'>,
): Promise<Detector | undefined> {
  const form = numberForm(type)
  if (shape.length < 2 || form === undefined || type.class === 'H5T_ENUM') return undefined
  const [own, parent, ...higher] = (await atAll(contents, [...pathsTo(path), path])).toReversed()
  const above = parent ? [parent, ...higher] : []
  const entry = above.find(group => isOf(group, 'NXentry') || isOf(group, 'NXsubentry'))
  const others = entry ? await detectorsIn(contents, entry) : []
  const isInside = parent !== undefined && isOf(parent, 'NXdetector')
  const found = await Promise.all((isInside ? [parent] : others).map(group => readDetector(contents, group)))
  const fits = ({ mask }: Detector) => mask !== undefined && isEnd(mask.shape ?? [], shape)
  const isOfDectris = own?.attributes.has('image_nr_low')
  const detector = found.find(fits) ?? (isInside ? found[0] : isOfDectris ? UNKNOWN : undefined)
  if (detector === undefined || detector.mask?.id === id) return undefined
  // The greatest number of its type marks pixels too. One byte is a grey.
  const greatest = form.kind === 'unsigned' && form.size > 1 ? 2 ** (8 * form.size) - 1 : undefined
  const limits = [detector.saturation, greatest].filter(limit => limit !== undefined)
  return {
    mask: fits(detector) ? detector.mask : undefined,
    saturation: limits.length > 0 ? Math.min(...limits) : undefined,
  }
}

async function detectorsIn(contents: Contents, entry: Entity): Promise<readonly Entity[]> {
  const [instrument] = await atAll(contents, [childPath(entry.path, 'instrument')])
  if (instrument === undefined) return []
  const members = await contents.firstMembers(instrument, MAX_MEMBERS)
  const groups = members.filter(({ kind }) => kind === undefined || kind === 'group')
  const objects = await atAll(
    contents,
    groups.map(({ path }) => path),
  )
  return objects.filter(group => isOf(group, 'NXdetector'))
}

/** DECTRIS has these numbers in a group of its own. */
const FOLDERS = ['', 'detectorSpecific/']

async function readDetector(contents: Contents, group: Entity): Promise<Detector> {
  const at = async (name: string) => {
    const paths = FOLDERS.map(folder => childPath(group.path, `${folder}${name}`))
    const found = await atAll(contents, paths)
    return found.find(({ dataset }) => dataset !== undefined)?.dataset
  }
  const [mask, limit] = await Promise.all([at('pixel_mask'), at('saturation_value')])
  const data = limit && numberForm(limit.type) && (limit.shape ?? []).every(extent => extent === 1)
  const saturation = data ? Number((await contents.domain.read(limit)).data[0]) : Number.NaN
  const isMask = mask && numberForm(mask.type) !== undefined
  // A saturation of 0 or less is a number that nobody has filled in.
  return { mask: isMask ? mask : undefined, saturation: saturation > 0 ? saturation : undefined }
}

/** The objects that are there. */
async function atAll(contents: Contents, paths: readonly string[]): Promise<readonly Entity[]> {
  const found = await Promise.all(paths.map(path => contents.at(path).catch(() => undefined)))
  return found.filter(entity => entity !== undefined)
}

function isOf(group: Entity, name: string): boolean {
  return textOf(group, 'NX_class') === name
}

function isEnd(extents: readonly number[], shape: readonly number[]): boolean {
  return extents.length >= 2 && extents.join() === shape.slice(-extents.length).join()
}
