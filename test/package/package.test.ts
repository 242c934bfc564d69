// The contents of the archive of `npm pack`: the built program, the client and the guide, whose links lead to files of
// the package. And the package as a user gets it, installed in an empty folder.

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, normalize } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { commandEnvironment } from '../wire/server.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))

interface Package {
  readonly filename: string
  readonly version: string
  readonly files: readonly { readonly path: string; readonly size: number }[]
}

let folder: string
let packed: Package
let paths: readonly string[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'hyperslab-package-'))
  packed = JSON.parse(npm(ROOT, 'pack', '--ignore-scripts', '--json', '--pack-destination', folder))[0]
  paths = packed.files.map(file => file.path)
})

afterAll(() => rm(folder, { recursive: true, force: true }))

/** The output of npm; fails with its messages. A warning is a failure. */
function npm(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('npm', args, { cwd, encoding: 'utf8' })
  expect({ status, warnings: stderr.match(/^npm (warn|error).*$/gm) ?? [] }).toEqual({
    status: 0,
    warnings: [],
  })
  return stdout
}

it('has the program, the client, the pages and the guide', () => {
  for (const path of [
    'dist/cli/main.js',
    'dist/cli/program.mjs',
    'dist/cli/filter-thread.mjs',
    'native/lmdb/prebuilds/linux-x64/node.napi.glibc.node',
    'dist/cli/licences.txt',
    'dist/cli/ui/index.html',
    'dist/client/index.js',
    'dist/client/index.d.ts',
    'docs/guide/README.md',
    'docs/errors.md',
    'deploy/hyperslab.service',
    'deploy/hyperslab.socket',
    'deploy/kubernetes.yaml',
    'LICENSE',
    'SECURITY.md',
  ]) {
    expect(paths).toContain(path)
  }
})

it('has no source, no test and no source map', () => {
  expect(paths.filter(path => /^(packages|test|bench)\/|\.map$|\.test\./.test(path))).toEqual([])
})

it('has what the links of its pages lead to, and the headings', () => {
  const pages = paths.filter(path => path.endsWith('.md'))
  expect(pages.length).toBeGreaterThan(10)
  const links = pages.flatMap(page =>
    [...readFileSync(join(ROOT, page), 'utf8').matchAll(/\]\((?!https?:)([^)#\s]*)#?([^)\s]*)\)/g)].map(
      ([, target = '', heading = '']) => ({
        page,
        target: target === '' ? page : normalize(join(dirname(page), target)).replace(/\/$/, ''),
        heading,
      }),
    ),
  )
  const leadsNowhere = ({ target, heading }: (typeof links)[number]) =>
    !paths.some(path => path === target || path.startsWith(`${target}/`)) ||
    (heading !== '' && !headingsOf(target).includes(heading))
  expect(links.length).toBeGreaterThan(50)
  expect(links.filter(leadsNowhere)).toEqual([])
})

/** The names that GitHub gives to the headings of a page. */
function headingsOf(page: string): string[] {
  const prose = readFileSync(join(ROOT, page), 'utf8').replaceAll(/^```[\s\S]*?^```/gm, '')
  return [...prose.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_ -]/gu, '')
      .replaceAll(' ', '-'),
  )
}

it('installs without a warning, and the command and the client work', async () => {
  await writeFile(join(folder, 'package.json'), '{"private": true, "type": "module"}')
  npm(
    folder,
    'install',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--prefer-offline',
    `./${packed.filename}`,
  )
  const command = join(folder, 'node_modules', '.bin', 'hyperslab')
  expect(existsSync(command)).toBe(true)
  const version = spawnSync(command, ['--version'], { encoding: 'utf8', env: commandEnvironment() })
  expect(version.stdout).toMatch(/^\d+\.\d+\.\d+( \(commit [0-9a-f]{12}\+?\))?\n$/)
  expect(version.stdout.trim().split(' ')[0]).toBe(packed.version)
  const client =
    "import { Hyperslab } from 'hyperslab/client'; console.log(typeof new Hyperslab('http://localhost').domain)"
  const used = spawnSync(process.execPath, ['--input-type=module', '-e', client], {
    cwd: folder,
    encoding: 'utf8',
  })
  expect(used).toMatchObject({ stdout: 'function\n', stderr: '' })
})
