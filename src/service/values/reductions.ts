// Selected values brought down in size, before they are sent.

import { Reducer } from '../../hdf5/reduction/reducer.ts'
import { planReduction, type Reduction, type ReductionRequest } from '../../hdf5/reduction/reduction.ts'
import type { Elements } from '../../hdf5/values/elements.ts'
import { isTurnOver, nextTurn } from '../../turns.ts'
import { repeatable, type SelectedValues } from './values.ts'

/** Values of another type and shape, made while these are read. Throws what `planReduction` does. Those of a null dataspace stay absent. */
export function reduceValues(values: SelectedValues, request: ReductionRequest): SelectedValues {
  const { type, shape, pieces } = values
  if (shape === undefined) return values
  const reduction = planReduction(type, shape, request)
  return { ...values, ...reduction.result, pieces: repeatable(() => reduced(reduction, pieces)) }
}

async function* reduced(reduction: Reduction, pieces: AsyncIterable<Elements>): AsyncGenerator<Elements> {
  const reducer = new Reducer(reduction)
  for await (const piece of pieces) {
    for (const part of reducer.push(piece)) {
      if (part) yield part
      if (isTurnOver()) await nextTurn()
    }
  }
}
