import type { Datatype } from '@hyperslab/client'
import { expect, test } from 'vitest'
import type { Plot } from '../data/plot.ts'
import { COMPLEX, DOUBLE, newPlot } from '../plots/models/test-plots.ts'
import { chosenView } from './object-model.ts'
import type { Subject } from './view.ts'
import { viewsOf } from './views.ts'

const STRING: Datatype = { class: 'H5T_STRING', length: 'H5T_VARIABLE' }
const TABLE: Datatype = { class: 'H5T_COMPOUND', fields: [{ name: 'a', type: DOUBLE }] }

function dataset(shape: readonly number[], type = DOUBLE, parts: Partial<Plot> = {}): Subject {
  const plot = newPlot({ shape, type }, parts)
  return { entity: plot.signal, plot }
}

function group(attributes: Readonly<Record<string, string>> = {}, plot?: Plot): Subject {
  const entries = Object.entries(attributes).map(([name, value]) => [name, { data: [value] }] as const)
  const entity = { kind: 'group', attributes: new Map(entries) }
  return { entity: entity as never, plot }
}

function tabsOf(subject: Subject): string {
  const views = viewsOf(subject)
  const shown = chosenView(views, subject, undefined)
  return views.map(view => (view === shown ? `(${view.name})` : view.name)).join(' ')
}

test.each<[string, Subject, string]>([
  ['a group', group(), '(members) inspect'],
  ['a note of NeXus', group({ NX_class: 'NXnote' }), 'members (note) inspect'],
  ['a group with a plot', group({}, newPlot({ shape: [4, 4] })), 'members matrix line (image) inspect'],
  ['a table of NWB', { ...group(), table: { isDefault: true } as never }, 'members (table) inspect'],
  ['a measurement', { ...group(), table: { isDefault: false } as never }, '(members) table inspect'],
  ['a scalar', dataset([]), '(text) inspect'],
  ['a text', dataset([], STRING), '(text) inspect'],
  ['texts', dataset([3], STRING), '(matrix) inspect'],
  ['a vector', dataset([4]), 'matrix (line) inspect'],
  ['a matrix', dataset([4, 4]), 'matrix line (image) inspect'],
  ['a stack', dataset([5, 4, 5]), 'matrix line (image) inspect'],
  ['spectra', dataset([4, 4], DOUBLE, { kind: 'line' }), 'matrix (line) image inspect'],
  ['sequences', dataset([4], { class: 'H5T_VLEN', base: DOUBLE }), 'matrix (sequences) inspect'],
  ['sequences of texts', dataset([4], { class: 'H5T_VLEN', base: STRING }), '(matrix) inspect'],
  [
    'references to regions',
    dataset([4], { class: 'H5T_REFERENCE', base: 'H5T_STD_REF_DSETREG' }),
    'matrix (regions) inspect',
  ],
  ['rows', dataset([4], TABLE), 'matrix (table) inspect'],
  ['one row', dataset([], TABLE), '(text) inspect'],
  ['complex numbers', dataset([4, 4], COMPLEX), 'matrix line (image) inspect'],
  // Three numbers may be colours; only the file says it.
  ['numbers by three', dataset([4, 4, 3]), 'matrix line (image) rgb inspect'],
  ['numbers by four', dataset([4, 4, 4]), 'matrix line (image) rgb inspect'],
  ['colours', dataset([4, 4, 3], DOUBLE, { kind: 'colours' }), 'matrix line image (rgb) inspect'],
  [
    'rows of numbers',
    dataset([4, 3], DOUBLE, { places: { columns: 3 } as never }),
    'matrix line scatter (image) inspect',
  ],
  [
    'pairs of numbers',
    dataset([40, 2], DOUBLE, { places: { columns: 2 } as never }),
    'matrix line (scatter) image inspect',
  ],
  [
    'pairs of numbers along an axis',
    dataset([40, 2], DOUBLE, { places: { columns: 2 } as never, axes: [{ source: {} } as never] }),
    'matrix line scatter (image) inspect',
  ],
  [
    'cells of the earth',
    dataset([4, 4], DOUBLE, { geography: {} as never }),
    'matrix line image (map) inspect',
  ],
  ['a signal at places', dataset([4], DOUBLE, { places: {} as never }), 'matrix line (scatter) inspect'],
])('%s has the tabs %#: first that which says most', (_, subject, tabs) => {
  expect(tabsOf(subject)).toBe(tabs)
})
