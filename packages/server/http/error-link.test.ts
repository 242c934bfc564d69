// The link of an error answer to the list of errors. test/wire/pages.test.ts sees it on errors of every kind.

import { expect, test } from 'vitest'
import { listening, openMemoryStore, serverOf } from '../../../test/fixtures/server.ts'
import { errorLink } from './error-link.ts'

test.each([
  [undefined, '</docs/errors#link-exists>; rel="help"'],
  ['https://data.example.org/h5', '<https://data.example.org/h5/docs/errors#link-exists>; rel="help"'],
  [
    'https://daten.örtlich.example',
    '<https://daten.%C3%B6rtlich.example/docs/errors#link-exists>; rel="help"',
  ],
])('with the address %s', (base, link) => {
  expect(errorLink('link-exists', base)).toEqual(['Link', link])
})

test('errors of a server with a public address have it, also those of the router', async () => {
  const server = serverOf(openMemoryStore(), { http: { publicUrl: 'https://data.example.org' } })
  const address = await listening(server)
  const linkOf = async (path: string) => (await fetch(address + path)).headers.get('link')
  expect(await linkOf('/nothing')).toBe('<https://data.example.org/docs/errors#route-not-found>; rel="help"')
  expect(await linkOf('/%ff')).toBe('<https://data.example.org/docs/errors#malformed-url>; rel="help"')
  await server.close()
})
