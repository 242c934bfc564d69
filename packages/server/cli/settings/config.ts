// The settings: one table, and the only module that reads options, the environment and the configuration file. An
// option has precedence over the environment, that over the file, and that over the default. An unknown or malformed
// setting is an error that names the option, variable or file.

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { childIfValid, isBucketName, ROOT_FOLDER } from '@hyperslab/model/names'
import type { Buckets } from '../../http/dialect/buckets.ts'
import { nearestName } from '../../nearest-name.ts'
import { UsageError } from '../usage-error.ts'
import {
  acl,
  algorithms,
  blobsLocation,
  boolean,
  bucketNames,
  choice,
  dnsName,
  frameAncestors,
  integer,
  list,
  mounts,
  optionalString,
  origins,
  orZero,
  recordsLocation,
  type Setting,
  string,
} from './setting.ts'

/** The row `baseDomain` is `base_domain` in the file, `HYPERSLAB_BASE_DOMAIN` and `--base-domain` elsewhere. */
const SETTINGS = {
  host: string('127.0.0.1', 'address', 'the address to listen on; 0.0.0.0 or :: for all networks'),
  port: integer('5101', 0, 65_535, 'the port to listen on; 0 takes a free one'),
  workers: integer('1', 1, 64, 'processes that serve; one for each processor uses all of them'),
  records: recordsLocation(
    'a database of PostgreSQL for records, which several servers may share; empty: the data folder',
  ),
  blobs: blobsLocation('a bucket of S3 for values above 64 KiB; empty: the data folder'),
  blobCacheSize: integer(
    '10737418240',
    0,
    Number.MAX_SAFE_INTEGER,
    'bytes of values from S3 that are kept in the folder cache of the data folder; 0: none',
  ),
  baseDomain: dnsName('hdfgroup.org', 'name', 'the end of the DNS names of domains'),
  home: {
    ...string(
      'home',
      'name',
      "the folder at the top level that holds the users' homes of the classic dialect",
    ),
    parse: name => (childIfValid(ROOT_FOLDER, name) === undefined ? undefined : name),
    rule: 'a name of a folder',
  },
  defaultAcl: acl('all', 'permissions of every caller where no access control list decides'),
  defaultPublic: boolean(
    'false',
    'everybody may read new domains with an owner, in folders that everybody may read',
  ),
  newDomains: choice(['anyone', 'authenticated', 'nobody'], 'anyone', 'callers that may create domains'),
  allowNoauth: boolean('true', 'answer callers without credentials'),
  passwordFile: optionalString(
    '',
    'file',
    "a password file of HSDS or h5serv, with users besides the data folder's accounts",
  ),
  groupsFile: optionalString(
    '',
    'file',
    "a groups file of HSDS, with groups of users besides the data folder's groups",
  ),
  adminUser: optionalString('admin', 'name', 'the name of a user that is an administrator; empty: none'),
  adminGroup: optionalString('', 'name', 'the name of a group whose members are administrators; empty: none'),
  tokenKeys: optionalString(
    '',
    'file|URL',
    'keys of bearer tokens: a JWKS or PEM file, or the address of a JWKS or an OpenID discovery document',
  ),
  tokenIssuer: optionalString(
    '',
    'name',
    'the issuer of tokens (iss); empty: the one in the discovery document',
  ),
  tokenAudience: list('', 'names', 'accepted audiences of tokens (aud), required with --token-keys'),
  tokenAlgorithms: algorithms('accepted algorithms of token signatures'),
  tokenUserClaim: string('preferred_username', 'claim', "the claim that holds the user's name"),
  tokenGroupsClaim: optionalString(
    'roles',
    'claim',
    "the claim that lists the user's groups, such as realm_access.roles; empty: none",
  ),
  tokenClockTolerance: integer(
    '60',
    0,
    3600,
    'seconds by which the clocks of the issuer and of the server may differ',
  ),
  loginProviders: optionalString(
    '',
    'file',
    'a JSON file of identity providers (OpenID Connect) with which people log in; needs --public-url',
  ),
  sessionIdle: integer('86400', 60, 31_536_000, 'seconds after which a session ends that is not used'),
  sessionEnd: integer('2592000', 60, 31_536_000, 'seconds after which a session ends in any case'),
  mount: mounts(
    'a folder of HDF5 files, or their address, to serve where they are, read only, at a folder of its name or, as DIR=/folder, at another; may be given several times',
  ),
  mountAcl: acl(
    'read,readACL',
    'permissions of every caller in mounted folders, of which only reading counts',
  ),
  mountUnclosed: {
    ...boolean(
      'false',
      'serve mounted files too that a program has open for writing, or has not closed: their contents may be incomplete',
    ),
    flag: true,
  },
  mountTimeout: integer(
    '10',
    1,
    3600,
    'seconds after which a file system of a mount counts as one that does not answer: reads of its files are 503 then',
  ),
  corsOrigins: origins(
    "web pages that may write and log in, besides the server's own; any page may read what needs no login",
  ),
  frameAncestors: frameAncestors(
    'web pages that may show the page /ui in a frame, by their origins; empty: none',
  ),
  logLevel: choice(
    ['silent', 'fatal', 'error', 'warn', 'info', 'debug', 'trace'],
    'warn',
    'the lowest level that is logged',
  ),
  publicUrl: {
    ...string(
      '',
      'URL',
      'the address in links of responses, if clients use another one than the server sees',
    ),
    parse: url => (url === '' || URL.canParse(url) ? url.replace(/\/+$/, '') : undefined),
    rule: 'a URL such as "https://data.example.org"',
  },
  maxJsonBody: integer(
    '33554432',
    1024,
    Number.MAX_SAFE_INTEGER,
    'bytes of a JSON body; a longer body of values is streamed',
  ),
  maxUpload: integer(
    '68719476736',
    0,
    Number.MAX_SAFE_INTEGER,
    'bytes of an HDF5 file that becomes a domain; 0: none is taken',
  ),
  maxWriteBytes: integer(
    '4294967296',
    1 << 20,
    Number.MAX_SAFE_INTEGER,
    'bytes of values that one request may store; a chunk counts as at least 131072',
  ),
  maxRequests: integer(
    '64',
    4,
    100_000,
    'reads that run at once, beside twice as many writes; more requests queue',
  ),
  maxRequestMemory: orZero(
    integer(
      '0',
      1 << 24,
      Number.MAX_SAFE_INTEGER,
      'bytes that large bodies and streamed responses may hold at once, at most half of the heap; more requests queue; 0: an eighth of the memory, from 128 MiB to 2 GiB',
    ),
  ),
  maxWait: integer('30', 1, 3600, 'seconds that a request queues before it is rejected (503)'),
  maxSnapshotAge: integer(
    '3600',
    1,
    31_536_000,
    'seconds after which a read that is still sending its response is ended; deleted data is kept until then',
  ),
  maxListeners: integer(
    '2000',
    0,
    1_000_000,
    'listeners to the feed of changes at once, each with a connection; further ones are rejected (503)',
  ),
  eventHours: integer('24', 1, 87_600, 'hours for which events of the feed of changes are kept'),
  eventBytes: integer(
    '67108864',
    1 << 20,
    Number.MAX_SAFE_INTEGER,
    'bytes of events that are kept; the oldest are removed first',
  ),
  maxConnections: integer(
    '0',
    0,
    10_000_000,
    'connections at once; 0: as many as the limit of open files allows beside the storage',
  ),
  clientTimeout: integer(
    '60',
    1,
    86_400,
    'seconds after which the server closes the connection of a client that sends or takes too little',
  ),
  keepAliveTimeout: integer(
    '620',
    1,
    86_400,
    'seconds that a connection between two requests is kept; longer than proxies in front keep theirs',
  ),
  minClientRate: integer(
    '1024',
    0,
    1_000_000_000,
    'bytes a second that such a client must send or take; 0: any byte is enough',
  ),
  metrics: choice(
    ['off', 'admin', 'public'],
    'admin',
    'callers that may read /metrics, figures in /info, and Server-Timing',
  ),
  trace: { ...boolean('false', 'log what each request reads, writes and waits for'), flag: true },
  shutdownDelay: integer(
    '0',
    0,
    3600,
    'seconds after SIGTERM during which /ready answers 503 and new connections are still accepted',
  ),
  shutdownGrace: integer('30', 0, 86_400, 'seconds that requests in flight have to end after SIGTERM'),
  openToNetwork: {
    ...boolean('false', 'listen on a network although every caller may change data'),
    flag: true,
  },
  defaultBucket: {
    ...string('hyperslab', 'name', 'the bucket of requests that name none'),
    parse: name => (isBucketName(name) ? name : undefined),
    rule: 'letters, digits, "_", "." and "-"',
  },
  buckets: bucketNames('more buckets, each with folders and domains of its own, for the hsds dialect'),
  hsdsLevel: choice(['1.0', '0.9'], '1.0', 'the version of HSDS that the hsds dialect follows'),
} satisfies Record<string, Setting<unknown>>

export type SettingName = keyof typeof SETTINGS

export type Settings = {
  readonly [Name in SettingName]: (typeof SETTINGS)[Name] extends Setting<infer T> ? T : never
} & { readonly dataFolder: string }

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

export const ALL_SETTINGS = Object.keys(SETTINGS).filter(isSettingName)

/** `defaultData`: the data folder where no setting names one. */
export function readSettings(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  defaultData = DEFAULT_DATA_FOLDER,
): Settings {
  refuseUnknownVariables(environment)
  const file = readConfigurationFile(options, environment, defaultData)
  const dataFolder = namedDataFolder(options, environment) ?? file.data ?? defaultData
  const values = ALL_SETTINGS.map(name => {
    const { text, source } = findText(name, options, environment, file) ?? {
      text: SETTINGS[name].default,
      source: 'default',
    }
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

/** The password for `import --endpoint`; it is not an option, because other users of the machine can see options. */
export function passwordOf(environment: NodeJS.ProcessEnv): string | undefined {
  return environment.HYPERSLAB_PASSWORD
}

interface ConfigurationFile {
  readonly path: string
  readonly data: string | undefined
  readonly values: ReadonlyMap<string, string>
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

const VARIABLE_PREFIX = 'HYPERSLAB_'

/** Variables of tests and benchmarks, which the command may inherit. */
const OTHER_VARIABLES = /^HYPERSLAB_(TEST|CRASH|BENCH)_/

/** A misspelled setting would have no effect, and the user would not notice. */
function refuseUnknownVariables(environment: NodeJS.ProcessEnv): void {
  const known = ['HYPERSLAB_CONFIG', 'HYPERSLAB_DATA', 'HYPERSLAB_PASSWORD', ...ALL_SETTINGS.map(variable)]
  for (const name of Object.keys(environment)) {
    if (!name.startsWith(VARIABLE_PREFIX) || known.includes(name) || OTHER_VARIABLES.test(name)) continue
    const nearest = nearestName(name, known)
    throw new UsageError(`the environment variable ${name} is not a setting; the nearest is ${nearest}`)
  }
}

function variable(name: SettingName): string {
  return VARIABLE_PREFIX + underscored(name).toUpperCase()
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

/** The file of `--config` or HYPERSLAB_CONFIG, else `config.json` in the data folder if it is there. */
function readConfigurationFile(
  options: CommandOptions,
  environment: NodeJS.ProcessEnv,
  defaultData: string,
): ConfigurationFile {
  const named = options.config ?? environment.HYPERSLAB_CONFIG
  const dataFolder = namedDataFolder(options, environment) ?? defaultData
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

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

function dashed(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

function underscored(name: string): string {
  return dashed(name).replaceAll('-', '_')
}
