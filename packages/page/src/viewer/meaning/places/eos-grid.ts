// Grids of HDF-EOS5: a text in the file says where the rows and columns of each are (StructMetadata.0, "HDF-EOS5 Data
// Model, File Format and Library", section 7). Corners are in degrees packed as DDDMMMSSS.SS, or in metres of a plane.

import type { Contents } from '../../data/contents.ts'
import type { DomainSource } from '../attributes.ts'
import { type Geography, lineOf } from './geography.ts'

const PATH = /^\/HDFEOS\/GRIDS\/([^/]+)\/Data Fields\/([^/]+)$/
const TEXT = '/HDFEOS INFORMATION/StructMetadata.0'
/** Bytes of the text that are read, whatever its length: the library writes 32,000. @limit memory, bytes */
const MAX_TEXT = 2 ** 20

/** Undefined: the dataset is not of a grid, or nobody knows where it is. */
export async function geographyOfEosGrid(
  contents: DomainSource & Pick<Contents, 'at'>,
  path: string,
  shape: readonly number[],
  signal?: AbortSignal,
): Promise<Geography | undefined> {
  const [, grid, field] = PATH.exec(path) ?? []
  if (grid === undefined || field === undefined) return undefined
  const { dataset } = await contents.at(TEXT)
  if (dataset?.shape?.length !== 0 || dataset.type.class !== 'H5T_STRING') return undefined
  return placesIn(await beginningOf(contents, dataset.id, signal), grid, field, shape)
}

/** The first bytes of a string as text; those of its length, if it has one, come before. */
async function beginningOf(
  { client, domain }: DomainSource,
  id: string,
  signal: AbortSignal | undefined,
): Promise<string> {
  signal?.throwIfAborted()
  const headers = { accept: 'application/octet-stream' }
  const parameters = { id, domain: domain.pathOf(id) }
  const { body } = await client.open('GET /datasets/{id}/value', parameters, { headers, signal })
  const decoder = new TextDecoder()
  let text = ''
  // The rest is not sent: to leave the loop cancels the body.
  for await (const piece of piecesOf(body)) {
    text += decoder.decode(piece, { stream: true })
    if (text.length >= MAX_TEXT) break
  }
  return text.slice(0, MAX_TEXT)
}

/** Not all browsers have iterators of streams. */
async function* piecesOf(body: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader()
  try {
    for (let piece = await reader?.read(); piece?.value; piece = await reader?.read()) yield piece.value
  } finally {
    await reader?.cancel()
  }
}

/** The places of a field by the text. */
export function placesIn(
  text: string,
  grid: string,
  field: string,
  shape: readonly number[],
): Geography | undefined {
  const block = blockOf(text, `GridName="${grid}"`, /\n[ \t]*END_GROUP=GRID_/)
  if (block === undefined) return undefined
  const [rows = 0, columns = 0] = ['YDim', 'XDim'].map(name => numbersOf(block, name)[0])
  const [left, top] = numbersOf(block, 'UpperLeftPointMtrs')
  const [right, bottom] = numbersOf(block, 'LowerRightMtrs')
  if (rows === 0 || columns === 0 || left === undefined || top === undefined) return undefined
  if (right === undefined || bottom === undefined) return undefined
  const ofField = blockOf(block, `DataFieldName="${field}"`, /\n[ \t]*END_OBJECT=/)
  const names = entryOf(ofField ?? '', 'DimList')?.match(/[^("),]+/g) ?? []
  const [y, x] = dimensionsOf(shape, names, rows, columns)
  if (y === undefined || x === undefined) return undefined
  const origin = entryOf(block, 'GridOrigin') ?? ''
  // The first row is at the top and the first column on the left, unless the text says another corner.
  const [fromX, toX] = /_[UL]R$/.test(origin) ? [right, left] : [left, right]
  const [fromY, toY] = /_L[LR]$/.test(origin) ? [bottom, top] : [top, bottom]
  const along = (from: number, to: number, count: number) =>
    lineOf(i => from + ((i + 0.5) * (to - from)) / count)
  const projection = entryOf(block, 'Projection') ?? ''
  if (projection.endsWith('GCTP_GEO')) {
    const [west, east, north, south] = [fromX, toX, fromY, toY].map(degreesOf) as [
      number,
      number,
      number,
      number,
    ]
    return { kind: 'axes', y, x, latitude: along(north, south, rows), longitude: along(west, east, columns) }
  }
  const plane = planeOf(projection, numbersOf(block, 'ProjParams'))
  if (plane === undefined) return undefined
  return {
    kind: 'plane',
    y,
    x,
    rows: along(fromY, toY, rows),
    columns: along(fromX, toX, columns),
    toEarth: async () => (await import('./grid-mapping.ts')).toEarthFrom(plane),
  }
}

/** What follows a text up to the next line of `end`; undefined: the text is not there. */
function blockOf(text: string, begin: string, end: RegExp): string | undefined {
  const from = text.indexOf(begin)
  if (from < 0) return undefined
  const rest = text.slice(from)
  const length = rest.search(end)
  return length < 0 ? rest : rest.slice(0, length)
}

function entryOf(block: string, name: string): string | undefined {
  return new RegExp(`\\n[ \\t]*${name}=([^\\n]*)`).exec(block)?.[1]?.trim()
}

function numbersOf(block: string, name: string): readonly number[] {
  return (entryOf(block, name)?.match(/[-+.\dEe]+/g) ?? []).map(Number).filter(Number.isFinite)
}

/** By the names of the dimensions, or where the field has none by their lengths. */
function dimensionsOf(
  shape: readonly number[],
  names: readonly string[],
  rows: number,
  columns: number,
): readonly (number | undefined)[] {
  const named = ['YDim', 'XDim'].map(name => names.indexOf(name))
  const isNamed = named.every((d, i) => d >= 0 && shape[d] === [rows, columns][i])
  if (isNamed) return named
  const last = shape.length - 1
  return shape[last - 1] === rows && shape[last] === columns ? [last - 1, last] : []
}

/** DDDMMMSSS.SS: degrees, minutes and seconds of an angle, in one number. */
export function degreesOf(packed: number): number {
  const size = Math.abs(packed)
  const [degrees, minutes] = [Math.floor(size / 1e6), Math.floor((size % 1e6) / 1e3)]
  return Math.sign(packed) * (degrees + minutes / 60 + (size % 1e3) / 3600)
}

/** The sphere of GCTP, which is taken where parameters have none. */
const SPHERE = 6_370_997

/** As proj4 reads it; undefined: the projection is not known. */
function planeOf(projection: string, parameters: readonly number[]): string | undefined {
  const [major = 0, minor = 0, , , longitude = 0, latitude = 0] = parameters
  const radius = major > 0 ? major : SPHERE
  // The second one is the minor half-axis, or the square of the eccentricity.
  const polar = minor > 1 ? minor : radius * Math.sqrt(1 - Math.max(0, minor))
  const earth = `+x_0=0 +y_0=0 +a=${radius} +b=${polar} +lon_0=${degreesOf(longitude)}`
  const parallel = degreesOf(latitude)
  switch (/GCTP_(\w+)$/.exec(projection)?.[1]) {
    case 'SNSOID':
      return `+proj=sinu ${earth}`
    case 'LAMAZ':
      return `+proj=laea +lat_0=${parallel} ${earth}`
    case 'PS':
      return `+proj=stere +lat_0=${parallel < 0 ? -90 : 90} +lat_ts=${parallel} ${earth}`
    case 'CEA':
      return `+proj=cea +lat_ts=${parallel} ${earth}`
    default:
      return undefined
  }
}
