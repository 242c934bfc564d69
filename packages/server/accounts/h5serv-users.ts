// h5serv's password file (classic 13.1): an HDF5 file with an attribute of its root group for each user. It is a
// compound with the SHA-224 of the password and the number of the user.

import { openH5File, sourceOf } from '@hyperslab/h5/reader'
import { elementsToJson } from '@hyperslab/model/json'
import { PREFIXED_REFERENCES } from '@hyperslab/model/values'
import { isNameOfMany } from '../service/user-names.ts'

export interface H5servUser {
  /** The number by which access control lists of h5serv name the user. */
  readonly number: number
  /** The SHA-224 of the password, in hexadecimal digits. */
  readonly sha224: string
  /** False: the user cannot log in. */
  readonly isActive: boolean
}

const SHA224 = /^[0-9a-f]{56}$/
/** The state of an account that can be used. */
const ACTIVE = 'A'
const STYLE = { references: PREFIXED_REFERENCES, nonFinite: 'bare', float32: 'widened' } as const

/** The users by their names. An attribute that is no user is skipped with a warning, which never has its values. */
export async function readH5servUsers(
  bytes: Uint8Array,
  warn: (message: string) => void,
): Promise<ReadonlyMap<string, H5servUser>> {
  const users = new Map<string, H5servUser>()
  const reader = await openH5File(sourceOf(bytes), 'the password file')
  try {
    for await (const batch of reader.attributes(reader.root, () => undefined)) {
      for (const { name, type, value } of batch) {
        const skip = (reason: string) => warn(`the user "${name}" of the password file is skipped: ${reason}`)
        if (type.class !== 'H5T_COMPOUND' || value?.count !== 1) {
          skip('it is not a compound of pwd, state and userid')
          continue
        }
        const values = [elementsToJson(type, [], value, STYLE)].flat()
        const member = (field: string) => values[type.fields.findIndex(one => one.name === field)]
        const [password, state, number] = [member('pwd'), member('state'), member('userid')]
        if (isNameOfMany(name)) skip('the name means several users')
        else if (typeof password !== 'string' || !SHA224.test(password.toLowerCase()))
          skip('its pwd is no SHA-224')
        else if (typeof number !== 'number' || number < 1) skip('its userid is not a number from 1 on')
        else users.set(name, { number, sha224: password.toLowerCase(), isActive: state === ACTIVE })
      }
    }
    for (const { message } of reader.warnings) warn(`the password file: ${message}`)
    return users
  } finally {
    await reader.close()
  }
}
