// The configuration file: a JSON object of settings, and perhaps the path of the data folder.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UsageError } from '../usage-error.ts'
import type { Setting } from './setting.ts'
import { ALL_SETTINGS, SETTINGS, underscored } from './table.ts'

export interface ConfigurationFile {
  readonly path: string
  readonly data: string | undefined
  /** The strings of settings, by their names in the file. */
  readonly values: ReadonlyMap<string, string>
}

/** The file that is named, else `config.json` in the data folder if it is there. */
export function readConfigurationFile(named: string | undefined, dataFolder: string): ConfigurationFile {
  const path = named ?? join(dataFolder, 'config.json')
  if (named === undefined && !existsSync(path)) return { path, data: undefined, values: new Map() }
  const values = new Map(
    Object.entries(parseFile(path)).map(([key, json]) => [key, fileText(path, key, json)]),
  )
  const data = values.get('data')
  values.delete('data')
  if (data === '') throw new UsageError(`${path}: "data" is empty: it must be the path of a folder`)
  if (data !== undefined && named === undefined) {
    throw new UsageError(
      `${path}: a file inside the data folder cannot contain "data", the path of the data folder`,
    )
  }
  const unknown = [...values.keys()].find(key => !ALL_SETTINGS.some(name => underscored(name) === key))
  if (unknown !== undefined) {
    const known = ['data', ...ALL_SETTINGS.map(underscored)].join(', ')
    throw new UsageError(`${path}: "${unknown}" is not a setting; settings are ${known}`)
  }
  return { path, data, values }
}

function parseFile(path: string): Record<string, unknown> {
  let json: unknown
  try {
    if (!existsSync(path)) throw new UsageError(`there is no configuration file ${path}`)
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    if (error instanceof UsageError) throw error
    throw new UsageError(`${path}: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (typeof json !== 'object' || json === null || Array.isArray(json)) {
    throw new UsageError(`${path}: must contain one JSON object of settings`)
  }
  return { ...json }
}

/**
 * The value as it would be written on the command line: lists with commas, or with lines where the option is repeated.
 */
function fileText(path: string, key: string, json: unknown): string {
  if (typeof json === 'string' || typeof json === 'number' || typeof json === 'boolean') return String(json)
  if (Array.isArray(json) && json.every(item => typeof item === 'string')) {
    const name = ALL_SETTINGS.find(name => underscored(name) === key)
    const setting: Setting<unknown> | undefined = name && SETTINGS[name]
    return json.join(setting?.repeatable ? '\n' : ',')
  }
  throw new UsageError(`${path}, "${key}": must be a string, a number, true, false or a list of strings`)
}
