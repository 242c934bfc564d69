// Work written as steps, so that a caller may let other work run between them (turns.ts).

/** Takes all steps at once, for short work, and returns their result. */
export function runAtOnce<Result>(steps: Generator<void, Result>): Result {
  for (;;) {
    const step = steps.next()
    if (step.done) return step.value
  }
}
