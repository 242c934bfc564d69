// Work that waits only for bytes of the file that are not in memory. It is written as a generator, which reads like an async
// function, with `yield*` for `await`; but what is in memory is done at once. A file may have a million small objects, and a
// promise for each of their parts would take longer than to decode them.

export type Steps<Result> = Generator<Promise<unknown>, Result, unknown>

/** The value: at once, unless it is a promise. */
export function* waitFor<Value>(value: Value | Promise<Value>): Steps<Value> {
  // `runSteps` gives back what the promise has become.
  return value instanceof Promise ? ((yield value) as Value) : value
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
