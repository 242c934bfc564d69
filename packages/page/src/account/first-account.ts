// The first account of a service, made in the page: the code of its address, the request, and the login after it.

import { type Api, basic, type Hyperslab } from '@hyperslab/client'

type Client = Pick<Hyperslab, 'request'>

/** The code in the fragment of an address, which browsers do not send; empty: it has none. */
export function codeIn(fragment: string): string {
  return fragment.replace(/^#/, '')
}

/** Makes the administrator that the form names, and logs it in with a client of the header `Authorization`. */
export async function beginFirstAccount(
  client: Client,
  connect: (authorization: string) => Client,
  fields: FormData,
): Promise<Api.Login> {
  const [name, password, again, code] = ['name', 'password', 'again', 'code'].map(field =>
    String(fields.get(field) ?? ''),
  ) as [string, string, string, string] // one text for each name
  if (password !== again) throw new Error('The two passwords differ.')
  await client.request('POST /first-account', {}, { body: { name, password, ...(code !== '' && { code }) } })
  return connect(basic(name, password)).request('POST /login', {})
}
