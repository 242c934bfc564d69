// Attributes that files of weather radars (ODIM_H5, OPERA data model 2.2 to 2.4) give to a dataset by the groups `what`
// around it, under the names that say the same by the conventions of netCDF. The page and the pictures of the service
// both ask here.

import { type Attribute, type Attributes, textOf } from './attributes.ts'

/** `/dataset1/data1/data`, and `/dataset1/quality1/data`. */
const PATH = /\/(data|quality)\d+\/data$/

/** Groups from the dataset up to the root: what is farther up holds for all that is in it. */
const LEVELS = 3

export interface Radar<Known extends Attribute> {
  readonly attributes: ReadonlyMap<string, Known>
  /** The attributes of all groups of this name around the dataset, such as `where`. */
  readonly around: (name: string) => Promise<ReadonlyMap<string, Known>>
}

/** `read` gives the attributes of a group, none where there is no such group. Undefined: it is no file of ODIM_H5. */
export async function readRadar<Known extends Attribute>(
  path: string,
  read: (group: string) => Promise<ReadonlyMap<string, Known>>,
): Promise<Radar<Known> | undefined> {
  if (!PATH.test(path)) return undefined
  const titles = path.split('/').slice(1, -1)
  const groups = Array.from({ length: LEVELS }, (_, up) => titles.slice(0, titles.length - up)).toReversed()
  /** An attribute nearer to the dataset takes the place of the same farther up. */
  const around = async (name: string) => {
    const found = await Promise.all(
      [...new Set(groups.map(group => ['', ...group, name].join('/')))].map(read),
    )
    return new Map(found.flatMap(attributes => [...attributes]))
  }
  const what = await around('what')
  if (!what.has('gain') || !what.has('quantity')) return undefined
  return { attributes: attributesOf(what), around }
}

/** Units of quantities that are drawn often (table 16). */
const UNITS: Readonly<Record<string, string>> = {
  TH: 'dBZ',
  DBZH: 'dBZ',
  DBZV: 'dBZ',
  ZDR: 'dB',
  PHIDP: 'degrees',
  KDP: 'degrees/km',
  RATE: 'mm/h',
  ACRR: 'mm',
  HGHT: 'km',
  VIL: 'kg/m2',
  VRAD: 'm/s',
  WRAD: 'm/s',
}

/** `nodata` and `undetect` are numbers that nothing was measured for: without radiation, and without an echo. */
const NAMES = {
  scale_factor: 'gain',
  add_offset: 'offset',
  _FillValue: 'nodata',
  missing_value: 'undetect',
  long_name: 'quantity',
} as const

function attributesOf<Known extends Attribute>(what: ReadonlyMap<string, Known>): ReadonlyMap<string, Known> {
  const found = Object.entries(NAMES).flatMap(([name, stored]) => {
    const attribute = what.get(stored)
    return attribute ? [[name, { ...attribute, name }] as const] : []
  })
  const units = UNITS[textOf(what as Attributes, 'quantity') ?? '']
  const quantity = what.get('quantity')
  return new Map([
    ...found,
    ...(units !== undefined && quantity
      ? [['units', { ...quantity, name: 'units', data: [units] }] as const]
      : []),
  ])
}
