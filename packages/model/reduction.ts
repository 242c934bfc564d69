// Door: what other packages use of model/reduction.

export { loaderOf, RUN } from './reduction/doubles.ts'
export { MissingMarker, type MissingNumbers } from './reduction/missing.ts'
export { Reducer } from './reduction/reducer.ts'
export {
  isNumeric,
  type NumericType,
  planReduction,
  REDUCTION_NAMES,
  type Reduction,
  type ReductionRequest,
  requireNumeric,
  SINGLE_NAMES,
  type SingleName,
} from './reduction/reduction.ts'
export { Histogram, Summarizer, type Summary } from './reduction/statistics.ts'
