// `node packages/h5/build.mjs`: the package @hyperslab/h5 in `dist/h5` of the project, to be packed there: a module for
// each public door (doors/) with all that it needs, and the types. The doors beside this file are those of the service.
// The compressors are modules of their own, loaded at their first use. The types are checked without those of Node, so
// that nothing of Node is used.

import { spawnSync } from 'node:child_process'
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { build } from 'rolldown'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const out = join(root, 'dist', 'h5')
const DOORS = ['reader', 'writer', 'filters', 'types']

rmSync(out, { recursive: true, force: true })
const { output } = await build({
  cwd: root,
  platform: 'neutral',
  resolve: { mainFields: ['module', 'main'], conditionNames: ['import', 'default'] },
  input: Object.fromEntries(DOORS.map(door => [door, `./packages/h5/doors/${door}.ts`])),
  transform: { inject: { Buffer: [join(here, 'buffer.mjs'), 'Buffer'] } },
  output: { dir: out, entryFileNames: '[name].js', chunkFileNames: 'parts/[name]-[hash].js' },
})
const imports = output.flatMap(({ imports = [], dynamicImports = [] }) => [...imports, ...dynamicImports])
const foreign = imports.filter(name => !output.some(({ fileName }) => fileName === name))
if (foreign.length > 0) throw new Error(`the bundle imports ${foreign.join(', ')}`)

copyFileSync(join(root, 'LICENSE'), join(out, 'LICENSE'))
copyFileSync(join(here, 'README.md'), join(out, 'README.md'))
writeFileSync(join(out, 'package.json'), `${JSON.stringify(manifest(), null, 2)}\n`)
writeFileSync(join(out, 'licences.txt'), licences())
const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [tsc, '-p', here], { stdio: 'inherit' })
process.exitCode = status ?? 1
ownImports()

/** The package as it is published: it needs no other. */
function manifest() {
  const { name, version, description, license, type } = JSON.parse(
    readFileSync(join(here, 'package.json'), 'utf8'),
  )
  const doors = DOORS.map(door => [
    `./${door}`,
    { types: `./types/h5/doors/${door}.d.ts`, default: `./${door}.js` },
  ])
  const exports = { ...Object.fromEntries(doors), './package.json': './package.json' }
  const keywords = [
    'hdf5',
    'h5',
    'netcdf',
    'nexus',
    'scientific data',
    'arrays',
    'reader',
    'writer',
    'browser',
  ]
  const engines = { node: '>=20.19' }
  return { name, version, description, keywords, license, type, sideEffects: false, engines, exports }
}

/** The types of the other packages lie beside its own. */
function ownImports() {
  const types = join(out, 'types')
  for (const file of readdirSync(types, { recursive: true })) {
    if (!file.endsWith('.d.ts')) continue
    const text = readFileSync(join(types, file), 'utf8')
    const own = text.replace(
      /'@hyperslab\/([^']+)'/g,
      (_, door) => `'${'../'.repeat(file.split(sep).length - 1) || './'}${door}.ts'`,
    )
    if (own !== text) writeFileSync(join(types, file), own)
  }
}

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
