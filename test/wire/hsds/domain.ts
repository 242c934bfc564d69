// A domain of a test's own, spoken to in the hsds dialect: made by test_user1 in its folder, removed when the test is
// done. Requests name it in `?domain=` unless a test says otherwise.

import { expect, onTestFinished } from 'vitest'
import {
  ADMIN,
  BASE_DOMAIN,
  type Fields,
  type Method,
  type Options,
  type Reply,
  send,
  USER1,
  uniqueName,
} from '../client.ts'

export const HOME = '/home/test_user1'
export const JSON_TYPE = 'application/json; charset=utf-8'
export const OCTETS = 'application/octet-stream'

export interface Domain {
  readonly path: string
  readonly root: string
  /** Sends as test_user1, unless the options say otherwise (`user: undefined`: anonymous). */
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  /** Sends, asserts the status and a JSON answer, and gives the answer. */
  want<T = Fields>(
    status: number,
    method: Method,
    target: string,
    body?: unknown,
    options?: Options,
  ): Promise<T>
  /** Sends and asserts that it is refused with this status and says why, in the reason phrase too. */
  refuse(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<void>
  group(name?: string, parent?: string): Promise<string>
  dataset(body: Fields): Promise<string>
  datatype(body: Fields): Promise<string>
  value(id: string, query?: string): Promise<unknown>
}

/** The folders that accounts have: made by the administrator, there already on a shared server. */
export async function makeHome(): Promise<void> {
  for (const [path, owner] of [
    ['/home', undefined],
    [HOME, USER1],
  ] as const) {
    const body = owner === undefined ? { folder: true } : { folder: true, owner }
    const reply = await send('PUT', `/?domain=${path}`, body, { user: ADMIN })
    expect([201, 409], reply.story).toContain(reply.status)
  }
}

export function newPath(folder = HOME): string {
  return `${folder}/${uniqueName()}.h5`
}

export async function newDomain(path = newPath(), user = USER1): Promise<Domain> {
  const domain = await keptDomain(path, user)
  onTestFinished(() => removeDomain(path))
  return domain
}

/** A domain for several tests, which remove it at their end. */
export async function keptDomain(path = newPath(), user = USER1): Promise<Domain> {
  const created = await send('PUT', `/?domain=${encodeURIComponent(path)}`, undefined, { user })
  expect(created.status, created.story).toBe(201)
  return domainAt(path, created.json<{ root: string }>().root)
}

export async function removeDomain(path: string): Promise<void> {
  await send('DELETE', `/?domain=${encodeURIComponent(path)}`, undefined, { user: ADMIN })
}

function domainAt(path: string, root: string): Domain {
  const sendTo: Domain['send'] = (method, target, body, options) => {
    const separator = target.includes('?') ? '&' : '?'
    const full = `${target}${separator}domain=${encodeURIComponent(path)}`
    return send(method, full, body, { user: USER1, ...options })
  }
  const want = async <T = Fields>(
    status: number,
    method: Method,
    target: string,
    body?: unknown,
    options?: Options,
  ): Promise<T> => {
    const reply = await sendTo(method, target, body, options)
    expect(reply.status, reply.story).toBe(status)
    expect(reply.headers['content-type'], reply.story).toBe(JSON_TYPE)
    return reply.json<T>()
  }
  const idOf = async (target: string, body: Fields | undefined) =>
    (await want<{ id: string }>(201, 'POST', target, body)).id
  return {
    path,
    root,
    send: sendTo,
    want,
    async refuse(status, method, target, body, options) {
      expectRefusal(await sendTo(method, target, body, options), status)
    },
    group: (name, parent = root) =>
      idOf('/groups', name === undefined ? undefined : { link: { id: parent, name } }),
    dataset: body => idOf('/datasets', body),
    datatype: body => idOf('/datatypes', body),
    async value(id, query = '') {
      return (await want(200, 'GET', `/datasets/${id}/value${query}`)).value
    },
  }
}

/** common 6: the body says what was wrong, and the reason phrase says the same in one line of ASCII. */
export function expectRefusal(reply: Reply, status: number): void {
  expect(reply.status, reply.story).toBe(status)
  expect(reply.headers['content-type'], reply.story).toBe(JSON_TYPE)
  const body = reply.json<{ status: number; code: string; message: string }>()
  expect(body.status).toBe(status)
  expect(body.code).toMatch(/^[a-z][a-z0-9-]+$/)
  expect(body.message).toMatch(/\S/)
  expect(reply.reason, reply.story).toMatch(/^[\x20-\x7e]+$/)
  if (/^[\x20-\x7e]{1,60}$/.test(body.message)) expect(reply.reason).toBe(body.message)
}

export function relsOf(body: object): string[] {
  return (body as { hrefs: { rel: string }[] }).hrefs.map(link => link.rel) // the wire's own shape
}

/** The same 32 digits in the classic spelling: 8-8-4-6-6 behind a prefix becomes 8-4-4-4-12 (common 4). */
export function classicId(id: string): string {
  const digits = id.slice(2).replaceAll('-', '')
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

/** The name of a path for a classic client. */
export function hostOf(path: string): string {
  const names = path.slice(1).split('/').reverse()
  return [...names.map(name => name.replaceAll('.', '%2E')), BASE_DOMAIN].join('.')
}
