// What is drawn of an object: a signal with its axes, errors and other signals. Of a dataset it is the dataset itself;
// of a group the plot of NeXus that it shows by default.

import type { DatasetShape } from '@hyperslab/client'
import { numberForm } from '@hyperslab/client/elements'
import {
  type Attributes,
  type FirstLook,
  findDefaultPlot,
  firstLookOf,
  labelOf,
  type PlotLink,
  type PlotObjects,
  textsOf,
  type ValueMeaning,
} from '@hyperslab/meaning/meaning'
import { type Axis, describeAxes, indexAxes } from '../meaning/axes.ts'
import { type Palette, readPalette } from '../meaning/palette.ts'
import { geographyOfEosGrid } from '../meaning/places/eos-grid.ts'
import { type Geography, geographyOf } from '../meaning/places/geography.ts'
import { describeRadar } from '../meaning/places/radar.ts'
import { meaningOf } from '../meaning/values.ts'
import { type Contents, childPath, type Entity, type StoredShape, textOf } from './contents.ts'

/** A dataset, and the numbers that its elements stand for. */
export interface Quantity {
  readonly signal: Entity
  readonly meaning: ValueMeaning
  /** Another text if the meaning is another one. */
  readonly meaningKey: string
}

export interface LabelledQuantity extends Quantity {
  readonly label: string
}

/** The coordinates of each element of a signal of one dimension, or of each of its rows. */
export interface Places {
  readonly x: LabelledQuantity
  readonly y: LabelledQuantity
  /** The points are rows of this many columns: x, y, and what the colour says; absent: x and y are other datasets. */
  readonly columns?: number
}

export interface Curve extends LabelledQuantity {
  readonly errors: Quantity | undefined
}

export interface Plot extends Curve, FirstLook {
  readonly title: string
  /** One for each dimension of the signal. */
  readonly axes: readonly Axis[]
  readonly auxiliaries: readonly Curve[]
  /** Of an image of indices. */
  readonly palette: Palette | undefined
  /** The places of the elements on the earth. */
  readonly geography: Geography | undefined
  /** Of a scatter plot. */
  readonly places: Places | undefined
}

/** Undefined: the object has nothing that could be drawn. */
export async function plotOf(
  contents: Contents,
  entity: Entity,
  abort?: AbortSignal,
): Promise<Plot | undefined> {
  if (entity.dataset) return plotOfDataset(contents, entity, NO_GROUP, abort)
  if (entity.kind !== 'group' || !isOfNexus(entity)) return undefined
  const found = await findDefaultPlot(new ObjectsAtPaths(contents), entity)
  if (!found) return undefined
  const { signal, group } = found
  if (!group) return plotOfDataset(contents, signal, NO_GROUP, abort)
  if (textOf(group, 'NX_class') === 'NXlog')
    return { ...(await plotOfDataset(contents, signal, group.attributes, abort)), title: group.name }
  return plotOfData(contents, group, signal, abort)
}

/** Other groups below the root have no plot, whatever is in them. */
function isOfNexus(group: Entity): boolean {
  return group.path === '/' || ['NX_class', 'default'].some(name => textOf(group, name) !== undefined)
}

/** Members of a group that are requested together in the search for a default plot. @limit safety, members */
const MEMBERS_AT_ONCE = 64

class ObjectsAtPaths implements PlotObjects<Entity> {
  readonly #contents: Contents

  constructor(contents: Contents) {
    this.#contents = contents
  }

  idOf({ object }: Entity): string {
    return object.id
  }

  kindOf({ kind }: Entity): Entity['kind'] {
    return kind
  }

  rankOf({ dataset }: Entity): number {
    return dataset?.shape?.length ?? 0
  }

  async textOf(entity: Entity, attribute: string): Promise<string | undefined> {
    return textOf(entity, attribute)
  }

  async hasAttribute({ attributes }: Entity, attribute: string): Promise<boolean> {
    return attributes.has(attribute)
  }

  at({ path }: Entity, target: string): Promise<Entity | undefined> {
    return optional(this.#contents, target.startsWith('/') ? target : childPath(path, target))
  }

  async *links(group: Entity, limit: number): AsyncGenerator<PlotLink<Entity>> {
    const members = await this.#contents.firstMembers(group, limit)
    for (let start = 0; start < members.length; start += MEMBERS_AT_ONCE) {
      const some = members.slice(start, start + MEMBERS_AT_ONCE)
      // Of a link that leads nowhere nothing is kept, and so it is not requested a second time.
      const found = some.map(({ path }) => optional(this.#contents, path))
      for (const [i, { title, link }] of some.entries())
        yield { title, isSymbolic: link !== 'hard', find: async () => found[i] }
    }
  }
}

const NO_GROUP: Attributes = new Map()

async function plotOfDataset(
  contents: Contents,
  signal: Entity,
  group: Attributes,
  abort: AbortSignal | undefined,
): Promise<Plot> {
  const described = await describe(contents, signal, group, abort)
  return {
    label: labelOf(signal.name, described.meaning),
    errors: undefined,
    title: described.meaning.title ?? signal.name,
    ...described,
    auxiliaries: [],
    places: placesInRows(described),
  }
}

/** So few rows are rather a table, or a matrix. */
const FEW_ROWS = 16

/** The numbers of each row, if the rows may be points: many rows of two or three numbers. */
export function pointColumns({ shape = [], type }: Pick<StoredShape, 'shape' | 'type'>): 2 | 3 | undefined {
  const [rows = 0, columns = 0, ...more] = shape
  const isOfNumbers = type.class === 'H5T_INTEGER' || type.class === 'H5T_FLOAT'
  if (more.length > 0 || rows <= FEW_ROWS || !isOfNumbers) return undefined
  return columns === 2 || columns === 3 ? columns : undefined
}

function placesInRows(quantity: Quantity): Places | undefined {
  const { meaning, signal } = quantity
  const columns = signal.dataset && pointColumns(signal.dataset)
  if (columns === undefined) return undefined
  const column = (d: number) => ({ ...quantity, label: columnLabel(d, meaning) })
  return { x: column(0), y: column(1), columns }
}

export function columnLabel(column: number, { units }: Pick<ValueMeaning, 'units'>): string {
  return labelOf(`Column ${column}`, { title: undefined, units })
}

/** A dataset with its axes, from its attributes. Without them it can be drawn, too. */
async function describe(
  contents: Contents,
  signal: Entity,
  group: Attributes,
  abort: AbortSignal | undefined,
): Promise<Quantity & Pick<Plot, 'axes' | 'palette' | 'geography' | keyof FirstLook>> {
  const { path, dataset } = signal
  if (dataset === undefined) throw new Error(`${path} is no dataset`)
  try {
    const shape = dataset.shape ?? []
    const radar = await describeRadar(contents, path, shape, abort)
    const attributes = new Map([...(radar?.attributes ?? []), ...signal.attributes])
    const [{ axes, shown, ...places }, grid, palette] = await Promise.all([
      describeAxes(contents, { path, dataset, attributes }, abort),
      geographyOfEosGrid(contents, path, shape, abort).catch(() => undefined),
      readPalette(contents, attributes, abort).catch(() => undefined),
    ])
    return {
      ...quantityOf({ ...signal, dataset: { ...dataset, ...shown } }, shown, attributes),
      axes: axes.slice(0, shown.shape?.length),
      palette,
      geography: radar?.geography ?? grid ?? geographyOf(shape, axes, places),
      ...firstLookOf(drawnDataset(dataset), attributes, group),
    }
  } catch {
    return {
      ...quantityOf(signal, dataset, new Map()),
      axes: indexAxes(contents, dataset).axes,
      palette: undefined,
      geography: undefined,
      ...firstLookOf(drawnDataset(dataset), new Map(), group),
    }
  }
}

/** A dataset as the rules of drawings look at it. */
export function drawnDataset({ type, shape = [] }: DatasetShape) {
  return { form: numberForm(type), isInteger: type.class === 'H5T_INTEGER', shape }
}

function quantityOf(signal: Entity, dataset: DatasetShape, attributes: Attributes): Quantity {
  return {
    signal,
    meaning: meaningOf(dataset.type, attributes),
    meaningKey: JSON.stringify([dataset.id, dataset.type, signal.object.attributes, attributes.size > 0]),
  }
}

/** The dataset at a path, if there is one. */
async function quantityAt(contents: Contents, path: string): Promise<Quantity | undefined> {
  const signal = await optional(contents, path)
  if (signal?.dataset === undefined) return undefined
  return quantityOf(signal, signal.dataset, signal.attributes)
}

async function plotOfData(
  contents: Contents,
  group: Entity,
  signal: Entity,
  abort: AbortSignal | undefined,
): Promise<Plot> {
  const at = (name: string) => quantityAt(contents, childPath(group.path, name))
  const auxiliaryNames = textsOf(group.attributes, 'auxiliary_signals') ?? []
  const auxiliaryOf = async (name: string): Promise<readonly Curve[]> => {
    const [quantity, errors] = await Promise.all([at(name), at(`${name}_errors`)])
    return quantity ? [{ ...labelled(quantity), errors }] : []
  }
  const [errors, title, described, auxiliaries, places] = await Promise.all([
    at(`${signal.name}_errors`).then(found => found ?? at('errors')),
    titleOf(contents, group, abort),
    describe(contents, signal, group.attributes, abort),
    Promise.all(auxiliaryNames.map(auxiliaryOf)),
    placesOf(contents, group, signal),
  ])
  return {
    label: labelOf(signal.name, described.meaning),
    errors,
    title: title ?? described.meaning.title ?? signal.name,
    ...described,
    auxiliaries: auxiliaries.flat(),
    places,
  }
}

function labelled(quantity: Quantity): LabelledQuantity {
  return { ...quantity, label: labelOf(quantity.signal.name, quantity.meaning) }
}

/** Two axes of numbers for the one dimension of the signal, x before y, as silx and h5web read them. */
async function placesOf(contents: Contents, group: Entity, { dataset }: Entity): Promise<Places | undefined> {
  const [xName, yName, ...more] = textsOf(group.attributes, 'axes') ?? []
  const [length, ...others] = dataset?.shape ?? []
  if (xName === undefined || yName === undefined || more.length > 0 || others.length > 0) return undefined
  const [x, y] = await Promise.all(
    [xName, yName].map(name => quantityAt(contents, childPath(group.path, name))),
  )
  const isPlace = ({ signal: { dataset } }: Quantity) =>
    dataset?.shape?.length === 1 && dataset.shape[0] === length && numberForm(dataset.type) !== undefined
  return x && y && isPlace(x) && isPlace(y) ? { x: labelled(x), y: labelled(y) } : undefined
}

async function titleOf(
  contents: Contents,
  group: Entity,
  abort: AbortSignal | undefined,
): Promise<string | undefined> {
  const title = await optional(contents, childPath(group.path, 'title'))
  if (title?.dataset?.shape?.length !== 0 || title.dataset.type.class !== 'H5T_STRING') return undefined
  const { data } = await contents.domain.read(title.dataset, { ...(abort && { signal: abort }) })
  return String(data[0]).trim() || undefined
}

async function optional(contents: Contents, path: string): Promise<Entity | undefined> {
  return contents.at(path).catch(() => undefined)
}
