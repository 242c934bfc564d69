// The settings: one table, their types, and the spellings of their names.

import { resolve } from 'node:path'
import { childIfValid, ROOT_FOLDER } from '@hyperslab/model/names'
import { isBucketName } from '../../service/domains/path-names.ts'
import { budgets, networks } from './caller-settings.ts'
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
  mountReaders,
  mounts,
  optionalString,
  origins,
  orZero,
  recordsLocation,
  type Setting,
  string,
} from './setting.ts'

/** The row `baseDomain` is `base_domain` in the file, `HYPERSLAB_BASE_DOMAIN` and `--base-domain` elsewhere. */
export const SETTINGS = {
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
  dataOnNetwork: {
    ...boolean(
      'false',
      "store records in a data folder on a network's file system; for one machine at a time",
    ),
    flag: true,
  },
  upgrade: boolean(
    'true',
    'give a store of an older format the present one, which earlier versions cannot open; false: refuse to start',
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
  noauthWrites: boolean(
    'true',
    'callers without credentials may change what access control lists allow them; false: they only read',
  ),
  public: {
    ...boolean(
      'false',
      'open to the world: reading without a login, changes with one, a budget for callers without one, pages for search engines; it sets other defaults for default_acl, new_domains, noauth_writes, robots and budget',
    ),
    flag: true,
  },
  robots: choice(['nothing', 'pages'], 'nothing', 'what /robots.txt allows search engines to visit'),
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
  mountReaders: mountReaders(
    'users and groups (g:NAME) that may read a mounted folder, such as "/detector=g:beamline3 ann"; default is everybody; others may not read it; may be given several times',
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
  audit: {
    ...string(
      'off',
      'FILE',
      'where a line of JSON goes for each change, each that is refused for lack of rights, and each login: a file, stderr, or off',
    ),
    parse: text => (text === '' ? undefined : ['off', 'stderr'].includes(text) ? text : resolve(text)),
    rule: 'off, stderr, or the path of a file',
  },
  publicUrl: {
    ...string(
      '',
      'URL',
      'the address in links of responses, if clients use another one than the server sees',
    ),
    parse: url => (url === '' || URL.canParse(url) ? url.replace(/\/+$/, '') : undefined),
    rule: 'a URL such as "https://data.example.org"',
  },
  trustedProxies: networks(
    'addresses and networks of proxies, whose X-Forwarded-For names the addresses of clients',
  ),
  budget: budgets(
    'what callers may ask in a time, such as "anonymous requests=600 bytes=20G"; may be given several times',
  ),
  accelRedirect: {
    ...string(
      '',
      'PATH',
      'the path, in the configuration of nginx, below which it sends files of mounts itself',
    ),
    parse: path => (path === '' || /^(\/[\w.~-]+)+$/.test(path) ? path : undefined),
    rule: 'a path such as "/mounted-files"',
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

export const ALL_SETTINGS = Object.keys(SETTINGS).filter(isSettingName)

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name)
}

export function dashed(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)
}

export function underscored(name: string): string {
  return dashed(name).replaceAll('-', '_')
}

export const VARIABLE_PREFIX = 'HYPERSLAB_'

export function variable(name: SettingName): string {
  return VARIABLE_PREFIX + underscored(name).toUpperCase()
}
