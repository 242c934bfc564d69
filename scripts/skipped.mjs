// A reporter of vitest that ends the run with what was skipped and why, a line for each file: the reason is what the file
// printed as `SKIPPED: ...`, or gave to `skip()`.

const MARK = 'SKIPPED: '

export default class SkippedReporter {
  /** Lines that begin with the mark, of each file. */
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
      // Tests that a name on the command line leaves out are skipped too, and nobody needs to be told.
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
