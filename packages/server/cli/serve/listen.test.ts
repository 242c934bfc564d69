import { expect, it } from 'vitest'
import { listenWith } from './listen.ts'

const failure = (code: string) => Object.assign(new Error(code), { code, errno: -1 })

/** The hosts that a service tries where these cannot be had. */
async function triedWithout(refused: Record<string, string>, host: string): Promise<readonly string[]> {
  const hosts: string[] = []
  const listen = async (address: { readonly host: string }) => {
    hosts.push(address.host)
    const code = refused[address.host]
    if (code !== undefined) throw failure(code)
  }
  await listenWith(listen, { host, port: 1 })
  return hosts
}

it('all networks are those of IPv4 where there is no IPv6', async () => {
  expect(await triedWithout({}, '::')).toEqual(['::'])
  expect(await triedWithout({ '::': 'EAFNOSUPPORT' }, '::')).toEqual(['::', '0.0.0.0'])
})

it.each([
  ['::1', 'EADDRNOTAVAIL', '::1 is not an address of this machine'],
  ['127.0.0.1', 'EADDRINUSE', '127.0.0.1:1 is in use; --port takes another port'],
  ['127.0.0.1', 'EACCES', 'this user may not listen on 127.0.0.1:1; --port takes another port'],
])('%s with %s is refused in words', async (host, code, message) => {
  await expect(triedWithout({ [host]: code }, host)).rejects.toThrow(message)
})
