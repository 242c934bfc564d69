// `node packages/h5/build.mjs`: the package @hyperslab/h5 in `dist`, a module for each door with all that it needs and
// the types. The compressors are modules of their own, loaded at their first use. The types are checked without those
// of Node, so that nothing of Node is used.

import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const DOORS = ['reader', 'writer', 'filters', 'types']

rmSync(join(here, 'dist'), { recursive: true, force: true })
const { output } = await build({
  cwd: root,
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  input: Object.fromEntries(DOORS.map(door => [door, `./src/h5file/doors/${door}.ts`])),
  transform: { inject: { Buffer: [join(here, 'buffer.mjs'), 'Buffer'] } },
  output: { dir: join(here, 'dist'), entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
})
const imports = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
const foreign = imports.filter(name => !output.some(({ fileName }) => fileName === name))
if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(', ')}`)

copyFileSync(join(root, 'LICENSE'), join(here, 'LICENSE'))
writeFileSync(join(here, 'dist', 'licences.txt'), licences())
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', here], { stdio: 'inherit' })
process.exitCode = status ?? 1

/** The licences of the packages in the bundle ask for their text beside each copy. */
function licences() {
  const modules = output.flatMap(({ moduleIds = [] }) => moduleIds)
  const folders = modules.map(id => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0]).filter(Boolean)
  return [...new Set(folders)]
    .sort()
    .map(folder => {
      const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
      const file = readdirSync(folder).find(one => /^licen[cs]e/i.test(one))
      const text = file === undefined ? '' : `\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
      return `${name} ${version} (${license})${text}\n`
    })
    .join(`\n${'-'.repeat(80)}\n\n`)
}
