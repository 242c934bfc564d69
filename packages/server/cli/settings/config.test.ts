import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { optionsOf, readSettings } from './config.ts'
import { ALL_SETTINGS } from './table.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-config-'))
})

afterEach(() => {
  rmSync(folder, { recursive: true, force: true })
})

function file(name: string, json: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json))
  return path
}

const all = { create: true, read: true, update: true, delete: true, readACL: true, updateACL: true }
const none = { create: false, read: false, update: false, delete: false, readACL: false, updateACL: false }

describe('readSettings', () => {
  it('has a default for every setting', () => {
    expect(readSettings({ data: folder }, {})).toEqual({
      dataFolder: folder,
      host: '127.0.0.1',
      port: 5101,
      workers: 1,
      records: { kind: 'folder' },
      blobs: { kind: 'folder' },
      blobCacheSize: 10_737_418_240,
      dataOnNetwork: false,
      upgrade: true,
      baseDomain: 'hdfgroup.org',
      home: 'home',
      defaultAcl: all,
      defaultPublic: false,
      newDomains: 'anyone',
      allowNoauth: true,
      noauthWrites: true,
      public: false,
      robots: 'nothing',
      passwordFile: '',
      groupsFile: '',
      adminUser: 'admin',
      adminGroup: '',
      tokenKeys: '',
      tokenIssuer: '',
      tokenAudience: [],
      tokenAlgorithms: expect.arrayContaining(['RS256', 'PS256', 'ES256', 'EdDSA']),
      tokenUserClaim: 'preferred_username',
      tokenGroupsClaim: 'roles',
      tokenClockTolerance: 60,
      mount: [],
      mountAcl: { ...none, read: true, readACL: true },
      mountReaders: [],
      mountTimeout: 10,
      mountUnclosed: false,
      audit: 'off',
      trustedProxies: [],
      budget: [],
      corsOrigins: [],
      frameAncestors: [],
      logLevel: 'warn',
      loginProviders: '',
      publicUrl: '',
      accelRedirect: '',
      maxJsonBody: 33_554_432,
      maxWriteBytes: 4_294_967_296,
      maxRequests: 64,
      maxRequestMemory: 0,
      maxWait: 30,
      maxSnapshotAge: 3600,
      maxUpload: 68_719_476_736,
      sessionIdle: 86_400,
      sessionEnd: 2_592_000,
      maxListeners: 2000,
      eventHours: 24,
      eventBytes: 67_108_864,
      maxConnections: 0,
      clientTimeout: 60,
      keepAliveTimeout: 620,
      minClientRate: 1024,
      metrics: 'admin',
      trace: false,
      shutdownDelay: 0,
      shutdownGrace: 30,
      openToNetwork: false,
      defaultBucket: 'hyperslab',
      buckets: [],
      hsdsLevel: '1.0',
    })
    expect(readSettings({}, {}).dataFolder).toBe(resolve('data'))
  })

  it('takes the option before the environment before the file before the default', () => {
    const config = file('settings.json', { port: 1, base_domain: 'file.org', host: 'file', data: '/file' })
    const environment = { HYPERSLAB_PORT: '2', HYPERSLAB_BASE_DOMAIN: 'env.org', HYPERSLAB_CONFIG: config }
    const settings = readSettings({ port: '3' }, environment)
    expect(settings).toMatchObject({ port: 3, baseDomain: 'env.org', host: 'file', dataFolder: '/file' })
    expect(settings.hsdsLevel).toBe('1.0')
  })

  it('has other defaults with --public, of which each can be set', () => {
    const open = readSettings({ data: folder, public: true, newDomains: 'nobody' }, {})
    expect(open).toMatchObject({
      defaultAcl: { ...none, read: true, readACL: true },
      newDomains: 'nobody',
      noauthWrites: false,
      robots: 'pages',
      budget: [{ callers: 'anonymous', most: { requests: 600, bytes: 50e9 } }],
    })
    expect(readSettings({ data: folder, public: 'false' }, {}).noauthWrites).toBe(true)
  })

  it('reads config.json of the data folder when no file is named', () => {
    file('config.json', { port: 7 })
    const named = file('named.json', {})
    expect(readSettings({ data: folder }, {}).port).toBe(7)
    expect(readSettings({ data: folder, config: named }, {}).port).toBe(5101)
    expect(readSettings({}, { HYPERSLAB_DATA: folder }).port).toBe(7)
  })

  it.each([
    ['defaultAcl', 'all', all],
    ['defaultAcl', 'none', none],
    ['defaultAcl', 'read, readACL', { ...none, read: true, readACL: true }],
    ['corsOrigins', '', []],
    ['corsOrigins', 'https://a.org, http://b.org:3000', ['https://a.org', 'http://b.org:3000']],
    ['corsOrigins', 'vscode-webview://x1', ['vscode-webview://x1']],
    ['frameAncestors', '', []],
    ['frameAncestors', 'https://a.org,http://localhost:3000', ['https://a.org', 'http://localhost:3000']],
    ['openToNetwork', true, true],
    ['buckets', 'archive, lab.2', ['archive', 'lab.2']],
    ['audit', 'stderr', 'stderr'],
    ['audit', '/var/log/audit.log', '/var/log/audit.log'],
    ['trustedProxies', '127.0.0.1, fd00::/8', ['127.0.0.1', 'fd00::/8']],
    [
      'budget',
      ['anonymous requests=600 bytes=1.5G', '@lab seconds=0'],
      [
        { callers: 'anonymous', most: { requests: 600, bytes: 1.5e9 } },
        { callers: '@lab', most: { seconds: 0 } },
      ],
    ],
    ['allowNoauth', 'false', false],
    ['publicUrl', 'https://a.org/', 'https://a.org'],
    ['mount', ['/data/lab'], [{ source: '/data/lab', path: '/lab' }]],
    [
      'mount',
      ['/data/a,b/', '/c=/x/y'],
      [
        { source: '/data/a,b', path: '/a,b' },
        { source: '/c', path: '/x/y' },
      ],
    ],
    ['mount', ['/k=v/d=/'], [{ source: '/k=v/d', path: '/' }]],
    ['mount', ['rel=/'], [{ source: resolve('rel'), path: '/' }]],
    ['mount', ['/'], [{ source: '/', path: '/' }]],
    [
      'mount',
      ['https://h.org/a/r%20n.h5?x=1', 's3://b'],
      [
        { source: 'https://h.org/a/r%20n.h5?x=1', path: '/r n.h5' },
        { source: 's3://b', path: '/b' },
      ],
    ],
    ['mount', ['s3://b/2024/=/lab'], [{ source: 's3://b/2024/', path: '/lab' }]],
    ['records', 'postgres://ann@db/x', { kind: 'postgres', address: 'postgres://ann@db/x' }],
    ['records', '', { kind: 'folder' }],
    ['blobs', 's3://b/2024', { kind: 's3', address: 's3://b/2024' }],
    ['blobs', '', { kind: 'folder' }],
    ['maxRequestMemory', '0', 0],
    ['maxRequestMemory', '16777216', 2 ** 24],
    ['mountAcl', 'none', none],
    ['mountUnclosed', true, true],
    [
      'mountReaders',
      ['/lab/det=x=g:beamline3  ann', '/public=default'],
      [
        { path: '/lab/det=x', names: ['g:beamline3', 'ann'] },
        { path: '/public', names: ['default'] },
      ],
    ],
    ['baseDomain', 'Data.Example.ORG', 'data.example.org'],
    ['baseDomain', 'xn--jlich-kva.de', 'xn--jlich-kva.de'],
    ['baseDomain', 'my_host', 'my_host'],
    ['port', '0', 0],
    ['shutdownGrace', '0', 0],
  ])('%s: %j means %j', (name, given, meaning) => {
    expect(readSettings({ data: folder, [name]: given }, {})).toMatchObject({ [name]: meaning })
  })

  it.each([
    ['port', 'abc', '--port: "abc" must be a whole number from 0 to 65535'],
    ['port', '-1', '--port'],
    ['port', '65536', '--port'],
    ['port', '1.5', '--port'],
    ['port', '', '--port'],
    ['host', '', '--host'],
    [
      'maxRequestMemory',
      '16777215',
      '"16777215" must be 0, or a whole number from 16777216 to 9007199254740991',
    ],
    ['baseDomain', '.org', '--base-domain'],
    ['baseDomain', 'a b', '--base-domain'],
    ['baseDomain', 'a..b', '--base-domain'],
    ['baseDomain', 'example.org.', '--base-domain'],
    ['baseDomain', '-a.org', '--base-domain'],
    ['baseDomain', 'a-.org', '--base-domain'],
    ['baseDomain', 'a?b.org', '--base-domain'],
    ['baseDomain', 'jülich.de', '--base-domain'],
    ['baseDomain', '127.0.0.1', '--base-domain'],
    ['baseDomain', `${'a'.repeat(64)}.org`, '--base-domain'],
    ['baseDomain', `${'a.'.repeat(126)}org`, '--base-domain'],
    ['defaultAcl', 'read,write', '--default-acl'],
    ['defaultAcl', '', '--default-acl'],
    ['newDomains', 'all', '--new-domains: "all" must be one of anyone, authenticated, nobody'],
    ['tokenAlgorithms', 'none', '--token-algorithms: "none" must be a list of RS256'],
    ['tokenAlgorithms', 'RS256,HS256', '--token-algorithms'],
    ['tokenAlgorithms', '', '--token-algorithms'],
    ['tokenUserClaim', '', '--token-user-claim'],
    ['corsOrigins', '*', '--cors-origins: "*" must be a list of origins'],
    ['corsOrigins', 'null', '--cors-origins'],
    ['corsOrigins', 'https://a.org/', '--cors-origins'],
    ['corsOrigins', 'https://A.org', '--cors-origins'],
    ['corsOrigins', 'https://a.org:443', '--cors-origins'],
    ['corsOrigins', 'https://*.a.org', '--cors-origins'],
    ['corsOrigins', 'a.org', '--cors-origins'],
    ['frameAncestors', '*', '--frame-ancestors: "*" must be a list of origins'],
    ['frameAncestors', "'self'", '--frame-ancestors'],
    ['frameAncestors', 'https://a.org/page', '--frame-ancestors'],
    ['frameAncestors', "https://a.org;script-src 'unsafe-inline'", '--frame-ancestors'],
    ['frameAncestors', 'app://a;b', '--frame-ancestors'],
    ['frameAncestors', 'http://[::1]:80', '--frame-ancestors'],
    ['frameAncestors', 'http://[::1]:3000', 'not an address of IPv6'],
    ['audit', '', '--audit: "" must be off, stderr, or the path of a file'],
    ['trustedProxies', '10.0.0.0/33', '--trusted-proxies: "10.0.0.0/33" must be a list of addresses'],
    ['budget', ['anonymous'], '--budget: "anonymous" must be anonymous, users or @group'],
    ['budget', ['anonymous requests=x'], '--budget'],
    ['budget', ['anonymous request=1'], '--budget'],
    ['budget', ['anonymous requests=1 requests=2'], '--budget'],
    ['budget', ['nobody requests=1'], '--budget'],
    ['budget', ['users requests=1', 'users bytes=1'], '--budget'],
    ['allowNoauth', 'yes', '--allow-noauth: "yes" must be true or false'],
    ['publicUrl', 'data', '--public-url'],
    ['accelRedirect', 'files', '--accel-redirect'],
    ['hsdsLevel', '2.0', '--hsds-level'],
    ['defaultBucket', 'a/b', '--default-bucket'],
    ['buckets', 'a, b c', '--buckets'],
    ['mount', ['/a=/x', '/b=/x'], '--mount: "/a=/x, /b=/x" must be DIR, an address'],
    ['mount', ['/a=/x/'], '--mount'],
    ['mount', ['=/x'], '--mount'],
    ['mount', ['https://h.org/%zz'], '--mount'],
    ['mount', ['/a=/x//y'], '--mount'],
    ['mountReaders', ['/det'], '--mount-readers: "/det" must be /folder= and names'],
    ['mountReaders', ['/det='], '--mount-readers'],
    ['mountReaders', ['det=ann'], '--mount-readers'],
    ['mountReaders', ['/det/=ann'], '--mount-readers'],
    ['mountReaders', ['/det=g:'], '--mount-readers'],
    ['mountReaders', ['/det=Default'], '--mount-readers'],
    ['mountReaders', ['/det=ann', '/det=bob'], '--mount-readers'],
  ])('refuses %s: "%s"', (name, given, message) => {
    expect(() => readSettings({ data: folder, [name]: given }, {})).toThrow(message)
  })

  it('names the environment variable or the key of the file that is malformed', () => {
    expect(() => readSettings({ data: folder }, { HYPERSLAB_PORT: 'x' })).toThrow('HYPERSLAB_PORT: "x" must')
    const path = file('config.json', { port: 'x' })
    expect(() => readSettings({ data: folder }, {})).toThrow(`${path}, "port": "x" must`)
  })

  it.each([
    [{ prot: 1 }, '"prot" is not a setting; settings are data, host, port'],
    [{ data: '/x' }, 'cannot contain "data", the path of the data folder'],
    [{ port: null }, '"port": must be a string'],
    [{ cors_origins: [1] }, '"cors_origins": must be a string'],
    [[], 'must contain one JSON object'],
    ['{', 'config.json: '],
  ])('refuses the file %j', (json, message) => {
    file('config.json', json)
    expect(() => readSettings({ data: folder }, {})).toThrow(message)
  })

  it('takes lists, numbers and truth values of the file as they are', () => {
    file('config.json', { cors_origins: ['https://a.org'], port: 6000, allow_noauth: false })
    expect(readSettings({ data: folder }, {})).toMatchObject({
      corsOrigins: ['https://a.org'],
      port: 6000,
      allowNoauth: false,
    })
  })

  it('reads mounts from the environment, with commas, and from a file, each as it is', () => {
    const mounts = [
      { source: '/a', path: '/a' },
      { source: '/b', path: '/c' },
    ]
    expect(readSettings({ data: folder }, { HYPERSLAB_MOUNT: '/a,/b=/c' }).mount).toEqual(mounts)
    file('config.json', { mount: ['/a', '/b,b=/c'] })
    expect(readSettings({ data: folder }, {}).mount).toEqual([mounts[0], { source: '/b,b', path: '/c' }])
  })

  it('takes another default for the data folder', () => {
    expect(readSettings({}, {}, folder).dataFolder).toBe(folder)
    expect(readSettings({}, { HYPERSLAB_DATA: '/d' }, folder).dataFolder).toBe('/d')
    file('config.json', { port: 7 })
    expect(readSettings({}, {}, folder).port).toBe(7)
  })

  it('refuses an empty name of the data folder, which would be the working directory', () => {
    expect(() => readSettings({}, { HYPERSLAB_DATA: '' })).toThrow(
      'HYPERSLAB_DATA is empty: it must be the path of a folder',
    )
    expect(() => readSettings({ data: '' }, {}, folder)).toThrow('the name of the data folder is empty')
    const config = join(folder, 'named.json')
    writeFileSync(config, '{"data": ""}')
    expect(() => readSettings({ config }, {})).toThrow(`${config}: "data" is empty`)
  })

  it('says which file is missing', () => {
    const path = join(folder, 'no.json')
    expect(() => readSettings({ config: path }, {})).toThrow(`there is no configuration file ${path}`)
    expect(() => readSettings({}, { HYPERSLAB_CONFIG: path })).toThrow(
      `there is no configuration file ${path}`,
    )
  })

  it.each([
    ['HYPERSLAB_PROT', 'HYPERSLAB_PORT'],
    ['HYPERSLAB_BASEDOMAIN', 'HYPERSLAB_BASE_DOMAIN'],
    ['HYPERSLAB_DATA_DIR', 'HYPERSLAB_DATA'],
    ['HYPERSLAB_DEFAULTACLS', 'HYPERSLAB_DEFAULT_ACL'],
  ])('refuses the variable %s, and names the nearest: %s', (name, nearest) => {
    const message = `the environment variable ${name} is not a setting; the nearest is ${nearest}`
    expect(() => readSettings({ data: folder }, { [name]: 'x' })).toThrow(message)
  })

  it.each([
    'HYPERSLAB_PASSWORD',
    'HYPERSLAB_TEST_URL',
    'HYPERSLAB_CRASH_SEED',
    'HYPERSLAB_BENCH_DIR',
    'OTHER',
  ])('passes over the variable %s', name => {
    expect(readSettings({ data: folder }, { [name]: 'x' }).port).toBe(5101)
  })
})

it('every setting has an option whose help tells its default', () => {
  const options = optionsOf(ALL_SETTINGS)
  expect(options.map(({ flags }) => flags)).toContain('--base-domain <name>')
  expect(options.map(({ flags }) => flags)).toContain('--open-to-network [true|false]')
  expect(options.find(({ flags }) => flags.startsWith('--port'))?.help).toContain('(default: 5101)')
})
