// The key of S3: from the environment, or from a file that may change.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { s3Access } from './access.ts'

let folder: string
let file: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hyperslab-credentials-'))
  file = join(folder, 'credentials')
})
afterAll(() => rmSync(folder, { recursive: true }))

let time = 0
const now = () => time

const signed = async ({ sign }: ReturnType<typeof s3Access>) => {
  const headers = await sign?.(new URL('http://127.0.0.1/bucket/key'), {}, 'GET')
  const [, key] = /Credential=([^/]+)/.exec(headers?.authorization ?? '') ?? []
  return [key, headers?.['x-amz-security-token']]
}

const profile = (name: string, id: string, more = '') =>
  `[${name}]\naws_access_key_id = ${id}\naws_secret_access_key=secret-of-${id}\n${more}`

describe('the file of AWS_SHARED_CREDENTIALS_FILE', () => {
  it('is read again, and the key before holds while it has none', async () => {
    const write = (text: string, seconds: number) => {
      writeFileSync(file, text)
      time += seconds * 1000
    }
    write(`# keys\n${profile('other', 'OTHER')}\n${profile('default', 'FIRST')}`, 0)
    const access = s3Access({ AWS_SHARED_CREDENTIALS_FILE: file }, now)
    expect(await signed(access)).toEqual(['FIRST', undefined])
    write(profile('default', 'SECOND', 'aws_session_token = of-second\n'), 6)
    expect(await signed(access)).toEqual(['SECOND', 'of-second'])
    write('[default]\naws_access_key_id = THI', 6)
    expect(await signed(access)).toEqual(['SECOND', 'of-second'])
    write(profile('default', 'THIRD'), 6)
    expect(await signed(access)).toEqual(['THIRD', undefined])
    rmSync(file)
    time += 6000
    expect(await signed(access)).toEqual(['THIRD', undefined])
  })

  it('gives the key of AWS_PROFILE', async () => {
    writeFileSync(file, `${profile('default', 'FIRST')}\n[ lab ]\r\n${profile('lab', 'OF-LAB')}`)
    const environment = { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: 'lab' }
    expect(await signed(s3Access(environment, now))).toEqual(['OF-LAB', undefined])
  })

  it('is not read when the environment has the key', async () => {
    const environment = {
      AWS_SHARED_CREDENTIALS_FILE: join(folder, 'none'),
      AWS_ACCESS_KEY_ID: 'OWN',
      AWS_SECRET_ACCESS_KEY: 'x',
    }
    expect(await signed(s3Access(environment, now))).toEqual(['OWN', undefined])
  })

  it.each([
    ['is not there', undefined, 'cannot be read (ENOENT)'],
    ['has no such profile', profile('lab', 'X'), 'below [default]'],
    [
      'has half a key',
      '[default]\naws_access_key_id = X\n',
      'must have aws_access_key_id and aws_secret_access_key',
    ],
  ])('that %s at the start is an error', (_, text, rule) => {
    rmSync(file, { force: true })
    if (text !== undefined) writeFileSync(file, text)
    expect(() => s3Access({ AWS_SHARED_CREDENTIALS_FILE: file }, now)).toThrow(rule)
  })
})
