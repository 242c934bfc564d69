// The test runner's settings: unit tests beside the code, suites under test/. Threads without isolation are
// several times faster than processes, and no test of this project keeps state in a module. The wire tests are a
// project of their own because they need a server: it starts only when a wire test runs. So are those with real
// clients, which most machines do not have.
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'

const WIRE = 'test/wire/**/*.test.ts'
const CLIENTS = 'test/clients/**/*.test.ts'

/**
 * Half of the time a test file waits: for a server, for another process, for a timer. So there are more workers than
 * cores; no more than eight, because each of them loads the modules once, and all wire tests share one server.
 */
const WORKERS = Math.min(2 * availableParallelism(), 8)

export default defineConfig({
  test: {
    pool: 'threads',
    isolate: false,
    maxWorkers: WORKERS,
    // They end a test that hangs; one that is slow because the machine is busy passes.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['src/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [WIRE, CLIENTS, 'node_modules/**'],
        },
      },
      {
        extends: true,
        test: { name: 'wire', include: [WIRE], globalSetup: 'test/wire/server.ts' },
      },
      {
        extends: true,
        test: { name: 'clients', include: [CLIENTS], globalSetup: 'test/wire/server.ts' },
      },
    ],
  },
})
