// Work that waits only for bytes of the file that are not in memory. It is a generator, which reads like an async
// function with `yield*` for `await`, but work on data in memory is done at once. A file may have a million small
// objects, and a promise for each of their parts would take longer than to decode them.

export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>

/** The value, at once unless it is a promise. */
export function waitFor<Value>(value: Value | Promise<Value>): Iterable<Promise<unknown>, Value, unknown> {
  return value instanceof Promise ? settled(value) : new Ready(value)
}

function* settled<Value>(promise: Promise<Value>): Steps<Value> {
  // `runSteps` passes the result of the promise back.
  return (yield promise) as Value
}

/** Steps that have already ended, with their result: a generator for each value would take ten times the memory. */
class Ready<Value> implements IteratorReturnResult<Value> {
  readonly done = true
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }

  [Symbol.iterator](): Iterator<never, Value> {
    return this
  }

  next(): IteratorReturnResult<Value> {
    return this
  }
}

/** The result: at once, if no step had to wait. So use `await`, or `waitFor` within other steps. */
export function runSteps<Result>(steps: Steps<Result>): Result | Promise<Result> {
  const { done, value } = steps.next()
  return done ? value : runFrom(steps, value)
}

async function runFrom<Result>(steps: Steps<Result>, first: Promise<unknown>): Promise<Result> {
  for (let pending = first; ; ) {
    const next = await pending.then(
      value => () => steps.next(value),
      (error: unknown) => () => steps.throw(error),
    )
    const { done, value } = next()
    if (done) return value
    pending = value
  }
}
