// Door: what other packages use of model/reduction.

export { type Accumulator, newAccumulator } from './reduction/accumulators.ts'
export { loaderOf, RUN } from './reduction/doubles.ts'
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
