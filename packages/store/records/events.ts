// Events: each commit that changes something adds one to a log, with the domains and objects that it changed. The log
// is part of the commit, so an event is there exactly when its change is, and the numbers of events are in the order of
// the commits, in every process. Old events are removed (event-trimmer.ts).

import { hash } from 'node:crypto'
import type { Timestamp } from '@hyperslab/model/names'
import { logKey, logNumber } from '../batch.ts'
import type { Changes, Reads } from '../changes.ts'
import { stateOfStamp } from '../interfaces/domain-state.ts'
import type { Snapshot } from '../interfaces/engine.ts'
import type { EventId, StoreEvent } from '../interfaces/store.ts'
import { rangeOf } from '../key-range.ts'
import { counterOf } from './counters.ts'
import type { StoredEvent } from './event-notes.ts'
import { EVENTS_KEY, EVENTS_REMOVED_KEY } from './keys.ts'
import { decodeRecord } from './record.ts'

const EVENT_ID = /^(0|[1-9]\d{0,15})-([0-9a-f]{8})$/
/** The position before all events. */
export const FIRST_POSITION = '0-00000000' as EventId

/** The id of the newest event. */
export async function newestEvent(reads: Pick<Snapshot, 'range'>): Promise<EventId> {
  for await (const { key, value } of reads.range({ ...rangeOf(EVENTS_KEY), limit: 1, reverse: true })) {
    return eventId(logNumber(key), value)
  }
  return FIRST_POSITION
}

/**
 * Up to `limit` events after a position, in their order. `removed`: events after it may have been removed; `unknown`:
 * the store never had such an event.
 */
export async function eventsAfter(
  reads: Reads,
  position: string,
  limit: number,
): Promise<readonly StoreEvent[] | 'removed' | 'unknown'> {
  const [, digits] = EVENT_ID.exec(position) ?? []
  const number = Number(digits)
  if (digits === undefined || !Number.isSafeInteger(number)) return 'unknown'
  const events: StoreEvent[] = []
  let isAtPosition = false
  const { end } = rangeOf(EVENTS_KEY)
  // The event at the position is read too: if it is still there, so are all after it.
  for await (const { key, value } of reads.range({
    start: logKey(EVENTS_KEY, number),
    end,
    limit: limit + 1,
  })) {
    const event = decodeEvent(logNumber(key), value)
    if (event.number > number) events.push(event)
    else if (event.id !== position) return 'unknown'
    else isAtPosition = true
  }
  if (isAtPosition) return events.slice(0, limit)
  const removed = await lastRemoved(reads)
  if (position === FIRST_POSITION && removed === undefined) return events.slice(0, limit)
  return number <= (removed ?? -1) ? 'removed' : 'unknown'
}

/** The number of the last event that was removed; undefined: none was. */
export async function lastRemoved(reads: Reads): Promise<number | undefined> {
  const record = await reads.get(EVENTS_REMOVED_KEY)
  return record && counterOf(record)
}

function decodeEvent(number: number, record: Uint8Array): StoreEvent {
  const { time, domains = [], entries = [], more = false } = decodeRecord<StoredEvent>(record)
  return {
    id: eventId(number, record),
    number,
    time,
    domains: domains.map(({ stamp, ...domain }) => {
      return stamp === undefined ? domain : { ...domain, state: stateOfStamp(domain.root, stamp) }
    }),
    entries,
    more,
  }
}

/** The number, and a check: a store that was restored gives a number again to another event. */
function eventId(number: number, record: Uint8Array): EventId {
  return `${number}-${hash('sha256', record).slice(0, 8)}` as EventId
}

/** Events that are looked at in one step. */
const PIECE_EVENTS = 1000

/** Events one after another, which are removed together. */
export interface EventPiece {
  /** The number of the last one. */
  readonly last: number
  /** The times of the first and the last one. */
  readonly begun: Timestamp
  readonly time: Timestamp
  readonly bytes: number
}

/** A piece ends with the event that makes it so large, and before the one that would make it longer. */
export interface PieceSize {
  readonly bytes: number
  readonly microseconds: number
}

/** The events after the number `after`, a piece of them; undefined: there are none. */
export async function nextEventPiece(
  reads: Reads,
  after: number,
  size: PieceSize,
): Promise<EventPiece | undefined> {
  const { end } = rangeOf(EVENTS_KEY)
  let piece: EventPiece | undefined
  for await (const { key, value } of reads.range({
    start: logKey(EVENTS_KEY, after + 1),
    end,
    limit: PIECE_EVENTS,
  })) {
    const time = timeOf(value)
    const begun = piece?.begun ?? time
    if (time - begun > size.microseconds) break
    const bytes = (piece?.bytes ?? 0) + key.length + value.length
    piece = { last: logNumber(key), begun, time, bytes }
    if (bytes >= size.bytes) break
  }
  return piece
}

/** `time`, the first member of the record, which is read without the rest: each event is looked at. */
function timeOf(record: Uint8Array): Timestamp {
  const start = Buffer.from(record.buffer, record.byteOffset, Math.min(record.length, LONGEST_TIME))
  const digits = FIRST_MEMBER.exec(start.toString('latin1'))?.[1]
  return digits === undefined ? decodeRecord<StoredEvent>(record).time : Number(digits)
}

/** Bytes in which the time ends. */
const LONGEST_TIME = 32
const FIRST_MEMBER = /^.\{"time":(\d+)[,}]/s

/** Removes the events before that number, which must not be higher than that of the newest event. */
export function removeEvents(changes: Changes, before: number): void {
  changes.deleteRange({ start: logKey(EVENTS_KEY, 0), end: logKey(EVENTS_KEY, before) })
  changes.raise(EVENTS_REMOVED_KEY, before - 1)
}
