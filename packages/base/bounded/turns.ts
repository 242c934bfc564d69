// Divides work of many small steps into turns of the event loop, so that no request blocks the others for longer than
// some milliseconds.

import { SYSTEM_CLOCK } from '../clock.ts'

/** A round of the event loop may hold two turns, and a step that begins in one may take some milliseconds more. */
const TURN_MILLISECONDS = 2

/**
 * The end of the current turn of the event loop; all work in it shares its milliseconds. Undefined: no work has checked
 * it yet.
 */
let turnEnd: number | undefined

/**
 * Runs a task in a later turn of the event loop. Browsers have no `setImmediate`, and begin a timer late: there it is a
 * message. No timer of Node keeps the process alive for the mark of a turn.
 */
const LATER: { readonly soon: (task: () => void) => void; readonly unheld: (task: () => void) => void } =
  laterInNode() ?? byMessages()

function laterInNode() {
  // A global of Node, whose types the package for browsers does not have.
  const { setImmediate } = globalThis as { setImmediate?: (task: () => void) => { unref(): void } }
  return (
    setImmediate && {
      soon: (task: () => void) => void setImmediate(task),
      unheld: (task: () => void) => setImmediate(task).unref(),
    }
  )
}

interface Channel {
  readonly port1: { onmessage: () => void }
  readonly port2: { postMessage(message: undefined): void }
}

function byMessages() {
  // The types of Node lack the handler that browsers have.
  const { port1, port2 } = new MessageChannel() as unknown as Channel
  const tasks: (() => void)[] = []
  port1.onmessage = () => tasks.shift()?.()
  const soon = (task: () => void) => {
    tasks.push(task)
    port2.postMessage(undefined)
  }
  return { soon, unheld: soon }
}

/** The queue of work that continues in a later turn. */
const waiting: (() => void)[] = []

function beginTurn(): number {
  turnEnd = SYSTEM_CLOCK.elapsed() + TURN_MILLISECONDS
  LATER.unheld(() => {
    turnEnd = undefined
  })
  return turnEnd
}

/** Resumes one in each turn: all of the queue, one after another, could block the event loop for long. */
function resumeNext(): void {
  beginTurn()
  waiting.shift()?.()
  if (waiting.length > 0) LATER.soon(resumeNext)
}

/** Whether the turn is over: for steps so short that an `await` after each would take longer than the step. */
export function isTurnOver(): boolean {
  return SYSTEM_CLOCK.elapsed() >= (turnEnd ?? beginTurn())
}

/** Must be called after each step: lets the event loop continue when the turn is over. */
export async function nextTurn(): Promise<void> {
  if (!isTurnOver()) return
  await new Promise<void>(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) LATER.soon(resumeNext)
  })
}

/**
 * Yields the items, and lets other requests run between them. Without this, items that are in memory already would
 * block the event loop.
 */
export async function* inTurns<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    await nextTurn()
    yield item
  }
}

/** A check between the pieces of long work: throws when the caller has abandoned the work. */
export type AbortCheck = Pick<AbortSignal, 'throwIfAborted'>

/** Runs all steps, and returns their result. */
export async function runInTurns<Result>(
  steps: Generator<void, Result>,
  signal?: AbortCheck,
): Promise<Result> {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
    signal?.throwIfAborted()
    if (isTurnOver()) await nextTurn()
  }
}

/** Items that are sorted at once, in less than a millisecond. */
const RUN_LENGTH = 1000

/** A sorted copy, in which equal items keep their order; few items are sorted at once. */
export function sortInTurns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Item[] | Promise<Item[]> {
  return items.length <= RUN_LENGTH ? [...items].sort(compare) : mergeRuns(items, compare)
}

async function mergeRuns<Item>(
  items: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  let runs: Item[][] = []
  for (let start = 0; start < items.length; start += RUN_LENGTH) {
    runs.push(items.slice(start, start + RUN_LENGTH).sort(compare))
    await nextTurn()
  }
  while (runs.length > 1) {
    const merged: Item[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(at + 1 < runs.length ? await merge(runs[at], runs[at + 1], compare) : runs[at])
    }
    runs = merged
  }
  return runs[0] ?? []
}

async function merge<Item>(
  first: readonly Item[],
  second: readonly Item[],
  compare: (a: Item, b: Item) => number,
): Promise<Item[]> {
  const merged: Item[] = []
  let index = 0
  for (const item of second) {
    while (index < first.length && compare(first[index], item) <= 0) merged.push(first[index++])
    merged.push(item)
    if (merged.length % 64 === 0 && isTurnOver()) await nextTurn()
  }
  while (index < first.length) merged.push(first[index++])
  return merged
}
