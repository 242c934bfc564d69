// The columns of a table of compounds: one for each value, named as the service names them in CSV and in queries.
// Members of members are `a.b`, elements of arrays `a[0]` (common 14). Names of members may have points and brackets,
// so two columns may have one name there; here the second is `a.b (2)`.

import { type Datatype, type Field, fixedSize, isComplex, numberForm } from '@hyperslab/client/elements'

export interface Column {
  /** Another one for each column. */
  readonly name: string
  /** The name in a query; undefined: it would mean something else too. */
  readonly field: string | undefined
  readonly type: Datatype
  /** The member at the top of the compound that it is part of: the service reads these. */
  readonly member: Field
  /** The positions on the way from that member to the leaf; empty for the member itself. */
  readonly path: readonly number[]
}

/** Columns of a table; a longer array is one cell. @limit memory, columns */
export const MAX_COLUMNS = 2000

export function columnsOf(fields: readonly Field[]): readonly Column[] {
  const columns: NestedColumn[] = []
  const uses = new Map<string, number>()
  for (const member of fields)
    addColumns(columns, uses, { name: member.name, type: member.type, member, path: [] })
  const names = new Set(columns.flatMap(({ name, path }) => (path.length === 0 ? [name] : [])))
  return columns.map(column => {
    // A name at the top means the member there, in queries and here.
    if (column.path.length === 0) return { ...column, field: column.name }
    const field = uses.get(column.name) === 1 ? column.name : undefined
    let { name } = column
    for (let number = 2; names.has(name); number++) name = `${column.name} (${number})`
    names.add(name)
    return { ...column, name, field }
  })
}

type NestedColumn = Omit<Column, 'field'>

/** `uses`: how many things have a name, columns and what has columns in it. */
function addColumns(columns: NestedColumn[], uses: Map<string, number>, column: NestedColumn): void {
  const { name, type, path } = column
  if (columns.length >= MAX_COLUMNS) return
  uses.set(name, (uses.get(name) ?? 0) + 1)
  // Complex numbers are one cell.
  if (type.class === 'H5T_COMPOUND' && !isComplex(type)) {
    for (const [i, field] of type.fields.entries())
      addColumns(columns, uses, {
        ...column,
        name: `${name}.${field.name}`,
        type: field.type,
        path: [...path, i],
      })
  } else if (type.class === 'H5T_ARRAY' && columns.length + (type.dims[0] ?? 0) <= MAX_COLUMNS) {
    const [extent = 0, ...inner] = type.dims
    const base: Datatype = inner.length === 0 ? type.base : { ...type, dims: inner }
    for (let i = 0; i < extent; i++)
      addColumns(columns, uses, { ...column, name: `${name}[${i}]`, type: base, path: [...path, i] })
  } else columns.push(column)
}

/** The value of a column in the value of its member. */
export function valueIn({ member, path }: Pick<Column, 'member' | 'path'>, value: unknown): unknown {
  let type = member.type
  let found = value
  for (let step = 0; step < path.length; ) {
    if (type.class === 'H5T_COMPOUND') {
      const position = path[step++] ?? 0
      found = (found as readonly unknown[] | undefined)?.[position]
      type = type.fields[position]?.type ?? type
    } else if (type.class === 'H5T_ARRAY') {
      // Elements of an array are in one list, whatever its rank.
      const positions = path.slice(step, step + type.dims.length)
      const size = type.dims.slice(positions.length).reduce((product, extent) => product * extent, 1)
      const start =
        size *
        positions.reduce(
          (at, position, d) => at * (type.class === 'H5T_ARRAY' ? (type.dims[d] ?? 1) : 1) + position,
          0,
        )
      const list = found as ArrayLike<unknown> | undefined
      const isWhole = positions.length === type.dims.length
      found = isWhole ? list?.[start] : list && Array.prototype.slice.call(list, start, start + size)
      step += positions.length
      type = type.base
    } else return undefined
  }
  return found
}

/** Where the bytes of a column are in those of its member, if all rows are of one size; undefined: they are not. */
export function placeOf({ member, path, type }: Column): BytePlace | undefined {
  const stride = fixedSize(member.type)
  const size = fixedSize(type)
  if (stride === undefined || size === undefined) return undefined
  let offset = 0
  let at = member.type
  for (let step = 0; step < path.length; ) {
    if (at.class === 'H5T_COMPOUND') {
      const position = path[step++] ?? 0
      for (const field of at.fields.slice(0, position)) offset += fixedSize(field.type) ?? 0
      at = at.fields[position]?.type ?? type
    } else if (at.class === 'H5T_ARRAY') {
      // Each index is that of a part of the size of all the dimensions behind.
      const { dims, base } = at
      let part = fixedSize(at) ?? 0
      for (const extent of dims) {
        if (step === path.length) break
        part /= extent
        offset += (path[step++] ?? 0) * part
      }
      at = base
    } else return undefined
  }
  return { stride, offset, size }
}

export interface BytePlace {
  /** Bytes from one row to the next. */
  readonly stride: number
  readonly offset: number
  readonly size: number
}

/** The bytes at a place of each row, one after another. */
export function bytesAt(
  bytes: Uint8Array<ArrayBuffer>,
  { stride, offset, size }: BytePlace,
  count: number,
): Uint8Array<ArrayBuffer> {
  if (offset === 0 && size === stride) return bytes
  const found = new Uint8Array(count * size)
  for (let row = 0, to = 0; row < count; row++) {
    const from = row * stride + offset
    for (let i = 0; i < size; i++) found[to++] = bytes[from + i] ?? 0
  }
  return found
}

/** Whether the service can compare the values in a query, with a number or a string. */
export function isComparable({ type, field }: Column): boolean {
  if (field === undefined) return false
  if (type.class === 'H5T_REFERENCE') return type.base === 'H5T_STD_REF_OBJ'
  return type.class === 'H5T_STRING' || numberForm(type) !== undefined
}

/** Whether the values are numbers, which can be drawn. */
export function isDrawable({ type }: Pick<Column, 'type'>): boolean {
  return ['H5T_INTEGER', 'H5T_FLOAT', 'H5T_BITFIELD', 'H5T_ENUM'].includes(type.class)
}

/** The compound of only some members, which the service sends for `fields`. */
export function partOf(fields: readonly Field[], members: ReadonlySet<string>): Datatype {
  return { class: 'H5T_COMPOUND', fields: fields.filter(({ name }) => members.has(name)) }
}

/** Whether the members can be named in an address, whose names are separated by colons. */
export function canName(members: Iterable<string>): boolean {
  return [...members].every(name => !name.includes(':'))
}

/** Bytes of a row, to know how many to read at once. */
export function rowBytes(type: Datatype): number {
  return fixedSize(type) ?? 1024
}
