// `node scripts/artifacts.mjs FOLDER [CPU ...]`: makes what a release consists of, from what is built: the package of
// npm, packages for Debian (for x64 and arm64, or these), the wheel for Python, a list of all that the program uses (an
// SBOM of CycloneDX), and the checksums of these files. Prints their names. Without dpkg-deb there are none for Debian,
// without setuptools there is no wheel, and a line says so.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { root } from './prepare.mjs'

const [folder, ...processors] = process.argv.slice(2)
if (folder === undefined) end('usage: node scripts/artifacts.mjs FOLDER [x64|arm64 ...]')
const target = resolve(folder)
mkdirSync(target, { recursive: true })

const [packed] = JSON.parse(run('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', target]))
const files = [packed.filename, ...debs(), ...wheel(), sbom()]
const sums = files.map(name => {
  const digest = createHash('sha256')
    .update(readFileSync(join(target, name)))
    .digest('hex')
  return `${digest}  ${name}\n`
})
writeFileSync(join(target, 'SHA256SUMS'), sums.join(''))
process.stdout.write([...files, 'SHA256SUMS', ''].join('\n'))

function debs() {
  if (spawnSync('dpkg-deb', ['--version']).status !== 0) {
    process.stderr.write('There is no dpkg-deb: no package for Debian is made.\n')
    return []
  }
  const script = join(root, 'scripts', 'deb.mjs')
  return (processors.length > 0 ? processors : ['x64', 'arm64']).map(cpu =>
    basename(run(process.execPath, [script, join(target, packed.filename), target, cpu]).trim()),
  )
}

function wheel() {
  if (spawnSync('/usr/bin/python3', ['-c', 'import setuptools, wheel']).status !== 0) {
    process.stderr.write('/usr/bin/python3 has no setuptools and wheel: no wheel is made.\n')
    return []
  }
  return [basename(run(process.execPath, [join(root, 'scripts', 'wheel.mjs'), target]).trim())]
}

function sbom() {
  const options = ['--sbom-format', 'cyclonedx', '--package-lock-only', '--workspaces=false']
  const list = JSON.parse(run('npm', ['sbom', ...options]))
  // `--omit dev` of npm 11 leaves out what both the program and its development need.
  list.components = list.components.filter(
    ({ properties }) => !properties.some(({ name }) => name === 'cdx:npm:package:development'),
  )
  const used = new Set(list.components.map(component => component['bom-ref']))
  list.dependencies = list.dependencies
    .filter(({ ref }) => used.has(ref) || ref === list.metadata.component['bom-ref'])
    .map(({ ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(one => used.has(one)) }))
  // npm gives the name of the folder, which is anything.
  list.metadata.component.name = packed.name
  const name = `hyperslab-${packed.version}.cdx.json`
  writeFileSync(join(target, name), `${JSON.stringify(list, undefined, 2)}\n`)
  return name
}

/** The output of a command. */
function run(command, args) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  if (status !== 0) end(`${command} ${args[0]} failed: ${error?.message ?? stderr}`)
  return stdout
}

function end(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
