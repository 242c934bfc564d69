// The rules of values in which dialects differ; the files about values in this folder read them.

import type { SelectionGrammar } from '../../hdf5/selection/request.ts'

/** Values of datasets and attributes. */
export interface ValueRules {
  /** How selections are written (classic 15.2; hsds-values 9). */
  readonly selections: SelectionGrammar
  /** Bodies may have `fields`, and those of PUT `append`, `append_dim`, `element_count` and `query` (hsds-values 7 and 10). */
  readonly options: boolean
  /** POST reads points only (classic 7.9), or any selection that PUT has (hsds-values 8). */
  readonly postReads: 'points' | 'any'
  /** Every read sends bytes when they are asked for, or only GET does (classic 3.3). */
  readonly binaryMethods: 'all' | 'get'
  /** A single element is sent as bytes too, or as JSON whatever is asked for (classic 7.8). */
  readonly binaryOfOne: boolean
  /** Values that are sent and taken as bytes: those of any type, or of fixed size and without references. */
  readonly binaryTypes: 'any' | 'fixed'
  /** Bodies of values whose content type is neither JSON nor bytes are rejected, or read as JSON (hsds-values 1.2). */
  readonly knownContentTypes: boolean
  /** Opaque values have a JSON form (base64), or none. */
  readonly opaque: 'base64' | 'error'
  /** Bytes of a dataset's strings that are not UTF-8, in JSON: escaped as lone surrogates, or an error. */
  readonly nonUtf8Text: 'escaped' | 'error'
  /** Sequences of sequences and of variable strings: dataset values of such types are stored, or an error. */
  readonly nestedSequences: 'stored' | 'error'
  /** Of the values in a JSON body only the count has to fit, or their nesting too (classic 7.10; hsds-values 7.2). */
  readonly countsOnly: boolean
  /** Values may be written to a selection without elements (hsds-values 7.2). */
  readonly writesNothing: boolean
  /** A read of a dataset with a null dataspace is answered with null, or an error. */
  readonly null: 'null' | 'error'
}
