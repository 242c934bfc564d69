// Reads the settings from options, the environment and the configuration file; nothing else reads these. An option has
// precedence over the environment, that over the file, and that over the default. An unknown or malformed setting is an
// error that names the option, variable or file.

import { resolve } from 'node:path'
import type { Buckets } from '../../http/dialect/buckets.ts'
import { nearestName } from '../../nearest-name.ts'
import { UsageError } from '../usage-error.ts'
import { type ConfigurationFile, readConfigurationFile } from './configuration-file.ts'
import { PUBLIC_DEFAULTS } from './public.ts'
import type { Setting } from './setting.ts'
import {
  ALL_SETTINGS,
  dashed,
  SETTINGS,
  type SettingName,
  type Settings,
  underscored,
  VARIABLE_PREFIX,
  variable,
} from './table.ts'

const DEFAULT_DATA_FOLDER = 'data'

/** The options of the command line by their names in `SETTINGS`: a string each, or true for a flag alone. */
export interface CommandOptions {
  readonly [option: string]: unknown
  readonly config?: string
  readonly data?: string
}

/** The options of these settings, for the parser of the command line. */
export function optionsOf(
  names: readonly SettingName[],
): readonly { flags: string; help: string; repeatable: boolean }[] {
  return names.map(name => {
    const setting: Setting<unknown> = SETTINGS[name]
    const value = setting.flag ? `[${setting.placeholder}]` : `<${setting.placeholder}>`
    const fallback = setting.default === '' ? '' : ` (default: ${setting.default})`
    const { help, repeatable = false } = setting
    return { flags: `--${dashed(name)} ${value}`, help: `${help}${fallback}`, repeatable }
  })
}

/** `defaultData`: the data folder where no setting names one. */
export function readSettings(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  defaultData = DEFAULT_DATA_FOLDER,
): Settings {
  refuseUnknownVariables(environment)
  const namedData = namedDataFolder(options, environment)
  const file = readConfigurationFile(options.config ?? environment.HYPERSLAB_CONFIG, namedData ?? defaultData)
  const dataFolder = namedData ?? file.data ?? defaultData
  const find = (name: SettingName) => findText(name, options, environment, file)
  const isPublic = parseSetting(
    'public',
    find('public')?.text ?? 'false',
    find('public')?.source ?? 'default',
  )
  const values = ALL_SETTINGS.map(name => {
    const fallback = (isPublic ? PUBLIC_DEFAULTS[name] : undefined) ?? SETTINGS[name].default
    const { text, source } = find(name) ?? { text: fallback, source: 'default' }
    return [name, parseSetting(name, text, source)]
  })
  // Each value came from the parser of its row, which the type cannot express.
  return { ...(Object.fromEntries(values) as Omit<Settings, 'dataFolder'>), dataFolder: resolve(dataFolder) }
}

/** The value of a string that `source` gives for a setting. */
export function parseSetting<Name extends SettingName>(
  name: Name,
  text: string,
  source: string,
): Settings[Name] {
  const setting: Setting<unknown> = SETTINGS[name]
  const value = setting.parse(text)
  if (value === undefined) {
    const shown = setting.isSecret ? 'it' : `"${text.replaceAll('\n', ', ')}"`
    throw new UsageError(`${source}: ${shown} must be ${setting.rule}`)
  }
  // It came from the parser of its row, which the type cannot express.
  return value as Settings[Name]
}

/** A name represents one bucket: if the default one were among the others, its domains would seem to be missing. */
export function bucketsOf({ defaultBucket, buckets }: Settings): Buckets {
  if (!buckets.includes(defaultBucket)) return { defaultName: defaultBucket, otherNames: buckets }
  throw new UsageError(
    `the setting "buckets" names the default bucket "${defaultBucket}": it must name other buckets only`,
  )
}

/** Secrets of a user of a running service; they are no options, because other users of the machine can see options. */
export interface Secrets {
  /** The password of --user, or a token; absent: the command asks for it. */
  readonly password: string | undefined
  /** A token, which names its user. */
  readonly token: string | undefined
}

export function secretsOf(environment: NodeJS.ProcessEnv): Secrets {
  return { password: environment.HYPERSLAB_PASSWORD, token: environment.HYPERSLAB_TOKEN || undefined }
}

/** The text of a setting and where it was found; undefined: nowhere. */
function findText(
  name: SettingName,
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  file: ConfigurationFile,
): { text: string; source: string } | undefined {
  const { repeatable }: Setting<unknown> = SETTINGS[name]
  const option = options[name]
  if (option !== undefined) {
    const text = repeatable && Array.isArray(option) ? option.join('\n') : String(option)
    return { text, source: `--${dashed(name)}` }
  }
  const inEnvironment = environment[variable(name)]
  if (inEnvironment !== undefined) {
    const text = repeatable ? inEnvironment.replaceAll(',', '\n') : inEnvironment
    return { text, source: variable(name) }
  }
  const inFile = file.values.get(underscored(name))
  return inFile === undefined ? undefined : { text: inFile, source: `${file.path}, "${underscored(name)}"` }
}

/** Variables of tests and benchmarks, which the command may inherit. */
const OTHER_VARIABLES = /^HYPERSLAB_(TEST|CRASH|BENCH)_/

const VARIABLES_OF_COMMANDS = [
  'HYPERSLAB_CONFIG',
  'HYPERSLAB_DATA',
  'HYPERSLAB_ENDPOINT',
  'HYPERSLAB_PASSWORD',
  'HYPERSLAB_TOKEN',
]

/** A misspelled setting would have no effect, and the user would not notice. */
function refuseUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const known = [...VARIABLES_OF_COMMANDS, ...ALL_SETTINGS.map(variable)]
  for (const name of Object.keys(environment)) {
    if (!name.startsWith(VARIABLE_PREFIX) || known.includes(name) || OTHER_VARIABLES.test(name)) continue
    const nearest = nearestName(name, known)
    throw new UsageError(`the environment variable ${name} is not a setting; the nearest is ${nearest}`)
  }
}

/** An empty name would be the working directory, which a script with an unset variable never means. */
function namedDataFolder(options: CommandOptions, environment: NodeJS.ProcessEnv): string | undefined {
  const [source, folder] =
    options.data === undefined
      ? ['HYPERSLAB_DATA', environment.HYPERSLAB_DATA]
      : ['the name of the data folder', options.data]
  if (folder === '') throw new UsageError(`${source} is empty: it must be the path of a folder`)
  return folder
}
