// Which compounds are complex numbers: two floats of one type with the names that h5py, MATLAB, Octave and Julia give
// them. The page and the formats of the service both ask here.

/** A member of a compound. */
export interface PossiblePart {
  readonly name: string
  /** The form of its numbers; undefined: they are not floats. */
  readonly float: { readonly size: number; readonly isLittleEndian: boolean } | undefined
}

/** `r` and `i` of h5py, `real` and `imag` of MATLAB and Octave, `re` and `im` of Julia, in any case. */
const NAMES: ReadonlySet<string> = new Set(['r,i', 'real,imag', 're,im'])

export function areComplexParts([real, imaginary, ...others]: readonly PossiblePart[]): boolean {
  if (!real?.float || !imaginary?.float || others.length > 0) return false
  return (
    NAMES.has(`${real.name},${imaginary.name}`.toLowerCase()) &&
    real.float.size === imaginary.float.size &&
    real.float.isLittleEndian === imaginary.float.isLittleEndian
  )
}
