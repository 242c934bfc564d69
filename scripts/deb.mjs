// `node scripts/deb.mjs PACKAGE.tgz FOLDER [x64|arm64]`: makes a package for Debian of a packed one, with its
// dependencies, the units of deploy/, the user `hyperslab`, and /etc/hyperslab/config.json. It is JSON, which has
// no comments, and stays as an administrator leaves it; so all settings are in an example beside it, which each upgrade
// replaces: /usr/share/hyperslab/config.example.jsonc. Needs dpkg-deb and npm 10. Prints the path of the package.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { root } from './prepare.mjs'

const ARCHITECTURES = { x64: 'amd64', arm64: 'arm64' }
/** The programs are in a folder of their own, apart from packages that npm installs for all users. */
const PREFIX = 'usr/lib/hyperslab'
const CONFIG = '/etc/hyperslab/config.json'
/** Other users of the machine reach the service too: it is closed until an administrator has made accounts. */
const CLOSED = { default_acl: 'none', new_domains: 'authenticated' }

const [packed, folder, cpu = process.arch] = process.argv.slice(2)
const architecture = ARCHITECTURES[cpu]
if (packed === undefined || folder === undefined || architecture === undefined)
  end('usage: node scripts/deb.mjs PACKAGE.tgz FOLDER [x64|arm64]')

const stage = mkdtempSync(join(tmpdir(), 'hyperslab-deb-'))
try {
  process.stdout.write(`${await make()}\n`)
} finally {
  rmSync(stage, { recursive: true, force: true })
}

async function make() {
  chmodSync(stage, 0o755)
  const prefix = ['--global', '--prefix', join(stage, PREFIX)]
  const target = ['--os=linux', '--libc=glibc', `--cpu=${cpu}`]
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline']
  run('npm', ['install', ...prefix, ...target, ...quiet, resolve(packed)])
  const installed = join(stage, PREFIX, 'lib/node_modules/hyperslab')
  const { version, description } = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8'))
  mkdirSync(join(stage, 'usr/bin'))
  symlinkSync('../lib/hyperslab/bin/hyperslab', join(stage, 'usr/bin/hyperslab'))
  put('usr/lib/systemd/system/hyperslab.service', unit(installed))
  const socket = readFileSync(join(installed, 'deploy/hyperslab.socket'), 'utf8')
  put('usr/lib/systemd/system/hyperslab.socket', socket)
  put(CONFIG, `${JSON.stringify(CLOSED, undefined, 2)}\n`)
  put('usr/share/hyperslab/config.example.jsonc', await example())
  put('usr/share/doc/hyperslab/copyright', readFileSync(join(installed, 'LICENSE'), 'utf8'))
  put('DEBIAN/conffiles', `${CONFIG}\n`)
  put('DEBIAN/control', control(version, description))
  for (const name of ['postinst', 'prerm', 'postrm'])
    put(`DEBIAN/${name}`, readFileSync(join(root, 'deploy/debian', name), 'utf8'), 0o755)
  const path = join(resolve(folder), `hyperslab_${debianVersion(version)}_${architecture}.deb`)
  run('dpkg-deb', ['--root-owner-group', '-Zxz', '--build', stage, path])
  return path
}

/** The unit, which reads the settings in /etc. */
function unit(installed) {
  const text = readFileSync(join(installed, 'deploy/hyperslab.service'), 'utf8')
  const command = /^ExecStart=.*$/m.exec(text)?.[0] ?? end('the unit has no command')
  return text.replace(command, `${command} --config ${CONFIG}`)
}

/** Every setting with its default, as a line for the file of settings. */
async function example() {
  const settings = join(root, 'dist/modules/server/cli/settings')
  const { ALL_SETTINGS, SETTINGS, underscored } = await import(join(settings, 'table.js'))
  const lines = ALL_SETTINGS.flatMap(name => [
    `  // ${SETTINGS[name].help}`,
    `  // "${underscored(name)}": ${JSON.stringify(SETTINGS[name].default)},`,
    '',
  ])
  return `// Every setting with its default. Copy the lines that you change to ${CONFIG}, without "//":
// that file is JSON, so it has no comments, and no comma after its last line. Then: systemctl restart hyperslab
{
${lines.join('\n')}}
`
}

function control(version, description) {
  return `Package: hyperslab
Version: ${debianVersion(version)}
Architecture: ${architecture}
Maintainer: Hyperslab <hyperslab@localhost>
Section: science
Priority: optional
Depends: nodejs (>= 20.19), adduser, libc6, libstdc++6
Description: ${description}
`
}

/** A version before a release is less than that release. */
function debianVersion(version) {
  return version.replace('-', '~')
}

function put(path, text, mode = 0o644) {
  const whole = join(stage, path)
  mkdirSync(join(whole, '..'), { recursive: true })
  writeFileSync(whole, text)
  chmodSync(whole, mode)
}

function run(command, args) {
  const { status, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  if (status !== 0) end(`${command} failed: ${error?.message ?? stderr}`)
}

function end(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
