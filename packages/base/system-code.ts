// The codes of errors of the system, for example ENOENT, also of those that Node does not know by name.

import { constants } from 'node:os'

/** Names by negative numbers, as Node has them. Node itself does not know EDQUOT and ESTALE. */
const NAMES = new Map(Object.entries(constants.errno).map(([name, number]) => [-number, name]))

/** The code of an error of the system; undefined for another error. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error && 'errno' in error && 'code' in error)) return undefined
  const { code, errno } = error
  if (typeof code !== 'string') return undefined
  return code.startsWith('Unknown system error') ? (NAMES.get(Number(errno)) ?? code) : code
}
