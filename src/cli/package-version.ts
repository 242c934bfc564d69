// The version of this package, from its package.json, and the commit that was built.

import { existsSync, readFileSync } from 'node:fs'

export function packageVersion(): string {
  const json: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const isVersioned = typeof json === 'object' && json !== null && 'version' in json
  return isVersioned ? String(json.version) : 'unknown'
}

/** The version, with the commit of the build if it is known: builds between two releases have the same version. */
export function buildVersion(): string {
  const file = new URL('./commit', import.meta.url)
  const commit = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return commit === '' ? packageVersion() : `${packageVersion()} (commit ${commit})`
}
