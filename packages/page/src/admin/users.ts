// The users of the service, without drawing them: what the list says of each, and what an administrator may do with it.

import type { Api, Hyperslab } from '@hyperslab/client'
import type { Badge } from '../account/own-lists.ts'

type Client = Pick<Hyperslab, 'request'>
export type User = Api.UserList['users'][number]

export interface UserAction {
  readonly text: string
  /** A sentence that says what the action does. */
  readonly consequence: string
  readonly isDangerous?: boolean
  /** The action needs a new password. */
  readonly hasPassword?: boolean
  readonly act: (client: Client, password: string) => Promise<unknown>
}

export function badgesOf(
  { name, admin, disabled, stored, issuer }: User,
  own: string | undefined,
): readonly Badge[] {
  return [
    ...(name === own ? [{ text: 'you', isGood: true }] : []),
    ...(admin ? [{ text: 'administrator' }] : []),
    ...(disabled ? [{ text: 'disabled' }] : []),
    ...(stored ? [] : [{ text: 'of the password file' }]),
    ...(issuer === undefined ? [] : [{ text: `logs in at ${issuer}` }]),
  ]
}

/** The actions on a user. Administrators do not take their own rights, and change their password in their account. */
export function actionsOn(
  { name, admin, disabled, stored, issuer }: User,
  own: string | undefined,
): readonly UserAction[] {
  const change = (body: Api.ChangedUser) => (client: Client) =>
    client.request('POST /users/{name}', { name }, { body })
  if (name === own) return []
  if (!stored) return [disable(name)]
  const password: UserAction = {
    text: 'Set a password',
    consequence: `The sessions of ${name} end. Tokens and shares stay.`,
    hasPassword: true,
    act: (client, password) => change({ password })(client),
  }
  const rights: UserAction = admin
    ? {
        text: 'Make an ordinary user',
        consequence: `${name} keeps the account, and may do no more than lists of access say.`,
        async act(client) {
          const after = await change({ admin: false })(client)
          if (after.admin)
            throw new Error(`A setting, admin_user or admin_group, makes ${name} an administrator.`)
        },
      }
    : {
        text: 'Make an administrator',
        consequence: `${name} may do everything from then on.`,
        act: change({ admin: true }),
      }
  const remove: UserAction = {
    text: 'Remove',
    consequence: `The account ends with its sessions, tokens and shares. Data and lists of access that name ${name} stay: a later user of this name gets them. To keep the name taken, disable the account instead.`,
    isDangerous: true,
    act: client => client.request('DELETE /users/{name}', { name, remove: 1 }),
  }
  const enable: UserAction = {
    text: 'Enable',
    consequence: `${name} can log in again.`,
    act: change({ disabled: false }),
  }
  return [...(issuer === undefined ? [password] : []), rights, disabled ? enable : disable(name), remove]
}

function disable(name: string): UserAction {
  return {
    text: 'Disable',
    consequence: `${name} can no longer log in, in any way. The data stay, and so does the name.`,
    isDangerous: true,
    act: client => client.request('DELETE /users/{name}', { name }),
  }
}

/** Creates a user from the fields of the form. */
export function beginUser(client: Client, fields: FormData) {
  const body = { password: String(fields.get('password')), admin: fields.has('admin') }
  return client.request('PUT /users/{name}', { name: String(fields.get('name')) }, { body })
}
