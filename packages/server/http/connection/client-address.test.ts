import { describe, expect, it } from 'vitest'
import { networkOf, parseNetwork, TrustedProxies } from './client-address.ts'

describe('TrustedProxies', () => {
  it.each<[string, readonly string[], string, string | undefined, string]>([
    ['no proxy is named', [], '192.0.2.1', '203.0.113.7', '192.0.2.1'],
    ['another machine sends the header', ['10.0.0.0/8'], '192.0.2.1', '203.0.113.7', '192.0.2.1'],
    ['a named proxy sends it', ['127.0.0.1'], '127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['the connection is of both families', ['127.0.0.1'], '::ffff:127.0.0.1', '203.0.113.7', '203.0.113.7'],
    ['the client has invented addresses', ['10.0.0.0/8'], '10.1.2.3', '1.1.1.1, 203.0.113.7', '203.0.113.7'],
    ['two named proxies', ['10.0.0.0/8', '::1'], '::1', '203.0.113.7, 10.9.9.9', '203.0.113.7'],
    ['with ports', ['127.0.0.1'], '127.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
    ['an address of IPv6', ['fd00::/8'], 'fd00::1', '[2001:db8::7]:443', '2001:db8::7'],
    ['a named proxy sends none', ['127.0.0.1'], '127.0.0.1', undefined, '127.0.0.1'],
    ['what it sends is no address', ['127.0.0.1'], '127.0.0.1', 'unknown', '127.0.0.1'],
    ['all are named', ['127.0.0.1', '10.0.0.0/8'], '127.0.0.1', '10.0.0.1', '10.0.0.1'],
  ])('%s', (_, networks, remote, forwarded, address) => {
    const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded }
    expect(new TrustedProxies(networks).addressOf(headers, remote)).toBe(address)
  })

  it.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '::/129', 'fe80::1%eth0', '1.2.3'])(
    'has no network %j',
    text => {
      expect(parseNetwork(text)).toBeUndefined()
      expect(() => new TrustedProxies([text])).toThrow(TypeError)
    },
  )
})

describe('networkOf', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '::ffff:192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8:1:2::', '2001:db8:1:2::/64'],
    ['::1', '0:0:0:0::/64'],
    ['unknown', 'unknown'],
  ])('%s is of %s', (address, network) => {
    expect(networkOf(address)).toBe(network)
  })
})
