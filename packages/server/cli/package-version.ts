// The version of this package, from its package.json, and the commit that was built.

import { existsSync, readFileSync } from 'node:fs'

/** The manifest as the built command finds it, and as the sources do. */
const MANIFESTS = ['../../package.json', '../../../package.json']

export function packageVersion(): string {
  const file = MANIFESTS.map(path => new URL(path, import.meta.url)).find(url => existsSync(url))
  const json: unknown = file && JSON.parse(readFileSync(file, 'utf8'))
  const isVersioned = typeof json === 'object' && json !== null && 'version' in json
  return isVersioned ? String(json.version) : 'unknown'
}

/** The commit of the build; empty: it is not known. */
export function builtCommit(): string {
  const file = new URL('./commit', import.meta.url)
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** The version, with the commit of the build if it is known: builds between two releases have the same version. */
export function buildVersion(): string {
  const commit = builtCommit()
  return commit === '' ? packageVersion() : `${packageVersion()} (commit ${commit})`
}
