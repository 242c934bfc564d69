// Weather radars: what files of ODIM_H5 say of a dataset in the groups around it (OPERA data model 2.2 to 2.4). Numbers
// are unpacked by `what` (`packages/meaning/radar.ts`); the rays of a scan, or the pixels of a composite, have their
// places by `where`.

import { type Attributes, numbersOf, readRadar, textOf } from '@hyperslab/meaning/meaning'
import type { Contents } from '../../data/contents.ts'
import type { Attribute } from '../attributes.ts'
import type { ToEarth } from './corners.ts'
import { type Geography, lineOf } from './geography.ts'

export interface Radar {
  /** Attributes that say the same of the dataset by the conventions of netCDF. */
  readonly attributes: ReadonlyMap<string, Attribute>
  readonly geography: Geography | undefined
}

/** Undefined: the file is not of ODIM_H5. */
export async function describeRadar(
  contents: Pick<Contents, 'at'>,
  path: string,
  shape: readonly number[],
  signal?: AbortSignal,
): Promise<Radar | undefined> {
  const radar = await readRadar(path, group =>
    contents.at(group).then(
      ({ attributes }) => attributes,
      () => new Map<string, Attribute>(),
    ),
  )
  if (radar === undefined) return undefined
  signal?.throwIfAborted()
  const [where, how] = await Promise.all([radar.around('where'), radar.around('how')])
  return { attributes: radar.attributes, geography: geographyOfRadar(shape, where, how) }
}

function geographyOfRadar(
  shape: readonly number[],
  where: Attributes,
  how: Attributes,
): Geography | undefined {
  const number = (name: string) => Number(numbersOf(where, name)?.[0] ?? Number.NaN)
  const [rows = 0, columns = 0, ...more] = shape
  if (more.length > 0 || rows === 0 || columns === 0) return undefined
  const projection = textOf(where, 'projdef')
  const kind = 'plane' as const
  if (projection !== undefined) {
    const [width, height] = [number('xscale'), number('yscale')]
    const corner = [number('LL_lon'), number('LL_lat')] as const
    if (![width, height, ...corner].every(Number.isFinite)) return undefined
    return {
      kind,
      y: 0,
      x: 1,
      // The first row is that in the north.
      rows: lineOf(i => (rows - 0.5 - i) * height),
      columns: lineOf(i => (i + 0.5) * width),
      toEarth: async () => (await import('./grid-mapping.ts')).toEarthFrom(projection, corner),
    }
  }
  const site = { longitude: number('lon'), latitude: number('lat'), elevation: number('elangle') }
  const step = number('rscale')
  if (![...Object.values(site), step].every(Number.isFinite)) return undefined
  // `rstart` is in kilometres, `rscale` in metres.
  const start = 1000 * (Number.isNaN(number('rstart')) ? 0 : number('rstart'))
  const azimuths = azimuthsOf(how, rows)
  return {
    kind,
    y: 0,
    x: 1,
    rows: lineOf(i => azimuths?.[i] ?? ((i + 0.5) * 360) / rows),
    columns: lineOf(i => start + (i + 0.5) * step),
    toEarth: async () => fromSite(site),
  }
}

/** The middles of rays, if the file has their ends; they grow, also over the north. */
function azimuthsOf(how: Attributes, rows: number): readonly number[] | undefined {
  const [starts, stops] = ['startazA', 'stopazA'].map(name => numbersOf(how, name)?.map(Number))
  if (starts?.length !== rows || stops?.length !== rows) return undefined
  let turns = 0
  let last = Number.NEGATIVE_INFINITY
  return starts.map((start, i) => {
    const stop = stops[i] ?? start
    const middle = (start + (stop < start ? stop + 360 : stop)) / 2
    if (middle + 360 * turns < last - 180) turns++
    last = middle + 360 * turns
    return last
  })
}

const DEGREE = Math.PI / 180
/** Metres. */
const EARTH = 6_371_000
/** A beam bends as if the earth were a third larger. */
const BENT_EARTH = (4 / 3) * EARTH

interface Site {
  readonly longitude: number
  readonly latitude: number
  /** Of the beam, in degrees. */
  readonly elevation: number
}

/** The place below a point of a beam, from its distance along the beam and the azimuth of the ray. */
export function fromSite({ longitude, latitude, elevation }: Site): ToEarth {
  const [sine, cosine] = [Math.sin(latitude * DEGREE), Math.cos(latitude * DEGREE)]
  const beam = elevation * DEGREE
  return (distance, azimuth) => {
    const height = Math.sqrt(distance ** 2 + BENT_EARTH ** 2 + 2 * distance * BENT_EARTH * Math.sin(beam))
    const arc = (BENT_EARTH * Math.asin((distance * Math.cos(beam)) / height)) / EARTH
    const angle = azimuth * DEGREE
    const y = sine * Math.cos(arc) + cosine * Math.sin(arc) * Math.cos(angle)
    const turn = Math.atan2(Math.sin(angle) * Math.sin(arc) * cosine, Math.cos(arc) - sine * y)
    return [longitude + turn / DEGREE, Math.asin(Math.min(1, Math.max(-1, y))) / DEGREE]
  }
}
