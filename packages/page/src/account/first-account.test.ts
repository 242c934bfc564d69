import type { Hyperslab } from '@hyperslab/client'
import { expect, test } from 'vitest'
import { beginFirstAccount, codeIn } from './first-account.ts'

function fieldsOf(texts: Readonly<Record<string, string>>): FormData {
  const fields = new FormData()
  for (const [name, text] of Object.entries(texts)) fields.set(name, text)
  return fields
}

function newClient() {
  const sent: unknown[] = []
  const request = async (operation: string, _: object, options?: { readonly body?: object }) => {
    sent.push([operation, options?.body])
    return { username: 'root', isadmin: true, login: 'session' }
  }
  return { sent, client: { request: request as unknown as Hyperslab['request'] } }
}

test('the code is the fragment of the address', () => {
  expect([codeIn('#0abc'), codeIn('')]).toEqual(['0abc', ''])
})

test.each([
  [{ code: 'c' }, { name: 'root', password: 'p', code: 'c' }],
  [{}, { name: 'root', password: 'p' }],
])('the account is made with %j, and logged in', async (given, body) => {
  const { sent, client } = newClient()
  const logins: string[] = []
  const connect = (authorization: string) => {
    logins.push(authorization)
    return client
  }
  const fields = fieldsOf({ name: 'root', password: 'p', again: 'p', ...given })
  expect(await beginFirstAccount(client, connect, fields)).toMatchObject({ username: 'root' })
  expect(sent).toEqual([
    ['POST /first-account', body],
    ['POST /login', undefined],
  ])
  expect(logins).toEqual([`Basic ${Buffer.from('root:p').toString('base64')}`])
})

test('two passwords that differ are not sent', async () => {
  const { sent, client } = newClient()
  const fields = fieldsOf({ name: 'root', password: 'p', again: 'q' })
  await expect(beginFirstAccount(client, () => client, fields)).rejects.toThrow('differ')
  expect(sent).toEqual([])
})
