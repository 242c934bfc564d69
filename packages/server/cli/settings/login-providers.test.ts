import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { UsageError } from '../usage-error.ts'
import { readLoginProviders } from './login-providers.ts'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-providers-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

const LAB = { name: 'lab', issuer: 'https://id.example/realms/lab', client_id: 'hyperslab' }

function read(json: unknown) {
  const path = join(folder, 'providers.json')
  writeFileSync(path, typeof json === 'string' ? json : JSON.stringify(json))
  return readLoginProviders(path)
}

it('reads providers, with defaults for what is absent', () => {
  writeFileSync(join(folder, 'secret'), 'x\n')
  const uni = {
    name: 'uni-2',
    title: 'Universität',
    issuer: 'http://127.0.0.1:8080',
    client_id: 'x',
    client_secret_file: 'secret',
    scopes: ['openid'],
    user_claim: 'email',
    name_claim: 'given_name',
    groups_claim: '',
  }
  expect(read([{ ...LAB, client_secret: 's' }, uni])).toEqual([
    {
      name: 'lab',
      title: 'lab',
      issuer: LAB.issuer,
      clientId: 'hyperslab',
      clientSecret: 's',
      scopes: ['openid', 'profile', 'email'],
      claims: { user: 'preferred_username', displayName: 'name', groups: 'groups' },
    },
    {
      name: 'uni-2',
      title: 'Universität',
      issuer: 'http://127.0.0.1:8080',
      clientId: 'x',
      clientSecretFile: join(folder, 'secret'),
      scopes: ['openid'],
      claims: { user: 'email', displayName: 'given_name', groups: '' },
    },
  ])
})

it('rejects a file that has no secret in it', () => {
  writeFileSync(join(folder, 'empty'), '\n')
  expect(() => read([{ ...LAB, client_secret_file: 'empty' }])).toThrow(/provider 1: .*empty is empty$/)
})

const SECRET = 'a secret of the client'

it.each<[string, unknown, string]>([
  ['no JSON', `[{"client_secret": "${SECRET}"`, 'is not JSON'],
  ['no list', LAB, 'must contain a list'],
  ['no provider', [], 'must contain a list'],
  ['a string', ['lab'], 'provider 1: must be a JSON object'],
  [
    'another member',
    [{ ...LAB, client_sekret: SECRET }],
    '"client_sekret" is not a member; the nearest is "client_secret"',
  ],
  [
    'a missing file with the secret',
    [LAB, { ...LAB, name: 'uni', client_secret_file: 'gone' }],
    'provider 2: "client_secret_file": ',
  ],
  ['an unreadable one', [{ ...LAB, client_secret_file: '.' }], 'cannot be read: EISDIR'],
  ['no name', [{ ...LAB, name: undefined }], '"name" must be a string that is not empty'],
  ['no issuer', [{ ...LAB, issuer: '' }], '"issuer" must be a string'],
  ['no client', [{ ...LAB, client_id: 7 }], '"client_id" must be a string'],
  ['a long name', [{ ...LAB, name: 'x'.repeat(21) }], '"name" must be up to 20'],
  ['a name with a letter that none has', [{ ...LAB, name: 'La@b' }], '"name" must be up to 20'],
  ['a title of two lines', [{ ...LAB, title: 'a\nb' }], '"title" must be one line'],
  ['http', [{ ...LAB, issuer: 'http://id.example' }], '"issuer" must be an https address'],
  ['no address', [{ ...LAB, issuer: 'id.example' }], '"issuer" must be an https address'],
  ['a query', [{ ...LAB, issuer: 'https://id.example?x' }], '"issuer" must be an https address'],
  ['a password', [{ ...LAB, issuer: `https://u:${SECRET}@id.example` }], '"issuer" must be an https address'],
  [
    'scopes that are none',
    [{ ...LAB, scopes: 'openid' }],
    '"scopes" must be a list of strings with "openid"',
  ],
  [
    'scopes without openid',
    [{ ...LAB, scopes: ['profile'] }],
    '"scopes" must be a list of strings with "openid"',
  ],
  [
    'two secrets',
    [{ ...LAB, client_secret: SECRET, client_secret_file: 'x' }],
    '"client_secret" must be absent',
  ],
  ['an empty secret', [{ ...LAB, client_secret: '' }], '"client_secret" must be a string'],
  ['one name twice', [LAB, { ...LAB, issuer: 'https://other.example' }], 'two providers have the name "lab"'],
  ['one issuer twice', [LAB, { ...LAB, name: 'b' }], 'two providers have the issuer'],
])('refuses %s', (_, json, problem) => {
  const error = (() => {
    try {
      return read(json)
    } catch (error) {
      return error
    }
  })()
  expect(error).toBeInstanceOf(UsageError)
  expect((error as UsageError).message).toContain(problem)
  expect((error as UsageError).message).not.toContain(SECRET)
})

it('says that there is no file', () => {
  expect(() => readLoginProviders(join(folder, 'none.json'))).toThrow('cannot be read: ENOENT')
})
