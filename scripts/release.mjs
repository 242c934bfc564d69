// `npm run release -- VERSION`: makes a release of what is committed. Checks everything, writes the version into
// package.json and its date into the changelog, commits and tags both, and makes the files of the release
// (artifacts.mjs). Publishing is left to a person. Nothing is changed when a check fails.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, install, root, run } from './prepare.mjs'

const [version] = process.argv.slice(2)
const changelog = join(root, 'CHANGELOG.md')
const manifest = join(root, 'package.json')
/** npm shows them on the page of the package. */
const ADDRESSES = ['repository', 'bugs', 'homepage']

// Both npm and Python know these versions before a release.
if (!/^\d+\.\d+\.\d+(-(alpha|beta|rc)\.\d+)?$/.test(version ?? ''))
  end('usage: npm run release -- VERSION, such as 0.2.0 or 0.2.0-rc.1')
if (git('status', '--porcelain') !== '') end('there are changes that are not committed')
if (git('branch', '--show-current') !== 'main') end('releases are made on the branch main')
if (git('tag', '--list', `v${version}`) !== '') end(`the tag v${version} is there already`)

const text = readFileSync(changelog, 'utf8')
const dated = withVersion(text)

install()
build()
if (run(process.execPath, [join(root, 'scripts', 'check.mjs')]) !== 0)
  end('a check failed; nothing was changed')

writeFileSync(changelog, dated)
const npm = ['npm', 'version', version, '--no-git-tag-version', '--allow-same-version']
if (run(npm[0], npm.slice(1)) !== 0) end('npm could not write the version')
if (git('status', '--porcelain') !== '') git('commit', '--all', '--message', `Release ${version}`)
git('tag', '--annotate', `v${version}`, '--message', `Hyperslab ${version}`)
// An earlier build has the commit before it.
if (run(process.execPath, [join(root, 'scripts', 'build.mjs')]) !== 0) end('the release could not be built')
const artifacts = [join(root, 'scripts', 'artifacts.mjs'), `release-${version}`]
if (run(process.execPath, artifacts) !== 0) end('the files of the release could not be made')

const absent = ADDRESSES.filter(name => JSON.parse(readFileSync(manifest, 'utf8'))[name] === undefined)
console.log(`
Release ${version} is committed, tagged and packed. What is left to you:
  git push --follow-tags
  npm publish release-${version}/hyperslab-${version}.tgz
  the other files in release-${version}: the wheel for Python, and packages for people that use Debian`)
if (absent.length > 0) console.log(`package.json has no ${absent.join(', ')}: add the public address first`)

/** The changelog in which what was unreleased belongs to the version; as it is when it has the version. */
function withVersion(before) {
  if (before.includes(`\n## [${version}]`)) return before
  const [head, rest] = before.split('\n## [Unreleased]\n')
  if (rest === undefined || /^\s*(## |$)/.test(rest)) end('CHANGELOG.md has nothing under [Unreleased]')
  const date = new Date().toISOString().slice(0, 10)
  return `${head}\n## [Unreleased]\n\n## [${version}] - ${date}\n${rest}`
}

function git(...args) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) end(`git ${args.join(' ')}: ${stderr}`)
  return stdout.trim()
}

function end(message) {
  process.stderr.write(`${message}\n`)
  process.exit(1)
}
