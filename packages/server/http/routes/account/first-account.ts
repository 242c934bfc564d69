// The route that makes the first account of a service, an administrator. It needs the code that the service has
// printed, or a caller of an open service, which may do everything anyway.

import { HyperslabError } from '@hyperslab/base/errors'
import { type Accounts, accountsExist, type Users } from '../../../service/accounts.ts'
import { isCode } from '../../auth/first-account.ts'
import { isUnused } from '../../auth/open-service.ts'
import type { PasswordChecks } from '../../auth/password-checks.ts'
import { objectBody, requiredString } from '../../input/members.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { checkedName, newPassword } from './users.ts'

export interface FirstAccountFacts {
  readonly accounts: Pick<Accounts, 'refresh' | 'areUnused'>
  readonly users: Pick<Users, 'createFirst'>
  readonly passwords: Pick<PasswordChecks, 'hash' | 'countWrongToken'>
  /** Absent: only callers of an open service make the first account here. */
  readonly firstAccountCode?: string
}

/** The name that the log has of failed attempts. */
const LOGGED_NAME = 'the first account'

export function firstAccountRoute({
  accounts,
  users,
  passwords,
  firstAccountCode,
}: FirstAccountFacts): Route {
  return serviceRoute({
    name: 'create-first-account',
    method: 'POST',
    path: '/first-account',
    summary:
      'Makes the first account of a service, an administrator, with the code that the service has printed.',
    identifies: 'if-right',
    body: {
      description: 'The name and the password of the administrator, and the code.',
      required: true,
      json: 'FirstAccount',
      async read(body) {
        const members = objectBody(await body.json())
        return {
          name: checkedName(requiredString(members, 'name', 'malformed-body'), 'malformed-body'),
          password: newPassword(members, 'password'),
          code: members.has('code') ? requiredString(members, 'code', 'malformed-body') : '',
        }
      },
    },
    answers: { 201: { description: 'The administrator can log in.', json: 'User' } },
    async answer({ body: { name, password, code } }, { address, caller }) {
      await accounts.refresh()
      if (!isUnused(accounts)) throw accountsExist()
      if (!caller.admin && !(firstAccountCode !== undefined && isCode(code, firstAccountCode))) {
        passwords.countWrongToken(LOGGED_NAME, code, address)
        const message =
          'body.code is not the code of this service: it printed the address with the code when it started'
        throw new HyperslabError('wrong-code', message)
      }
      await users.createFirst(name, await passwords.hash(password, address))
      const body = { name, admin: true, groups: [], disabled: false, stored: true }
      return { status: 201, body, changed: () => ({ name, admin: true }) }
    },
  })
}
