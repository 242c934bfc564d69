// `npm run build`: TypeScript of `packages` to JavaScript in `dist` (docs/decisions/020). `dist/cli` is the command in
// a few files, which is what the package holds: Node loads a few large files much faster than hundreds of small ones.
// `dist/client` is the client for JavaScript, which the package holds too, with its types. `dist/cli/docs` and
// `dist/cli/ui` have the files of the pages /docs and /ui (pages.mjs). `dist/modules` is the code of the packages as a
// module for each source file, for the tests and benchmarks that run a part of it in plain Node.

import { spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { build } from 'rolldown'
import { buildDocs, buildUi } from './pages.mjs'
import { BUILT, root, run, tool } from './prepare.mjs'

const PROGRAMS = {
  // dist/cli/main.js loads the first, which starts the second by its path, as a thread.
  program: './packages/server/cli/main.ts',
  'filter-thread': './packages/store/chunks/filter-thread.ts',
}

/** Workers load it before the program. */
const LOST_SUPERVISOR = './packages/server/cli/serve/lost-supervisor.ts'

/** Each start loads these packages, of many small files in JavaScript: they are part of the command. */
const BUNDLED = ['find-my-way', 'prom-client']

/** Between two licences. */
const RULE = `\n${'-'.repeat(80)}\n\n`
const LMDB = [
  'lmdb/LICENSE',
  'lmdb/dependencies/lmdb/libraries/liblmdb/LICENSE',
  'lmdb/dependencies/lz4/lib/LICENSE',
]

const common = {
  cwd: root,
  platform: 'node',
  moduleTypes: { '.sql': 'text' },
}

/** A path of Windows has a colon. */
const isPackage = id => /^[@a-z][^:]*$/.test(id) && !id.startsWith('@hyperslab/')

rmSync(join(root, 'dist'), { recursive: true, force: true })
const [command] = await build([
  {
    ...common,
    // npm installs the other packages, with their native parts.
    external: (id, importer = '') =>
      isBuiltin(id) || (isPackage(id) && !BUNDLED.includes(id) && !importer.includes('node_modules')),
    input: PROGRAMS,
    // All in one folder: the code finds the other two programs beside itself, and package.json two folders above.
    output: { dir: 'dist/cli', entryFileNames: '[name].mjs', chunkFileNames: '[name].mjs' },
  },
  {
    ...common,
    external: isBuiltin,
    input: { 'lost-supervisor': LOST_SUPERVISOR },
    // `--require` takes no other form.
    output: { dir: 'dist/cli', format: 'cjs', entryFileNames: '[name].cjs' },
  },
  {
    cwd: root,
    platform: 'browser',
    input: './packages/client/index.ts',
    output: { dir: 'dist/client' },
  },
  {
    ...common,
    external: isPackage,
    input: Object.values(PROGRAMS),
    treeshake: false,
    output: { dir: 'dist/modules', preserveModules: true, preserveModulesRoot: 'packages' },
  },
])
// The first file is CommonJS (packages/server/cli/start.cjs), under the name that the package has always had for it.
copyFileSync(join(root, 'packages', 'server', 'cli', 'start.cjs'), join(root, 'dist', 'cli', 'main.js'))
writeFileSync(join(root, 'dist', 'cli', 'package.json'), '{ "type": "commonjs" }\n')
writeFileSync(join(root, 'dist', 'cli', 'commit'), commitOf())
writeFileSync(
  join(root, 'dist', 'cli', 'licences.txt'),
  [licencesIn(command), ...LMDB.map(licenceOf)].join(RULE),
)
await buildDocs(join(root, 'dist', 'cli', 'docs'))
await buildUi(join(root, 'dist', 'cli', 'ui'))
const declared = run(process.execPath, [
  tool('typescript', 'bin/tsc'),
  '-p',
  join(root, 'packages', 'client'),
])
if (declared !== 0) process.exit(declared)
cpSync(join(root, 'dist', 'types', 'client'), join(root, 'dist', 'client'), { recursive: true })
writeFileSync(BUILT, '')

/** The commit that is built, with a `+` if files differ from it; empty where there is no repository. */
function commitOf() {
  const { status, stdout } = spawnSync(
    'git',
    ['describe', '--always', '--abbrev=12', '--dirty=+', '--exclude=*'],
    {
      cwd: root,
      encoding: 'utf8',
    },
  )
  return status === 0 ? stdout.trim() : ''
}

/** A licence of what is in native/lmdb. */
function licenceOf(file) {
  return `${file}\n\n${readFileSync(join(root, 'node_modules', file), 'utf8').trim()}\n`
}

/** The licences of the packages in the bundle ask for their text beside each copy. */
function licencesIn({ output }) {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = modules.map(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean)
  const texts = [...new Set(folders)].sort().map(folder => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find(one => /^licen[cs]e/i.test(one))
    if (file === undefined) throw new Error(`${name} has no file with its licence`)
    return `${name} ${version} (${license})\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`
  })
  return texts.join(RULE)
}
