// Door: what other packages use of model/query.

export { BLOCK_LENGTH } from './query/block.ts'
export { compileQuery, type ElementTest } from './query/compile.ts'
export { fieldsOf } from './query/fields.ts'
export { parseQuery, type QueryGrammar } from './query/parse.ts'
export type { Query } from './query/query.ts'
export { coordinateBytes, elementsAt, prependCoordinates, withCoordinates } from './query/rows.ts'
export { compileScalarQuery, type Scalar, type ScalarQuery } from './query/scalars.ts'
