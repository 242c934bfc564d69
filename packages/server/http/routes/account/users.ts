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
import { flagQuery, type Parameter } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { requireUser } from './own-logins.ts'

export interface UserFacts {
  readonly accounts: Pick<Accounts, 'find' | 'list' | 'refresh'>
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
  return [passwordRoute(facts), listRoute(facts), createRoute(facts), changeRoute(facts), removeRoute(facts)]
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
        return { password: newPassword(members, 'password'), admin: flagIn(members, 'admin') ?? false }
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

function changeRoute({ accounts, users, passwords }: UserFacts): Route {
  return serviceRoute({
    name: 'change-user',
    method: 'POST',
    path: '/users/:name',
    summary: 'Changes a user, for administrators: the password, the rights, whether the user can log in.',
    identifies: 'yes',
    parameters: { name: ACCOUNT_NAME },
    permit: requireAdministrator,
    body: {
      description: 'What changes: at least one of the members.',
      required: true,
      json: 'ChangedUser',
      async read(body) {
        const members = objectBody(await body.json())
        const password = members.has('password') ? newPassword(members, 'password') : undefined
        const [admin, disabled] = [flagIn(members, 'admin'), flagIn(members, 'disabled')]
        if (password === undefined && admin === undefined && disabled === undefined)
          throw new HyperslabError('malformed-body', 'body must have password, admin or disabled')
        return { password, admin, disabled }
      },
    },
    answers: { 200: { description: 'The user as it is now.', json: 'User' } },
    async answer({ name, body: { password, admin, disabled } }, { address }) {
      const flags = { ...(admin !== undefined && { admin }), ...(disabled !== undefined && { disabled }) }
      const hash = password === undefined ? undefined : await passwords.hash(password, address)
      await users.change(name, { ...flags, ...(hash !== undefined && { hash }) })
      await accounts.refresh()
      const user = accounts.list().find(listed => listed.name === name)
      if (user === undefined)
        throw new HyperslabError('user-not-found', `the user "${name}" was just removed`, { subject: name })
      const changed = () => ({ ...flags, ...(hash !== undefined && { password: true }) })
      return { status: 200, body: { ...user }, changed }
    },
  })
}

function removeRoute({ users }: UserFacts): Route {
  return serviceRoute({
    name: 'disable-user',
    method: 'DELETE',
    path: '/users/:name',
    summary:
      'Disables a user, for administrators: the user cannot log in any more, and the name stays taken. Or removes it.',
    identifies: 'yes',
    parameters: {
      name: ACCOUNT_NAME,
      removes: flagQuery(
        'remove',
        'Removes the account, with its sessions, tokens and shares: another may get the name.',
      ),
    },
    permit: requireAdministrator,
    answers: { 200: { description: 'The user is disabled, or removed.', json: 'DisabledUser' } },
    async answer({ name, removes }) {
      await (removes ? users.remove(name) : users.disable(name))
      return { status: 200, body: { name, ...(removes ? { removed: true } : { disabled: true }) } }
    },
  })
}

function flagIn(members: Parameters<typeof requiredString>[0], member: string): boolean | undefined {
  const flag = members.get(member)
  if (flag === undefined || typeof flag === 'boolean') return flag
  throw new HyperslabError('malformed-body', `body.${member} must be true or false, not ${kindOf(flag)}`)
}

/** `subject` is what the request is about. */
export function requireAdministrator(request: Request, subject = 'accounts'): void {
  const { caller } = request
  requireNoToken(caller, subject)
  if (caller.admin) return
  const { name } = requireUser(request, subject)
  throw new HyperslabError(
    'permission-denied',
    `only an administrator may see and change ${subject}, and ${name} is none`,
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
