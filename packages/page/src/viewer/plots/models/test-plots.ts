// Plots for tests of models: datasets of doubles, with attributes for their meaning, and a service that answers.

import type { DatasetShape, Datatype, Domain, Values } from '@hyperslab/client'
import { firstLookOf, labelOf } from '@hyperslab/meaning/meaning'
import { type Curve, drawnDataset, type Plot, type Quantity } from '../../data/plot.ts'
import type { Screen } from '../../data/tiles.ts'
import type { DomainSource } from '../../meaning/attributes.ts'
import { indexAxes } from '../../meaning/axes.ts'
import { meaningOf } from '../../meaning/values.ts'

export const DOUBLE: Datatype = { class: 'H5T_FLOAT', base: 'H5T_IEEE_F64LE' }
export const COMPLEX: Datatype = {
  class: 'H5T_COMPOUND',
  fields: [
    { name: 'r', type: DOUBLE },
    { name: 'i', type: DOUBLE },
  ],
}

/** Time stands still there, so that nothing is drawn in parts. */
export const STILL_SCREEN: Screen = { now: () => 0, whenDrawn: () => {} }

/**
 * Its values are the numbers 0, 1, 2 ... of each selection; `requests` has the selections and reductions, `missing` the
 * numbers that stand for no value.
 */
export function fakeDomain() {
  const requests: {
    readonly select: unknown
    readonly reduce: string | undefined
    readonly part?: string
  }[] = []
  const missing: (string | undefined)[] = []
  type Options = {
    missing?: string
    select?: readonly (number | { start: number; stop: number; step?: number })[]
    reduce?: string
    part?: string
  }
  const read = async (
    _: DatasetShape,
    { select = [], reduce, part, ...absent }: Options,
  ): Promise<Values> => {
    requests.push({ select, reduce, ...(part !== undefined && { part }) })
    missing.push(absent.missing)
    const [kind, blocks = ''] = reduce?.split(':') ?? []
    const factors = blocks.split(',').map(Number)
    const extents = select.flatMap((part, d) => {
      if (typeof part !== 'object') return []
      return [Math.ceil((part.stop - part.start) / ((part.step ?? 1) * (factors[d] || 1)))]
    })
    const count = extents.reduce((product, extent) => product * extent, kind === 'minmax' ? 2 : 1)
    return { shape: extents, data: Float64Array.from({ length: count }, (_, i) => i) }
  }
  return { requests, missing, domain: { read } as unknown as Domain }
}

interface PlotOptions {
  readonly shape: readonly number[]
  readonly type?: Datatype
  readonly name?: string
  /** Strings of attributes: units, long_name. */
  readonly attributes?: Readonly<Record<string, string>>
}

export function quantityOf({ shape, type = DOUBLE, name = 'data', attributes = {} }: PlotOptions) {
  const string: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
  const known = new Map(
    Object.entries(attributes).map(([name, value]) => [
      name,
      { name, type: string, shape: [], data: [value] },
    ]),
  )
  const object = { id: name }
  const dataset = { id: name, type, shape, stamp: 0 }
  const entity = { path: `/${name}`, name, kind: 'dataset', object, attributes: new Map(), dataset, type }
  const meaning = meaningOf(type, known)
  return {
    signal: entity as unknown as Quantity['signal'],
    meaning,
    meaningKey: name,
    label: labelOf(name, meaning),
    errors: undefined,
  } satisfies Curve
}

/** The meaning of numbers of which this one stands for no value. */
export function meaningWithout(missing: number) {
  const form = { kind: 'float', size: 8 } as const
  return meaningOf(DOUBLE, new Map([['_FillValue', { form, data: Float64Array.of(missing) }]]) as never)
}

/** The plot of a dataset, with some parts of its own. */
export function newPlot(options: PlotOptions, parts: Partial<Plot> = {}): Plot {
  const curve = quantityOf(options)
  const { domain } = fakeDomain()
  const source = { domain } as unknown as DomainSource
  return {
    ...curve,
    title: curve.meaning.title ?? curve.signal.name,
    axes: indexAxes(source, { id: 'data', type: DOUBLE, shape: options.shape }).axes,
    ...firstLookOf(
      drawnDataset({ id: 'data', type: options.type ?? DOUBLE, shape: options.shape }),
      new Map(),
      new Map(),
    ),
    auxiliaries: [],
    places: undefined,
    palette: undefined,
    geography: undefined,
    ...parts,
  }
}
