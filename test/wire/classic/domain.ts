// A domain of a test's own, spoken to in the classic dialect: made under a name of its own, removed when
// the test is done. Requests name it in the Host header, as those of the specification do.

import { expect, onTestFinished } from 'vitest'
import {
  ADMIN,
  BASE_DOMAIN,
  type Fields,
  type Method,
  type Options,
  type Reply,
  send,
  uniqueName,
} from '../client.ts'

export interface Href {
  readonly href: string
  readonly rel: string
}

export interface Domain {
  /** The DNS name, as the Host header has it. */
  readonly host: string
  /** `http://<host>`: what every href starts with. */
  readonly base: string
  readonly root: string
  send(method: Method, target: string, body?: unknown, options?: Options): Promise<Reply>
  /** Sends, asserts the status and a JSON answer with hrefs, and gives the answer. */
  want<T = Fields>(
    status: number,
    method: Method,
    target: string,
    body?: unknown,
    options?: Options,
  ): Promise<T>
  /** Sends and asserts that it is refused with this status and a body that says why. */
  refuse(status: number, method: Method, target: string, body?: unknown, options?: Options): Promise<void>
  /** Each gives the id of what it made. */
  group(name?: string, parent?: string): Promise<string>
  dataset(body: Fields): Promise<string>
  datatype(body: Fields): Promise<string>
  /** The member `value` of a dataset, or of a selection of it. */
  value(id: string, query?: string): Promise<unknown>
}

/** A host name below the folder `test`, which no other test has. */
export function newHost(): string {
  return `${uniqueName()}.test.${BASE_DOMAIN}`
}

export function withHost(host: string, options: Options = {}): Options {
  return { ...options, headers: { host, ...options.headers } }
}

export async function newDomain(host = newHost()): Promise<Domain> {
  const created = await send('PUT', '/', undefined, withHost(host))
  expect(created.status, created.story).toBe(201)
  onTestFinished(() => removeDomain(host))
  return domainAt(host, created.json<{ root: string }>().root)
}

/** A domain that was imported from the bytes of an HDF5 file. */
export async function importedDomain(file: Uint8Array, host = newHost()): Promise<Domain> {
  const headers = { 'content-type': 'application/x-hdf5' }
  const created = await send('PUT', '/', file, withHost(host, { headers }))
  expect(created.status, created.story).toBe(201)
  onTestFinished(() => removeDomain(host))
  return domainAt(host, created.json<{ root: string }>().root)
}

/** Gone already is fine: many tests delete their domain themselves. */
export async function removeDomain(host: string): Promise<void> {
  await send('DELETE', '/', undefined, withHost(host, { user: ADMIN }))
}

export function domainAt(host: string, root: string): Domain {
  const sendTo: Domain['send'] = (method, target, body, options) =>
    send(method, target, body, withHost(host, options))
  const want = async <T = Fields>(
    status: number,
    method: Method,
    target: string,
    body?: unknown,
    options?: Options,
  ): Promise<T> => {
    const reply = await sendTo(method, target, body, options)
    expect(reply.status, reply.story).toBe(status)
    expectJson(reply)
    return reply.json<T>()
  }
  const idOf = async (path: string, body: Fields | undefined) =>
    (await want<{ id: string }>(201, 'POST', path, body)).id
  return {
    host,
    base: `http://${host}`,
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

/** classic 3.3 and 3.4: the exact content type, and hrefs of which each relation occurs once, href first. */
export function expectJson(reply: Reply): void {
  expect(reply.headers['content-type'], reply.story).toBe('application/json')
  const { hrefs } = reply.json<{ hrefs: Href[] }>()
  expect(hrefs, reply.story).toBeInstanceOf(Array)
  const keys = hrefs.map(link => Object.keys(link).join())
  expect(new Set(keys), reply.story).toEqual(new Set(hrefs.length > 0 ? ['href,rel'] : []))
  const rels = hrefs.map(link => link.rel)
  expect(new Set(rels).size, `a relation occurs twice: ${rels}`).toBe(rels.length)
}

/** common 6: every error says its status, its code and, in words, what was wrong. */
export function expectRefusal(reply: Reply, ...statuses: readonly number[]): void {
  expect(statuses, reply.story).toContain(reply.status)
  expect(reply.headers['content-type'], reply.story).toBe('application/json')
  const body = reply.json()
  expect(body.status, reply.story).toBe(reply.status)
  expect(body.code, reply.story).toMatch(/^[a-z][a-z0-9-]+$/)
  expect(body.message, reply.story).toMatch(/\S/)
}

export function relsOf(body: Fields): string[] {
  return hrefsOf(body).map(link => link.rel)
}

export function hrefsOf(body: Fields): readonly Href[] {
  return body.hrefs as readonly Href[] // asserted by expectJson
}

export function hrefOf(body: Fields, rel: string): string | undefined {
  return hrefsOf(body).find(link => link.rel === rel)?.href
}

/** All relations with their targets, for comparing with a whole table at once. */
export function hrefTable(body: Fields): Readonly<Record<string, string>> {
  return Object.fromEntries(hrefsOf(body).map(link => [link.rel, link.href]))
}
