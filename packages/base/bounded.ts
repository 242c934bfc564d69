// Door: what other packages use of base/bounded.

export { BoundedMap } from './bounded/bounded-map.ts'
export { ByteGate } from './bounded/byte-gate.ts'
export { fnv1a } from './bounded/fnv.ts'
export { inOrder } from './bounded/in-order.ts'
export { inParallel } from './bounded/in-parallel.ts'
export { Interner } from './bounded/interner.ts'
export { type ByteRange, joinRanges, type TargetRange } from './bounded/join-ranges.ts'
export { SharedWork } from './bounded/shared-work.ts'
export { TaskLanes } from './bounded/task-lanes.ts'
export { type AbortCheck, inTurns, isTurnOver, nextTurn, runInTurns, sortInTurns } from './bounded/turns.ts'
