// `npm run build`: TypeScript of `src` to JavaScript in `dist` (docs/decisions/020). `dist/cli` is the command in a few
// files, which is what the package holds: Node loads a few large files much faster than hundreds of small ones.
// `dist/client` is the client for JavaScript, which the package holds too, with its types. `dist/cli/docs` and
// `dist/cli/ui` have the files of the pages /docs and /ui (pages.mjs). `dist/modules` is the code of `src` as a module
// for each source file, for the tests and benchmarks that run a part of it in plain Node.

import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build } from 'rolldown'
import { buildDocs, buildUi } from './pages.mjs'
import { BUILT, root, run, tool } from './prepare.mjs'

const PROGRAMS = {
  main: './src/cli/main.ts',
  // The command starts these by their path, as a process and as a thread.
  'take-write-lock': './src/storage/engines/lmdb/take-write-lock.ts',
  'filter-thread': './src/chunks/filter-thread.ts',
}

const common = {
  cwd: root,
  platform: 'node',
  // Packages are not bundled: npm installs them, with their licences and native parts. A path of Windows has a colon.
  external: /^[@a-z][^:]*$/,
  moduleTypes: { '.sql': 'text' },
}

rmSync(join(root, 'dist'), { recursive: true, force: true })
await build([
  {
    ...common,
    input: PROGRAMS,
    // All in one folder: the code finds the other two programs beside itself, and package.json two folders above.
    output: { dir: 'dist/cli', chunkFileNames: '[name].js' },
  },
  {
    cwd: root,
    platform: 'browser',
    input: './client/index.ts',
    output: { dir: 'dist/client' },
  },
  {
    ...common,
    input: Object.values(PROGRAMS),
    treeshake: false,
    output: { dir: 'dist/modules', preserveModules: true, preserveModulesRoot: 'src' },
  },
])
buildDocs(join(root, 'dist', 'cli', 'docs'))
await buildUi(join(root, 'dist', 'cli', 'ui'))
const declared = run(process.execPath, [tool('typescript', 'bin/tsc'), '-p', join(root, 'client')])
if (declared !== 0) process.exit(declared)
writeFileSync(BUILT, '')
