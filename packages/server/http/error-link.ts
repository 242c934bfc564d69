// The link of an error answer to its entry in the list of errors, which the service serves (common 6).

import { addressInHeader } from './dialect/hrefs.ts'

/** The header, its name and its value. `base` is the address that clients use, if it is known. */
export function errorLink(code: string, base = ''): ['Link', string] {
  return ['Link', `<${addressInHeader(base)}/docs/errors#${code}>; rel="help"`]
}
