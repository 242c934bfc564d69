// The sample domain of a new data folder, the same on every machine. It shows the parts of the model: groups, a field,
// a stack, a table, a time series that can grow, attributes, a committed datatype, soft and hard links.

import { type Dataspace, extentsOf, parseCreationProperties, UNLIMITED } from '@hyperslab/model/dataset'
import { type Datatype, elementSize, parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson, type JsonValue } from '@hyperslab/model/json'
import {
  type DomainPath,
  type ObjectId,
  type ObjectIds,
  type ObjectKind,
  parseDomainPath,
  ROOT_FOLDER,
  type Timestamp,
} from '@hyperslab/model/names'
import { type Elements, EMPTY_HEAP, PREFIXED_REFERENCES, singlePiece } from '@hyperslab/model/values'
import type { Store, Writer } from '@hyperslab/store/store'
import { SELECT_ALL } from '../../service/selection/request.ts'
import { resolveSelection } from '../../service/selection/resolve.ts'

export const SAMPLE_DOMAIN: DomainPath = parseDomainPath('/sample.h5')

/** Creates the sample domain in an empty data folder; true if it did. */
export function createSampleIfEmpty(store: Store): Promise<boolean> {
  return store.write(async writer => {
    for await (const _entry of writer.children(ROOT_FOLDER, { limit: 1 })) return false
    await createSample(writer, store.ids)
    return true
  })
}

const TEXT = {
  class: 'H5T_STRING',
  length: 'H5T_VARIABLE',
  charSet: 'H5T_CSET_UTF8',
  strPad: 'H5T_STR_NULLTERM',
} as const
const NAME: Datatype = { ...TEXT, length: 16, charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }
const BOOLEAN: Datatype = {
  class: 'H5T_ENUM',
  base: { class: 'H5T_INTEGER', size: 1, signed: true, order: 'LE' },
  members: [
    { name: 'FALSE', value: 0 },
    { name: 'TRUE', value: 1 },
  ],
}
const FLOAT32 = parseDatatype('H5T_IEEE_F32LE')
const FLOAT64 = parseDatatype('H5T_IEEE_F64LE')
const INT32 = parseDatatype('H5T_STD_I32LE')
const INT64 = parseDatatype('H5T_STD_I64LE')
const UINT8 = parseDatatype('H5T_STD_U8LE')

async function createSample(writer: Writer, ids: ObjectIds): Promise<void> {
  const sample = new Sample(writer, ids)
  const { root } = sample
  await sample.createRoot()
  await sample.attribute(root, 'title', TEXT, 'Sample domain of Hyperslab')
  await sample.attribute(root, 'created by', TEXT, 'hyperslab serve')
  await sample.attribute(root, 'about', TEXT, [
    'Everything here is computed, not measured.',
    'Change and delete what you like: it is made again only in an empty data folder.',
  ])
  await sample.attribute(root, 'answer', INT32, 42)
  await sample.attribute(root, 'golden ratio', FLOAT64, (1 + Math.sqrt(5)) / 2)
  await sample.attribute(root, 'fibonacci', INT64, [1, 1, 2, 3, 5, 8, 13, 21])
  await sample.attribute(root, 'is computed', BOOLEAN, true)

  const height = await createField(sample)
  await createStack(sample)
  await createStations(sample)
  await createSeries(sample)
  const favourites = await sample.group(root, 'favourites')
  await sample.link(favourites, 'waves', 'dataset', height)
  await sample.softLink(favourites, 'warmth', '/series/temperature')
}

/** A snapshot of waves from a few sources on water. */
async function createField(sample: Sample): Promise<ObjectId> {
  const [rows, columns] = [256, 384]
  const sources = [
    { row: 70, column: 90, length: 24 },
    { row: 180, column: 150, length: 18 },
    { row: 110, column: 320, length: 30 },
  ]
  const values = numbers(FLOAT32, rows * columns, index => {
    const [row, column] = [Math.floor(index / columns), index % columns]
    let height = 0
    for (const source of sources) {
      const distance = lengthOf(row - source.row, column - source.column)
      height += Math.cos((2 * Math.PI * distance) / source.length) / (1 + distance / 60)
    }
    return height
  })
  const waves = await sample.group(sample.root, 'waves')
  const field = await sample.dataset(waves, 'height', { type: FLOAT32, space: simple(rows, columns), values })
  await sample.attribute(field, 'long_name', TEXT, 'height of the water above its mean')
  await sample.attribute(field, 'units', TEXT, 'm')
  await sample.attribute(field, 'valid_range', FLOAT32, [-3, 3])
  return field
}

/** Slices through a few soft balls. */
async function createStack(sample: Sample): Promise<void> {
  const [slices, rows, columns] = [32, 64, 64]
  const balls = [
    { slice: 10, row: 22, column: 24, radius: 9 },
    { slice: 18, row: 38, column: 40, radius: 13 },
    { slice: 25, row: 16, column: 46, radius: 7 },
  ]
  const values = numbers(UINT8, slices * rows * columns, index => {
    const column = index % columns
    const row = Math.floor(index / columns) % rows
    const slice = Math.floor(index / (rows * columns))
    let density = 0
    for (const ball of balls) {
      const distance = lengthOf(slice - ball.slice, row - ball.row, column - ball.column) / ball.radius
      density += Math.exp(-distance * distance)
    }
    return Math.min(255, Math.round(200 * density))
  })
  const tomography = await sample.group(sample.root, 'tomography')
  const stack = await sample.dataset(tomography, 'density', {
    type: UINT8,
    space: simple(slices, rows, columns),
    values,
  })
  await sample.attribute(stack, 'long_name', TEXT, 'density in slices from top to bottom')
  await sample.attribute(stack, 'voxel size', FLOAT64, [1, 0.5, 0.5])
  await sample.attribute(stack, 'units', TEXT, 'mm')
}

/** A table of fifty weather stations. */
async function createStations(sample: Sample): Promise<void> {
  const count = 50
  const type: Datatype = {
    class: 'H5T_COMPOUND',
    fields: [
      { name: 'name', type: NAME },
      { name: 'latitude', type: FLOAT64 },
      { name: 'longitude', type: FLOAT64 },
      { name: 'height', type: parseDatatype('H5T_STD_I16LE') },
      { name: 'measured', type: FLOAT32 },
    ],
  }
  const rows = Array.from({ length: count }, (_, index): JsonValue => {
    const [first, second, last] = [index % 7, (index * 3) % 10, (index * 7) % 8]
    const name = `${FIRST[first]}${SECOND[second]}${LAST[last]}`
    const latitude = round(47 + 8 * fraction(index * 0.618), 4)
    const longitude = round(6 + 9 * fraction(index * 0.755), 4)
    const height = Math.round(2900 * fraction(index * 0.57) ** 3) + 2
    const measured = round(19 - 0.0065 * height - 0.6 * (latitude - 50), 1)
    return [name, latitude, longitude, height, measured]
  })
  const values = elementsFromJson(type, [count], rows, PREFIXED_REFERENCES)
  const stations = await sample.dataset(sample.root, 'stations', { type, space: simple(count), values })
  await sample.attribute(stations, 'long_name', TEXT, 'stations with their mean temperature')
  await sample.attribute(stations, 'units', TEXT, [
    '',
    'degrees north',
    'degrees east',
    'm',
    'degrees Celsius',
  ])
}

const FIRST = ['Al', 'Ber', 'Dor', 'Kal', 'Mar', 'Ost', 'Wil']
const SECOND = ['den', 'gen', 'len', 'min', 'nau', 'rin', 'sen', 'ter', 'ven', 'win']
const LAST = ['au', 'bach', 'berg', 'feld', 'heim', 'see', 'tal', 'wald']

/** Ten days of temperatures, a value every ten minutes; more can be appended. */
async function createSeries(sample: Sample): Promise<void> {
  const count = 1440
  const space: Dataspace = { class: 'H5S_SIMPLE', dims: [count], maxdims: [UNLIMITED] }
  const types = await sample.group(sample.root, 'types')
  const celsius = await sample.datatype(types, 'celsius', FLOAT32)
  await sample.attribute(celsius, 'units', TEXT, 'degrees Celsius')
  const series = await sample.group(sample.root, 'series')
  const start = Date.UTC(2024, 5, 1) / 1000
  const times = numbers(INT64, count, index => start + 600 * index)
  const temperatures = numbers(FLOAT32, count, index => {
    const day = index / 144
    return (
      16 +
      6 * Math.sin(2 * Math.PI * (day - 0.375)) +
      2 * Math.sin(day) +
      Math.sin(17 * day) * Math.cos(5 * day)
    )
  })
  const time = await sample.dataset(series, 'time', { type: INT64, space, values: times })
  await sample.attribute(time, 'units', TEXT, 'seconds since 1970-01-01')
  const temperature = await sample.dataset(series, 'temperature', {
    type: FLOAT32,
    space,
    values: temperatures,
    committedType: celsius,
  })
  await sample.attribute(temperature, 'long_name', TEXT, 'temperature of the air')
}

interface SampleDataset {
  readonly type: Datatype
  readonly space: Dataspace
  readonly values: Elements
  readonly committedType?: ObjectId
}

/** Puts objects into the sample domain. */
class Sample {
  readonly root: ObjectId
  readonly #writer: Writer
  readonly #ids: ObjectIds
  readonly #time: Timestamp

  constructor(writer: Writer, ids: ObjectIds) {
    this.#writer = writer
    this.#ids = ids
    this.#time = writer.time
    this.root = ids.newRoot()
  }

  async createRoot(): Promise<void> {
    const time = this.#time
    const dates = { created: time, lastModified: time }
    await this.#writer.putDomain({
      path: SAMPLE_DOMAIN,
      root: this.root,
      ...dates,
      readOnly: false,
      closed: false,
    })
    await this.#writer.createObject({ kind: 'group', ...this.#base(this.root) })
  }

  async group(parent: ObjectId, title: string): Promise<ObjectId> {
    const base = this.#base()
    await this.#writer.createObject({ kind: 'group', ...base })
    await this.link(parent, title, 'group', base.id)
    return base.id
  }

  async datatype(parent: ObjectId, title: string, type: Datatype): Promise<ObjectId> {
    const base = this.#base()
    await this.#writer.createObject({ kind: 'datatype', type, ...base })
    await this.link(parent, title, 'datatype', base.id)
    return base.id
  }

  async dataset(
    parent: ObjectId,
    title: string,
    { type, space, values, committedType }: SampleDataset,
  ): Promise<ObjectId> {
    const dataset = {
      kind: 'dataset',
      ...this.#base(),
      type,
      ...(committedType && { committedType }),
      space,
      creationProperties: parseCreationProperties(undefined, type, space),
    } as const
    await this.#writer.createObject(dataset)
    await this.#writer.writeValues(dataset, resolveSelection(SELECT_ALL, space), singlePiece(values))
    await this.link(parent, title, 'dataset', dataset.id)
    return dataset.id
  }

  async link(group: ObjectId, title: string, kind: ObjectKind, id: ObjectId): Promise<void> {
    const target = { class: 'H5L_TYPE_HARD', kind, id } as const
    await this.#writer.putLinks(group, { title, created: this.#time, target })
  }

  async softLink(group: ObjectId, title: string, h5path: string): Promise<void> {
    const target = { class: 'H5L_TYPE_SOFT', h5path } as const
    await this.#writer.putLinks(group, { title, created: this.#time, target })
  }

  /** A list of values is one-dimensional, a value alone is a scalar. */
  async attribute(owner: ObjectId, name: string, type: Datatype, json: JsonValue): Promise<void> {
    const space: Dataspace = Array.isArray(json) ? simple(json.length) : { class: 'H5S_SCALAR' }
    const value = elementsFromJson(type, extentsOf(space), json, PREFIXED_REFERENCES)
    const dates = { created: this.#time, lastModified: this.#time }
    await this.#writer.putAttributes(owner, { name, type, space, value, ...dates })
  }

  #base(id = this.#ids.newObject(this.root)) {
    return { id, created: this.#time, acl: [] }
  }
}

function simple(...dims: number[]): Dataspace {
  return { class: 'H5S_SIMPLE', dims }
}

/** Elements of a numeric, little-endian datatype. */
function numbers(type: Datatype, count: number, valueAt: (index: number) => number): Elements {
  const size = elementSize(type)
  const data = new Uint8Array(count * size)
  const view = new DataView(data.buffer)
  for (let index = 0; index < count; index++) {
    const value = valueAt(index)
    if (type.class === 'H5T_FLOAT') view.setFloat32(index * size, value, true)
    else if (size === 1) view.setUint8(index, value)
    else view.setBigInt64(index * size, BigInt(value), true)
  }
  return { count, data, heap: EMPTY_HEAP }
}

/** The length of a vector. Math.hypot, which avoids overflows, takes ten times as long. */
function lengthOf(x: number, y: number, z = 0): number {
  return Math.sqrt(x * x + y * y + z * z)
}

/** The digits after the decimal point. */
function fraction(value: number): number {
  return value - Math.floor(value)
}

function round(value: number, digits: number): number {
  return Number(value.toFixed(digits))
}
