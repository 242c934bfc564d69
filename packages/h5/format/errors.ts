// The error for bytes that break a rule of the file format. Its message names the structure and its address; the
// importer puts the path of the object before it. It affects only the object that the structure belongs to.

import { HyperslabError } from '@hyperslab/base/errors'

/** `structure` with its article: "the fractal heap". `address` absent: it has none of its own. */
export function damaged(structure: string, address: number | undefined, rule: string): HyperslabError {
  const location = address === undefined ? '' : ` at ${address}`
  return new HyperslabError('file-unreadable', `${structure}${location} cannot be read: ${rule}`)
}
