// Work of many small steps is divided into turns of the event loop, so that no request blocks the others for longer
// than some milliseconds.

/** A round of the event loop may hold two turns, and a step that begins in one goes on for some milliseconds. */
const TURN_MILLISECONDS = 2

/**
 * When the turn of the event loop ends that is under way; all work in it shares its milliseconds. Undefined: no work
 * looked yet.
 */
let turnEnd: number | undefined

/** A queue of work that goes on in a later turn. */
const waiting: (() => void)[] = []

function beginTurn(): number {
  turnEnd = performance.now() + TURN_MILLISECONDS
  setImmediate(() => {
    turnEnd = undefined
  }).unref()
  return turnEnd
}

/** One in each turn: all of the queue, one after another, could hold the event loop for long. */
function resumeNext(): void {
  beginTurn()
  waiting.shift()?.()
  if (waiting.length > 0) setImmediate(resumeNext)
}

/** For steps so short that an `await` after each would take longer than they do. */
export function isTurnOver(): boolean {
  return performance.now() >= (turnEnd ?? beginTurn())
}

/** To be called after each step: lets the event loop go on when the turn is over. */
export async function nextTurn(): Promise<void> {
  if (!isTurnOver()) return
  await new Promise<void>(resolve => {
    waiting.push(resolve)
    if (waiting.length === 1) setImmediate(resumeNext)
  })
}

/** The same items; between them other requests can run. Items that are in memory already would block the event loop. */
export async function* inTurns<Item>(items: Iterable<Item> | AsyncIterable<Item>): AsyncGenerator<Item> {
  for await (const item of items) {
    await nextTurn()
    yield item
  }
}

/** Asked between the pieces of long work: throws when the caller has given up the work. */
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

/** Sorted at once: less than a millisecond. */
const RUN_LENGTH = 1000

/** A sorted copy, which keeps the order of what is equal: at once if the items are few. */
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
  let at = 0
  for (const item of second) {
    while (at < first.length && compare(first[at], item) <= 0) merged.push(first[at++])
    merged.push(item)
    if (merged.length % 64 === 0 && isTurnOver()) await nextTurn()
  }
  while (at < first.length) merged.push(first[at++])
  return merged
}
