// Whether requests that overlap have an order. A register holds one value; each write has a value of its own. The
// history of a register is linearizable if each request can be given a moment between its start and its end, so that
// each read gives the value of the last write before it. With values that differ this is decided value by value
// (Gibbons and Korach, Testing Shared Memories, 1997, section 4).

export interface Operation {
  readonly kind: 'write' | 'read'
  readonly value: number
  readonly start: number
  /** Infinity: a write that was not answered, which may have happened at any time after its start, or never. */
  readonly end: number
}

/**
 * All operations of a value happen between these: the value is there from one to the other, in whichever order they
 * are.
 */
interface Zone {
  readonly value: number
  readonly firstEnd: number
  readonly lastStart: number
}

/**
 * Throws an error that names operations for which there is no order. The first value is there before all operations.
 */
export function requireOrder(operations: readonly Operation[], firstValue: number): void {
  const first: Operation = {
    kind: 'write',
    value: firstValue,
    start: Number.NEGATIVE_INFINITY,
    end: Number.NEGATIVE_INFINITY,
  }
  const writes = new Map([[firstValue, first]])
  for (const operation of operations) {
    if (operation.kind !== 'write') continue
    if (writes.has(operation.value)) throw new Error(`the value ${operation.value} was written twice`)
    writes.set(operation.value, operation)
  }
  const zones = zonesOf(operations, writes)
  const forward = zones.filter(({ firstEnd, lastStart }) => firstEnd < lastStart)
  forward.sort((a, b) => a.firstEnd - b.firstEnd)
  for (const [index, zone] of forward.entries()) {
    const next = forward[index + 1]
    if (next && next.firstEnd < zone.lastStart)
      throw new Error(`no order: ${textOf(zone)} and ${textOf(next)} were there in turn`)
  }
  for (const zone of zones) {
    if (zone.firstEnd < zone.lastStart) continue
    const around = forward.find(
      ({ firstEnd, lastStart }) => firstEnd < zone.lastStart && zone.firstEnd < lastStart,
    )
    if (around) throw new Error(`no order: ${textOf(zone)} was written while ${textOf(around)} was there`)
  }
}

function zonesOf(operations: readonly Operation[], writes: ReadonlyMap<number, Operation>): Zone[] {
  const zones = new Map<number, Zone>()
  const reads = new Set<number>()
  const extend = ({ value, start, end }: Operation) => {
    const zone = zones.get(value)
    zones.set(value, {
      value,
      firstEnd: Math.min(zone?.firstEnd ?? end, end),
      lastStart: Math.max(zone?.lastStart ?? start, start),
    })
  }
  for (const write of writes.values()) extend(write)
  for (const operation of operations) {
    if (operation.kind !== 'read') continue
    const write = writes.get(operation.value)
    if (write === undefined) throw new Error(`a read gave ${operation.value}, which was never written`)
    if (operation.end < write.start)
      throw new Error(`a read gave ${operation.value} before its write had begun`)
    reads.add(operation.value)
    extend(operation)
  }
  // A write that was neither answered nor read may never have happened.
  return [...zones.values()].filter(
    ({ value }) => reads.has(value) || writes.get(value)?.end !== Number.POSITIVE_INFINITY,
  )
}

function textOf({ value, firstEnd, lastStart }: Zone): string {
  return `the value ${value} (first end ${firstEnd.toFixed(1)} ms, last start ${lastStart.toFixed(1)} ms)`
}
