// The hosts of addresses: which are names of the service, of a domain of it, or of this machine.

/**
 * Whether the host of an address can be a name of the service only: `localhost`, an IP address, the base domain or a
 * name below it. Any other name may belong to another site, also one that resolves to this service.
 */
export function isOwnHost(host: string, baseDomain: string): boolean {
  const name = host.toLowerCase().replace(/:\d*$/, '')
  return name === 'localhost' || isIpAddress(name) || isDomainHost(host, baseDomain)
}

/** Whether the host of an address, with or without its port, is this machine for every client. */
export function isLoopbackHost(host: string): boolean {
  const name = host.toLowerCase().replace(/^(\[[^\]]*\]|[^:]*):\d*$/, '$1')
  return (
    name === 'localhost' ||
    name === '::1' ||
    name === '[::1]' ||
    (isIpAddress(name) && name.startsWith('127.'))
  )
}

/**
 * Whether the host of an address is the base domain or a name below it: such a name is that of a domain of the service.
 */
export function isDomainHost(host: string, baseDomain: string): boolean {
  return `.${host.toLowerCase().replace(/:\d*$/, '')}`.endsWith(`.${baseDomain.toLowerCase()}`)
}

export function isIpAddress(host: string): boolean {
  if (/^\[[0-9a-fA-F:.]+\]$/.test(host)) return true
  const numbers = host.split('.')
  return numbers.length === 4 && numbers.every(number => /^\d{1,3}$/.test(number) && Number(number) <= 255)
}
