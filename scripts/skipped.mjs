// A reporter of vitest that prints at the end of the run the tests that were skipped, a line for each file with the
// reason, which is what the file printed as `SKIPPED: ...` or passed to `skip()`; and the slowest tests.

const MARK = 'SKIPPED: '
const SLOWEST = 10

export default class SkippedReporter {
  /** The lines that begin with the mark, for each file. */
  #reasons = new Map()
  #vitest

  onInit(vitest) {
    this.#vitest = vitest
  }

  onUserConsoleLog({ content, taskId }) {
    const file = this.#vitest.state.idMap.get(taskId)?.file.filepath
    for (const line of content.split('\n')) {
      if (line.startsWith(MARK)) this.#add(file, line.slice(MARK.length))
    }
  }

  #add(file, reason) {
    this.#reasons.set(file, (this.#reasons.get(file) ?? new Set()).add(reason))
  }

  onTestRunEnd(modules) {
    this.#printSkipped(modules)
    const tests = modules.flatMap(module => [...module.children.allTests()])
    const timed = tests.map(test => ({ test, milliseconds: test.diagnostic()?.duration ?? 0 }))
    timed.sort((a, b) => b.milliseconds - a.milliseconds)
    for (const { test, milliseconds } of timed.slice(0, SLOWEST)) {
      const seconds = (milliseconds / 1000).toFixed(1)
      console.log(`slow: ${seconds} s, ${test.module.relativeModuleId}: ${test.fullName}`)
    }
  }

  #printSkipped(modules) {
    for (const module of modules) {
      const skipped = [...module.children.allTests('skipped')]
      // Tests that a name on the command line leaves out are skipped too, and need no report.
      if (skipped.length === 0 || this.#vitest.config.testNamePattern) continue
      for (const test of skipped) {
        const { note } = test.result()
        if (note) this.#add(module.moduleId, note)
      }
      const reasons = [...(this.#reasons.get(module.moduleId) ?? ['no reason is given'])]
      console.log(`skipped ${skipped.length} of ${module.relativeModuleId}: ${reasons.join('; ')}`)
    }
  }
}
