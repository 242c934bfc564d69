// Parts of drawings that stay the same as long as what they are made of is the same.

import { useMemo, useRef } from 'react'
import type { PlotAxis } from '../data/axis.ts'
import type { Quantity } from '../data/plot.ts'
import { geometryOf, type ImageGeometry } from './models/geometry.ts'
import { type ComplexPart, type Convert, converterOf } from './models/numbers.ts'

/** The same one as long as the axes are the same. Undefined: they are not known yet. */
export function useGeometry(y: PlotAxis | undefined, x: PlotAxis | undefined): ImageGeometry | undefined {
  return useMemo(() => y && x && { y: geometryOf(y), x: geometryOf(x) }, [y, x])
}

/** The functions that make numbers of quantities: the same ones for the same meanings. */
export function useConverters(quantities: readonly Quantity[], part: ComplexPart): readonly Convert[] {
  const keys = JSON.stringify(quantities.map(({ meaningKey }) => meaningKey))
  // biome-ignore lint/correctness/useExhaustiveDependencies: the keys are those of the meanings and the types
  return useMemo(() => quantities.map(quantity => converterOf(quantity, part)), [keys, part])
}

/** The former list, if its members are the same. */
export function useSame<Member>(list: readonly Member[]): readonly Member[] {
  const former = useRef(list)
  const isSame = former.current.length === list.length && list.every((one, i) => one === former.current[i])
  if (!isSame) former.current = list
  return former.current
}
