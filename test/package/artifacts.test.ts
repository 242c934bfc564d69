// The files of a release: the package for Debian has the command, the unit, and settings that it accepts; the list of
// what it uses is whole, and the checksums are right. Installing, upgrading and removing it needs a machine of Debian.

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandEnvironment } from '../wire/server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const hasDebian = spawnSync('dpkg-deb', ['--version']).status === 0
if (!hasDebian) console.warn('SKIPPED: packages for Debian need dpkg-deb')
const hasWheel = spawnSync('/usr/bin/python3', ['-c', 'import setuptools, wheel']).status === 0
if (!hasWheel) console.warn('SKIPPED: the wheel needs setuptools and wheel in /usr/bin/python3')

let folder: string
let files: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-release-'))
  files = run(process.execPath, [join(ROOT, 'scripts/artifacts.mjs'), folder, process.arch])
    .trim()
    .split('\n')
  if (hasDebian) run('dpkg-deb', ['--extract', fileOf('.deb'), join(folder, 'root')])
}, 600_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

/** The output of a command that succeeds. */
function run(command: string, args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync(command, args, { encoding: 'utf8', env: commandEnvironment() })
  expect({ status, stderr }).toMatchObject({ status: 0 })
  return stdout
}

const fileOf = (ending: string) => join(folder, files.find(name => name.endsWith(ending)) ?? '')

it('checksums are those of all files', () => {
  const sums = readFileSync(join(folder, 'SHA256SUMS'), 'utf8').trim().split('\n')
  expect(sums.map(line => line.split('  ')[1])).toEqual(files.slice(0, -1))
  for (const line of sums) {
    const [digest, name = ''] = line.split('  ')
    expect(
      createHash('sha256')
        .update(readFileSync(join(folder, name)))
        .digest('hex'),
    ).toBe(digest)
  }
})

it.skipIf(!hasWheel)('the wheel is among them', () => {
  expect(files).toContainEqual(expect.stringMatching(/^hyperslab-.*-py3-none-any\.whl$/))
})

it('the list of what it uses has each dependency, and none of its development', () => {
  const { metadata, components } = JSON.parse(readFileSync(fileOf('.cdx.json'), 'utf8'))
  const { dependencies, devDependencies } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const names = components.map(({ name }: { readonly name: string }) => name)
  expect(metadata.component.name).toBe('hyperslab')
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  expect(names.filter((name: string) => ['vitest', 'playwright-core', 'knip'].includes(name))).toEqual([])
  expect(Object.keys(devDependencies)).toContain('vitest')
})

it.skipIf(!hasDebian)('the package for Debian has the command, the units and its settings', () => {
  const root = join(folder, 'root')
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  expect(run(join(root, 'usr/bin/hyperslab'), ['--version'])).toMatch(version)
  expect(run('dpkg-deb', ['--field', fileOf('.deb'), 'Depends'])).toContain('nodejs (>= 20.19)')
  const unit = readFileSync(join(root, 'usr/lib/systemd/system/hyperslab.service'), 'utf8')
  const config = '/etc/hyperslab/config.json'
  expect(unit.replace(` --config ${config}`, '')).toBe(
    readFileSync(join(ROOT, 'deploy/hyperslab.service'), 'utf8'),
  )
  expect(unit).toContain(`/var/lib/hyperslab --config ${config}\n`)
  expect(readFileSync(join(root, 'usr/lib/systemd/system/hyperslab.socket'), 'utf8')).toBe(
    readFileSync(join(ROOT, 'deploy/hyperslab.socket'), 'utf8'),
  )
  const settings = JSON.parse(readFileSync(join(root, config), 'utf8'))
  expect(settings).toEqual({ default_acl: 'none', new_domains: 'authenticated' })
})

it.skipIf(!hasDebian)('its example has every setting, and is JSON without its comments', () => {
  const example = readFileSync(join(folder, 'root/usr/share/hyperslab/config.example.jsonc'), 'utf8')
  const names = [...example.matchAll(/^ {2}\/\/ "(\w+)": /gm)].map(
    ([, name = '']) => `--${name.replaceAll('_', '-')}`,
  )
  const page = readFileSync(join(ROOT, 'docs/guide/operating.md'), 'utf8')
  const documented = [...page.matchAll(/\| `(--[a-z-]+)` +\|/g)].map(([, name]) => name)
  expect(names.sort()).toEqual(documented.filter(name => name !== '--config').sort())
  const used = example.replace(/^\s*\/\/ (?!")[^\n]*$|^\/\/.*$/gm, '').replace(/^ {2}\/\/ "/gm, '  "')
  expect(Object.keys(JSON.parse(used.replace(/,\s*}\s*$/, '}')))).toHaveLength(names.length)
})
