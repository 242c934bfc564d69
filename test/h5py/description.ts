// The description of a file by libhdf5: by describe.py through h5py, or by h5wasm/describe.ts, which leaves out some of
// it.

export interface DescribedValue {
  readonly sha1: string
  /** The first bytes in hexadecimal; of types of variable size the first elements as strings (element-text.ts). */
  readonly head: string | readonly string[]
}

export interface DescribedSpace {
  readonly class: 'null' | 'scalar' | 'simple'
  readonly dims?: readonly string[]
  /** Null: unlimited. */
  readonly maxdims?: readonly (string | null)[]
}

interface DescribedType {
  /** Absent when the model has none, for the reason `unsupported`. */
  readonly type?: string
  readonly unsupported?: string
  readonly committed?: string | null
}

export interface DescribedAttribute extends DescribedType {
  readonly name?: string
  readonly unopenable?: string
  readonly unreadable?: string
  readonly space?: DescribedSpace
  readonly value?: DescribedValue
}

export interface DescribedLink {
  readonly name: string
  readonly hard?: string
  readonly soft?: string
  /** Path and file. */
  readonly external?: readonly [string, string]
  readonly user?: number
  readonly unopenable?: string
}

export type DescribedBox = DescribedValue & {
  readonly start: readonly number[]
  readonly count: readonly number[]
  readonly unreadable?: string
}

export interface DescribedObject extends DescribedType {
  /** Absent when libhdf5 cannot say. */
  readonly kind?: 'group' | 'dataset' | 'datatype'
  readonly comment?: string
  readonly attributes?: readonly DescribedAttribute[]
  readonly links?: readonly DescribedLink[]
  readonly space?: DescribedSpace
  readonly layout?: string
  readonly chunks?: readonly number[] | null
  readonly allocTime?: string
  readonly fillTime?: string
  readonly filters?: readonly number[]
  readonly fill?: DescribedValue | null
  /** The offset of each chunk in elements. */
  readonly stored?: readonly (readonly number[])[] | null
  readonly values?: readonly DescribedBox[]
}

export interface Description {
  readonly root?: string
  readonly objects?: Readonly<Record<string, DescribedObject>>
  /** There are more objects than were described. */
  readonly truncated?: boolean
  /** The reason that libhdf5 does not open the file. */
  readonly error?: string
  /** The signal or status that ended libhdf5. */
  readonly failed?: string
}
