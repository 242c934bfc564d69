// A reporter of vitest that prints the skipped tests and the reason at the end of the run, a line for each file: the
// reason is what the file printed as `SKIPPED: ...`, or passed to `skip()`.

const MARK = 'SKIPPED: '

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
