// What is drawn of an object: a signal with its axes, errors and other signals. Of a dataset it is the dataset itself;
// of a group the plot of NeXus that it shows by default.

import type { DatasetShape } from '@hyperslab/client'
import { numberForm } from '@hyperslab/client/elements'
import { findDefaultPlot, type PlotLink, type PlotObjects } from '@hyperslab/meaning/meaning'
import { type Attributes, readAttributes } from '../meaning/attributes.ts'
import { type Axis, describeAxes, indexAxes } from '../meaning/axes.ts'
import { colourDimension } from '../meaning/roles.ts'
import { labelOf, meaningOf, type ValueMeaning } from '../meaning/values.ts'
import type { AxisScale, DimensionUse, ValueScale } from '../view-address.ts'
import { type Contents, childPath, type Entity, textOf } from './contents.ts'

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

/** The coordinates of each element of a signal of one dimension. */
export interface Places {
  readonly x: LabelledQuantity
  readonly y: LabelledQuantity
}

export interface Curve extends LabelledQuantity {
  readonly errors: Quantity | undefined
}

export interface Plot extends Curve {
  readonly title: string
  /** One for each dimension of the signal. */
  readonly axes: readonly Axis[]
  /** The last dimension of the signal is that of colours. */
  readonly hasColours: boolean
  readonly auxiliaries: readonly Curve[]
  /** Of a scatter plot. */
  readonly places: Places | undefined
  /** NeXus: what the signal is meant as, such as `spectrum` or `image`. */
  readonly interpretation: string | undefined
  readonly slice: readonly DimensionUse[] | undefined
  readonly scale: ValueScale | undefined
  readonly axisScales: readonly (AxisScale | undefined)[]
}

/** Undefined: the object has nothing that could be drawn. */
export async function plotOf(contents: Contents, entity: Entity): Promise<Plot | undefined> {
  if (entity.dataset) return plotOfDataset(contents, entity)
  if (entity.kind !== 'group' || !isOfNexus(entity)) return undefined
  const found = await findDefaultPlot(new ObjectsAtPaths(contents), entity)
  if (!found) return undefined
  const { signal, group } = found
  if (!group) return plotOfDataset(contents, signal)
  if (textOf(group, 'NX_class') === 'NXlog')
    return { ...(await plotOfDataset(contents, signal)), title: group.name }
  return plotOfData(contents, group, signal)
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
      for (const [i, { link }] of some.entries())
        yield { isSymbolic: link !== 'hard', find: async () => found[i] }
    }
  }
}

async function plotOfDataset(contents: Contents, signal: Entity): Promise<Plot> {
  const described = await describe(contents, signal)
  return {
    label: labelOf(signal.name, described.meaning),
    errors: undefined,
    title: described.meaning.title ?? signal.name,
    ...described,
    auxiliaries: [],
    places: undefined,
    interpretation: textOf(signal, 'interpretation'),
    slice: undefined,
    scale: undefined,
    axisScales: [],
  }
}

/** A dataset with its axes, from its attributes. Without them it can be drawn, too. */
async function describe(
  { client, domain }: Contents,
  signal: Entity,
): Promise<Quantity & Pick<Plot, 'axes' | 'hasColours'>> {
  const { path, dataset } = signal
  if (dataset === undefined) throw new Error(`${path} is no dataset`)
  const source = { client, domain }
  const described = async (attributes: Attributes) => {
    const { axes, shown } = await describeAxes(source, { path, dataset, attributes })
    return {
      ...quantityOf({ ...signal, dataset: { ...dataset, ...shown } }, shown, attributes),
      axes: axes.slice(0, shown.shape?.length),
      hasColours: colourDimension(dataset, attributes) === (dataset.shape?.length ?? 0) - 1,
    }
  }
  return readAttributes(source, 'datasets', signal.object)
    .then(described)
    .catch(() => ({
      ...quantityOf(signal, dataset, new Map()),
      axes: indexAxes(source, dataset).axes,
      hasColours: false,
    }))
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
  const { dataset } = signal
  const attributes = await readAttributes(contents, 'datasets', signal.object).catch(() => new Map())
  return quantityOf(signal, dataset, attributes)
}

async function plotOfData(contents: Contents, group: Entity, signal: Entity): Promise<Plot> {
  const at = (name: string) => quantityAt(contents, childPath(group.path, name))
  const auxiliaryNames = namesOf(group.attributes.get('auxiliary_signals'))
  const rank = signal.dataset?.shape?.length ?? 0
  const auxiliaryOf = async (name: string): Promise<readonly Curve[]> => {
    const [quantity, errors] = await Promise.all([at(name), at(`${name}_errors`)])
    return quantity ? [{ ...labelled(quantity), errors }] : []
  }
  const [errors, title, described, auxiliaries, places] = await Promise.all([
    at(`${signal.name}_errors`).then(found => found ?? at('errors')),
    titleOf(contents, group),
    describe(contents, signal),
    Promise.all(auxiliaryNames.map(auxiliaryOf)),
    placesOf(contents, group, signal),
  ])
  const { scale, axisScales } = silxStyle(group)
  return {
    label: labelOf(signal.name, described.meaning),
    errors,
    title: title ?? described.meaning.title ?? signal.name,
    ...described,
    auxiliaries: auxiliaries.flat(),
    places,
    interpretation: textOf(signal, 'interpretation'),
    slice: sliceOf(group, rank),
    scale,
    axisScales,
  }
}

function labelled(quantity: Quantity): LabelledQuantity {
  return { ...quantity, label: labelOf(quantity.signal.name, quantity.meaning) }
}

/** Two axes of numbers for the one dimension of the signal, x before y, as silx and h5web read them. */
async function placesOf(contents: Contents, group: Entity, { dataset }: Entity): Promise<Places | undefined> {
  const [xName, yName, ...more] = namesOf(group.attributes.get('axes'))
  const [length, ...others] = dataset?.shape ?? []
  if (xName === undefined || yName === undefined || more.length > 0 || others.length > 0) return undefined
  const [x, y] = await Promise.all(
    [xName, yName].map(name => quantityAt(contents, childPath(group.path, name))),
  )
  const isPlace = ({ signal: { dataset } }: Quantity) =>
    dataset?.shape?.length === 1 && dataset.shape[0] === length && numberForm(dataset.type) !== undefined
  return x && y && isPlace(x) && isPlace(y) ? { x: labelled(x), y: labelled(y) } : undefined
}

async function titleOf(contents: Contents, group: Entity): Promise<string | undefined> {
  const title = await optional(contents, childPath(group.path, 'title'))
  if (title?.dataset?.shape?.length !== 0 || title.dataset.type.class !== 'H5T_STRING') return undefined
  const { data } = await contents.domain.read(title.dataset)
  return String(data[0]).trim() || undefined
}

async function optional(contents: Contents, path: string): Promise<Entity | undefined> {
  return contents.at(path).catch(() => undefined)
}

function namesOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : typeof value === 'string' ? [value] : []
}

/** The attribute `default_slice`: an index for each dimension, or `.` for those that are drawn. */
function sliceOf(group: Entity, rank: number): readonly DimensionUse[] | undefined {
  const parts = namesOf(group.attributes.get('default_slice'))
  if (parts.length !== rank || !parts.every(part => part === '.' || /^\d+$/.test(part))) return undefined
  const drawn = parts.flatMap((part, d) => (part === '.' ? [d] : []))
  if (drawn.length === 0 || drawn.length > 2) return undefined
  return parts.map((part, d) => (part !== '.' ? Number(part) : d === drawn.at(-1) ? 'x' : 'y'))
}

const AXIS_SCALES: readonly unknown[] = ['linear', 'log', 'symlog'] satisfies AxisScale[]
const VALUE_SCALES: readonly unknown[] = ['linear', 'log', 'symlog', 'sqrt'] satisfies ValueScale[]

function silxStyle(group: Entity): Pick<Plot, 'scale' | 'axisScales'> {
  try {
    const style: unknown = JSON.parse(textOf(group, 'SILX_style') ?? '{}')
    const { signal_scale_type: scale, axes_scale_type: axes } = style as Record<string, unknown>
    const axisScales = Array.isArray(axes) ? axes : [axes]
    return {
      scale: VALUE_SCALES.includes(scale) ? (scale as ValueScale) : undefined,
      axisScales: axisScales.map(one => (AXIS_SCALES.includes(one) ? (one as AxisScale) : undefined)),
    }
  } catch {
    return { scale: undefined, axisScales: [] }
  }
}
