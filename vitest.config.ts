// The test runner's settings: unit tests beside the code, suites under test/. Threads without isolation are
// several times faster than processes, and no test of this project keeps state in a module. The wire tests are a
// project of their own because they need a server: it starts only when a wire test runs. `npm test` runs these two;
// the others run when they are named, and in CI (scripts/test.mjs).
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { setFlagsFromString } from 'node:v8'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const PROPERTY_RUNS = fileURLToPath(new URL('test/fixtures/property-runs.ts', import.meta.url))

const WIRE = 'test/wire/**/*.test.ts'
/** They start servers, commands and other processes of their own, end them, and wait for them. */
const PROCESSES = ['test/{processes,cli,package}/**/*.test.ts', 'test/conformance/*-processes.test.ts']
/** Files and values are compared with those of h5py. */
const H5PY = 'test/h5py/**/*.test.ts'
/** Nodes that crash under load, and the commands of the guide: proxies in them give up on a node that is slow. */
const MACHINES = 'test/{crash,guide}/**/*.test.ts'
/** Records in PostgreSQL, and blobs in S3: the laws that the tests of `unit` check of LMDB and of folders. */
const STORES = ['test/engines/{postgres,s3*}.test.ts', 'test/conformance/*-postgres.test.ts']
/**
 * Wire tests in which a request finds out what another one has changed or remembered: run once more against `serve
 * --workers 2`, and against three servers on one database and one bucket, where another process may answer each.
 * HYPERSLAB_TEST_WORKERS=2 and HYPERSLAB_TEST_NODES=3 run all of them so; none has to differ.
 */
const SHARED_STATE = [
  'client-library',
  'downloads',
  'events',
  'logins',
  'preconditions',
  'refused-uploads',
  'several-values',
  'shares',
  'uploads',
  'classic/{accounts,domains,links,seed-access}',
  'hsds/{acls,buckets,domains,folder-access,folders,linked-domains,many-writers,moves,repeated-reads,statistics}',
].map(name => `test/wire/${name}.test.ts`)
/** They use a server like that of the wire tests. */
const BROWSER = 'test/browser/**/*.test.ts'
const CLIENTS = 'test/clients/**/*.test.ts'
/** The requests of h5web, sent from Node. */
const CLIENT_IN_NODE = 'test/clients/h5web.test.ts'

/**
 * A worker loads and compiles the modules once, which takes seconds, and tests seldom wait: so there is one more than
 * the cores.
 */
const UNIT_WORKERS = availableParallelism() + 1
/** They load little and wait for servers. On two cores, 3 workers take 112 s, 5 take 94 s, 8 take 89 s. */
const WIRE_WORKERS = 8
/** Each has a browser, which draws with the processor. */
const BROWSER_WORKERS = 4

/** They wait, or take longest, and begin first: at the end others would have nothing left to do meanwhile. */
const WAITING =
  /\/test\/(processes|cli|package|browser|crash|guide)\/|(-processes|\/engines\/postgres|\/sweeper)\.test/

class WaitingFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ project, moduleId }: TestSpecification) =>
      2 * project.config.sequence.groupOrder - Number(WAITING.test(moduleId))
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b))
  }
}

/**
 * Most code of a test runs a few times only, and to compile it well takes V8 longer than it saves: so all is compiled
 * quickly at once, and well what has run four times as long as it usually waits. For all threads of this process.
 */
setFlagsFromString('--always-sparkplug')
// V8 of Node 20 has it; later versions have other ones.
if (process.versions.node.startsWith('20.')) setFlagsFromString('--interrupt-budget=500000')

/** Files of SQL are imported as their text, as in the build. */
const SQL_AS_TEXT = {
  name: 'sql-as-text',
  transform: (text: string, file: string) =>
    file.endsWith('.sql') ? `export default ${JSON.stringify(text)}` : undefined,
}

/** Tests import fast-check through a file that makes fewer runs. */
const FEWER_RUNS = {
  name: 'fewer-runs',
  enforce: 'pre' as const,
  resolveId: (name: string, importer?: string) =>
    name === 'fast-check' && importer !== PROPERTY_RUNS ? PROPERTY_RUNS : undefined,
}

export default defineConfig({
  plugins: [SQL_AS_TEXT, FEWER_RUNS],
  test: {
    pool: 'threads',
    isolate: false,
    // They end a test that hangs; one that is slow because the machine is busy passes.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    sequence: { sequencer: WaitingFirst },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          maxWorkers: UNIT_WORKERS,
          include: ['packages/**/*.test.ts', 'test/**/*.test.ts', 'scripts/**/*.test.ts'],
          exclude: [WIRE, H5PY, ...PROCESSES, MACHINES, ...STORES, BROWSER, CLIENTS, '**/node_modules/**'],
        },
      },
      {
        extends: true,
        test: {
          name: 'wire',
          maxWorkers: WIRE_WORKERS,
          sequence: { groupOrder: 1 },
          include: [WIRE, CLIENT_IN_NODE],
          globalSetup: 'test/wire/server.ts',
          setupFiles: 'test/wire/on-failure.ts',
        },
      },
      {
        extends: true,
        test: { name: 'h5py', maxWorkers: UNIT_WORKERS, include: [H5PY] },
      },
      {
        extends: true,
        test: { name: 'stores', maxWorkers: UNIT_WORKERS, include: STORES },
      },
      {
        extends: true,
        test: { name: 'machines', maxWorkers: UNIT_WORKERS, include: [MACHINES] },
      },
      {
        extends: true,
        test: {
          name: 'processes',
          maxWorkers: WIRE_WORKERS,
          sequence: { groupOrder: 1 },
          include: PROCESSES,
        },
      },
      {
        extends: true,
        test: {
          name: 'browser',
          maxWorkers: BROWSER_WORKERS,
          sequence: { groupOrder: 3 },
          include: [BROWSER],
          globalSetup: 'test/wire/server.ts',
          setupFiles: 'test/wire/on-failure.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'workers',
          maxWorkers: WIRE_WORKERS,
          sequence: { groupOrder: 1 },
          include: SHARED_STATE,
          globalSetup: 'test/wire/server.ts',
          setupFiles: 'test/wire/on-failure.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'nodes',
          maxWorkers: WIRE_WORKERS,
          sequence: { groupOrder: 1 },
          include: SHARED_STATE,
          globalSetup: 'test/wire/server.ts',
          setupFiles: 'test/wire/on-failure.ts',
        },
      },
      {
        extends: true,
        test: {
          name: 'clients',
          maxWorkers: WIRE_WORKERS,
          sequence: { groupOrder: 2 },
          include: [CLIENTS],
          exclude: [CLIENT_IN_NODE],
          globalSetup: 'test/wire/server.ts',
          setupFiles: 'test/wire/on-failure.ts',
        },
      },
    ],
  },
})
