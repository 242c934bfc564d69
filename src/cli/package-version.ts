// The version of this package, from its package.json.

import { readFileSync } from 'node:fs'

export function packageVersion(): string {
  const json: unknown = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  const isVersioned = typeof json === 'object' && json !== null && 'version' in json
  return isVersioned ? String(json.version) : 'unknown'
}
