// An engine that fails where a test wants it to, by plan or by seed. A commit or a put that fails may or may not have
// been done, as with a real disk, and the plan says which of the two.

import type { Engine } from '@hyperslab/store/engines'
import { aroundEngine, type OperationName } from './around.ts'
import { seededNumbers } from './clock.ts'

/** `before`: the operation is not done; `after`: it is done, and rejects all the same. An error is given before. */
type Fault = 'before' | 'after' | Error

/** Asked for every operation, in the order they begin. */
export type FaultPlan = (operation: OperationName) => Fault | undefined

class InjectedFault extends Error {
  constructor(operation: OperationName, fault: 'before' | 'after') {
    super(`Injected fault: ${operation} fails ${fault} it is done`)
    this.name = 'InjectedFault'
  }
}

export function withFaults(engine: Engine, plan: FaultPlan): Engine {
  return aroundEngine(engine, async (operation, run) => {
    const fault = plan(operation)
    if (fault instanceof Error) throw fault
    if (fault === 'before') throw new InjectedFault(operation, fault)
    const result = await run()
    if (fault === 'after') throw new InjectedFault(operation, fault)
    return result
  })
}

/** Each operation that is named fails with its probability, half of them after they were done. */
export function seededFaults(seed: number, rates: Partial<Record<OperationName, number>>): FaultPlan {
  const next = seededNumbers(seed)
  return operation => {
    const [draw, half] = [next(), next()]
    if (draw >= (rates[operation] ?? 0)) return undefined
    return half < 0.5 ? 'before' : 'after'
  }
}
