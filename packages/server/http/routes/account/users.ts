// Routes of accounts: a user changes the own password; administrators list, create and disable users. A token is good
// for none of them.

import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import { requireNoToken } from '../../../service/access/scope.ts'
import type { Accounts, Users } from '../../../service/accounts.ts'
import type { Logins } from '../../../service/logins.ts'
import { ACCOUNT_NAME_RULE, isAccountName, isNameOfMany } from '../../../service/user-names.ts'
import { OWN_TOKEN } from '../../auth/authorization.ts'
import type { PasswordChecks } from '../../auth/password-checks.ts'
import { kindOf, objectBody, requiredString } from '../../input/members.ts'
import type { Request } from '../../message/message.ts'
import type { Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { requireUser } from './own-logins.ts'

export interface UserFacts {
  readonly accounts: Pick<Accounts, 'find' | 'list'>
  readonly users: Users
  readonly logins: Pick<Logins, 'keepSession' | 'endOtherSessions'>
  readonly passwords: Pick<PasswordChecks, 'isRight' | 'hash'>
}

/** Characters of a new password; argon2 takes time for each. @limit safety, characters */
const MAX_PASSWORD = 1000

const ACCOUNT_NAME: Parameter<string> = {
  name: 'name',
  in: 'path',
  description: 'The name of the user.',
  schema: { type: 'string', minLength: 1, maxLength: 64 },
  read: ({ target }) => checkedName(decodeURIComponent(target.segments.at(-1) ?? ''), 'malformed-parameter'),
}

/** The name, if an account can have it. */
export function checkedName(name: string, code: 'malformed-parameter' | 'malformed-body'): string {
  if (!isAccountName(name))
    throw new HyperslabError(code, `the name ${excerpt(name)} must ${ACCOUNT_NAME_RULE}`)
  if (isNameOfMany(name)) throw new HyperslabError(code, `the name ${excerpt(name)} means every user`)
  return name
}

export function userRoutes(facts: UserFacts): Route[] {
  return [passwordRoute(facts), listRoute(facts), createRoute(facts), disableRoute(facts)]
}

function passwordRoute({ accounts, users, logins, passwords }: UserFacts): Route {
  return serviceRoute({
    name: 'change-password',
    method: 'PUT',
    path: '/password',
    summary: 'Changes the password of the caller, and ends all other sessions of the caller.',
    identifies: 'yes',
    permit: request => {
      requireUser(request, 'passwords')
    },
    body: {
      description: 'The present password and the new one.',
      required: true,
      json: 'NewPassword',
      async read(body) {
        const members = objectBody(await body.json())
        return {
          password: requiredString(members, 'password', 'malformed-body'),
          next: newPassword(members, 'new'),
        }
      },
    },
    answers: { 200: { description: 'It is changed.', json: 'EndedLogins' } },
    async answer({ body: { password, next } }, request) {
      const { address, identity } = request
      const { name } = requireUser(request, 'passwords')
      const stored = accounts.find(name).password
      if (stored === undefined)
        throw new HyperslabError('password-elsewhere', `the service does not have the password of ${name}`)
      if (!(await passwords.isRight({ name, password }, stored, address)))
        throw new HyperslabError('wrong-password', `body.password is not the password of ${name}`)
      const hash = await passwords.hash(next, address)
      const session = identity.login
      if (session) await logins.keepSession(session, { hash })
      await users.setPassword(name, stored, hash)
      const reason = `the password of ${name} has changed`
      const ended = await logins.endOtherSessions(name, session?.id, reason)
      return { status: 200, body: { ended }, changed: () => ({ ended }) }
    },
  })
}

function listRoute({ accounts }: UserFacts): Route {
  return serviceRoute({
    name: 'list-users',
    method: 'GET',
    path: '/users',
    summary: 'Lists the users, for administrators.',
    identifies: 'yes',
    answers: { 200: { description: 'The users, by their names.', json: 'UserList' } },
    answer(_, request) {
      requireAdministrator(request)
      return { status: 200, body: { users: accounts.list().map(user => ({ ...user })) } }
    },
  })
}

function createRoute({ users, passwords }: UserFacts): Route {
  return serviceRoute({
    name: 'create-user',
    method: 'PUT',
    path: '/users/:name',
    summary: 'Creates a user, for administrators.',
    identifies: 'yes',
    parameters: { name: ACCOUNT_NAME },
    permit: requireAdministrator,
    body: {
      description: 'The password of the user, and whether the user is an administrator.',
      required: true,
      json: 'NewUser',
      async read(body) {
        const members = objectBody(await body.json())
        const admin = members.get('admin') ?? false
        if (typeof admin !== 'boolean')
          throw new HyperslabError('malformed-body', `body.admin must be true or false, not ${kindOf(admin)}`)
        return { password: newPassword(members, 'password'), admin }
      },
    },
    answers: { 201: { description: 'The user can log in.', json: 'User' } },
    async answer({ name, body: { password, admin } }, { address }) {
      await users.create(name, await passwords.hash(password, address), { admin })
      const body = { name, admin, groups: [], disabled: false, stored: true }
      return { status: 201, body, changed: () => ({ admin }) }
    },
  })
}

function disableRoute({ users }: UserFacts): Route {
  return serviceRoute({
    name: 'disable-user',
    method: 'DELETE',
    path: '/users/:name',
    summary:
      'Disables a user, for administrators: the user cannot log in any more, and the name stays taken.',
    identifies: 'yes',
    parameters: { name: ACCOUNT_NAME },
    permit: requireAdministrator,
    answers: { 200: { description: 'The user is disabled.', json: 'DisabledUser' } },
    async answer({ name }) {
      await users.disable(name)
      return { status: 200, body: { name, disabled: true } }
    },
  })
}

function requireAdministrator(request: Request): void {
  const { caller } = request
  requireNoToken(caller, 'accounts')
  if (caller.admin) return
  const { name } = requireUser(request, 'accounts')
  throw new HyperslabError(
    'permission-denied',
    `only an administrator may see and change accounts, and ${name} is none`,
  )
}

export function newPassword(members: Parameters<typeof requiredString>[0], member: string): string {
  const password = requiredString(members, member, 'malformed-body')
  const rule =
    password === '' || password.length > MAX_PASSWORD
      ? `have 1 to ${MAX_PASSWORD} characters`
      : OWN_TOKEN.test(password)
        ? 'not have the form of a token'
        : undefined
  if (rule !== undefined) throw new HyperslabError('malformed-body', `body.${member} must ${rule}`)
  return password
}
