// The list of views: the tabs of an object, in their order, and which objects each of them shows. A new one is a line
// here and a component (`components.ts`).

import type { Datatype } from '@hyperslab/client'
import { isComplex, numberForm } from '@hyperslab/client/elements'
import { textOf } from '../data/contents.ts'
import type { Plot } from '../data/plot.ts'
import type { Subject } from './view.ts'

export interface ViewRule {
  /** In the address. */
  readonly name: string
  /** On the tab. */
  readonly label: string
  readonly shows: (subject: Subject) => boolean
  /** The first one of the greatest rank is shown where the address names none. */
  readonly rank: (subject: Subject) => number
}

const RULES = [
  {
    name: 'members',
    label: 'Members',
    shows: ({ entity }) => entity.kind === 'group',
    rank: () => 1,
  },
  {
    name: 'note',
    label: 'Note',
    shows: ({ entity }) => entity.kind === 'group' && textOf(entity, 'NX_class') === 'NXnote',
    rank: () => 6,
  },
  {
    name: 'text',
    label: 'Value',
    shows: subject => subject.entity.kind === 'dataset' && rankOf(subject) === 0,
    rank: () => 3,
  },
  {
    name: 'matrix',
    label: 'Matrix',
    shows: subject => rankOf(subject) > 0,
    rank: () => 2,
  },
  {
    name: 'table',
    label: 'Table',
    shows: subject => subject.table !== undefined || isTable(subject),
    // A group is a table at once if it says so itself.
    rank: ({ table }) => (table === undefined ? 4 : table.isDefault ? 7 : 0.5),
  },
  {
    name: 'line',
    label: 'Line',
    shows: subject => rankOf(subject) > 0 && isDrawable(subject),
    rank: subject => (subject.plot?.kind === 'line' ? 5 : 3),
  },
  {
    name: 'sequences',
    label: 'Lines',
    shows: subject => rankOf(subject) === 1 && isOfSequences(subject.plot?.signal.dataset?.type),
    rank: () => 3,
  },
  {
    name: 'regions',
    label: 'Regions',
    shows: subject => rankOf(subject) === 1 && isOfRegions(subject.plot?.signal.dataset?.type),
    rank: () => 3,
  },
  {
    name: 'scatter',
    label: 'Scatter',
    shows: ({ plot }) => plot?.places !== undefined && isNumeric(plot.signal.dataset?.type),
    rank: ({ plot }) => (plot?.places?.columns === undefined ? 6 : arePairs(plot) ? 4.25 : 2),
  },
  {
    name: 'image',
    label: 'Image',
    shows: subject => rankOf(subject) > 1 && isDrawable(subject),
    rank: () => 4,
  },
  {
    name: 'map',
    label: 'Map',
    shows: subject => subject.plot?.geography !== undefined && isDrawable(subject),
    rank: () => 4.5,
  },
  {
    name: 'rgb',
    label: 'RGB',
    shows: ({ plot }) => plot?.colours !== undefined,
    rank: subject => (subject.plot?.kind === 'colours' ? 6 : 3),
  },
  {
    name: 'inspect',
    label: 'Inspect',
    shows: () => true,
    rank: () => 0,
  },
] as const satisfies readonly ViewRule[]

export type ViewName = (typeof RULES)[number]['name']

const VIEWS: readonly (ViewRule & { readonly name: ViewName })[] = RULES

/** The views that show the object. */
export function viewsOf(subject: Subject): typeof VIEWS {
  return VIEWS.filter(({ shows }) => shows(subject))
}

function rankOf({ plot }: Subject): number {
  return plot?.signal.dataset?.shape?.length ?? 0
}

function isDrawable({ plot }: Subject): boolean {
  const type = plot?.signal.dataset?.type
  return type !== undefined && (isNumeric(type) || isComplex(type))
}

/** Integers, floats, booleans and enums: elements that can be drawn as they are. */
function isNumeric(type: Datatype | undefined): boolean {
  return type !== undefined && numberForm(type) !== undefined
}

/** Sequences of numbers, each of a length of its own. */
function isOfSequences(type: Datatype | undefined): boolean {
  return type?.class === 'H5T_VLEN' && isNumeric(type.base)
}

/** References to regions of datasets. */
function isOfRegions(type: Datatype | undefined): boolean {
  return type?.class === 'H5T_REFERENCE' && type.base === 'H5T_STD_REF_DSETREG'
}

/** Rows of two numbers, of which no attribute says what they are: an image would be a line of two points' width. */
function arePairs({ places, axes }: Plot): boolean {
  return places?.columns === 2 && axes.every(({ source }) => source === undefined)
}

/** Rows of compounds. */
function isTable(subject: Subject): boolean {
  const type = subject.plot?.signal.dataset?.type
  return type?.class === 'H5T_COMPOUND' && !isComplex(type) && rankOf(subject) > 0
}
