// The test runner's settings: unit tests beside the code, suites under test/. Threads without isolation are
// several times faster than processes, and no test of this project keeps state in a module.
import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
