// Routes about the service itself: no domain, no transaction.

import { HyperslabError } from '@hyperslab/base/errors'
import type { Store } from '@hyperslab/store/store'
import { ANONYMOUS_USER } from '../../../service/user-names.ts'
import type { Dialects } from '../../dialect/choose.ts'
import { CLASSIC_VERSIONS } from '../../dialect/classic/versions.ts'
import { DIALECT_NAMES, type Dialect } from '../../dialect/dialect.ts'
import { withText } from '../../exchange/reply.ts'
import { prefersHtml } from '../../message/content-types.ts'
import { escapeHtml } from '../../message/html.ts'
import type { Reply } from '../../message/message.ts'
import { word } from '../../message/schema.ts'
import { describeApi } from '../../openapi.ts'
import { optionalQuery } from '../../route/parameter.ts'
import { type Route, serviceRoute } from '../../route/route.ts'
import { Glance } from '../../watch/figure-list.ts'
import { type Audience, type Metrics, requireFigures, seesFigures } from '../../watch/metrics.ts'
import type { Readiness, UnwellMount } from '../../watch/readiness.ts'
import { DATA_NODES } from '../domain-writes.ts'
import { statusRoute } from './status.ts'

export interface ServiceFacts {
  readonly dialects: Dialects
  readonly store: Pick<Store, 'processes'>
  readonly version: string
  /** The commit that was built; empty: not known. */
  readonly commit: string
  /** Seconds since the epoch. */
  readonly startTime: number
  readonly readiness: Readiness
  readonly unwellMounts: () => readonly UnwellMount[]
  /** Absent: nothing is counted. */
  readonly metrics?: Metrics
  readonly audience: Audience | undefined
}

const NAME = 'Hyperslab'
const ABOUT = 'Hyperslab serves hierarchical array data: the HDF5 data model over HTTP and JSON'
const GREETING = 'Welcome to Hyperslab!'

/** `routes` is the list of all routes, which the description of the API is made from. */
export function serviceRoutes(facts: ServiceFacts, routes: () => readonly Route[]): readonly Route[] {
  const nodes = new Glance(() => facts.store.processes())
  /** This process is one of them, also where the number is not known, or before it has read anything. */
  const countNodes = async () => Math.max(1, (await nodes.take()) ?? 1)
  return [
    infoRoute(facts, countNodes),
    openApiRoute(facts, routes),
    aboutRoute(facts),
    HEALTH,
    readyRoute(facts),
    statusRoute(facts),
    metricsRoute(facts),
  ]
}

function stateOf({ isStopping }: Readiness): 'READY' | 'STOPPING' {
  return isStopping ? 'STOPPING' : 'READY'
}

type CountNodes = () => Promise<number>

function infoRoute(facts: ServiceFacts, countNodes: CountNodes): Route {
  const { version, commit, startTime, readiness, metrics, audience } = facts
  return serviceRoute({
    name: 'get-info',
    method: 'GET',
    path: '/info',
    summary: 'Describes the service and, for callers that may see them, gives figures about the process.',
    // The answer without credentials is the same as with wrong ones (hsds-objects 6.1).
    identifies: 'if-right',
    answers: {
      200: {
        description: 'The service.',
        json: 'Info',
        formats: { 'text/html': 'The same as a page, where `Accept` prefers it to JSON.' },
      },
    },
    async answer(_, { caller, headers }) {
      const body = {
        name: NAME,
        greeting: GREETING,
        about: ABOUT,
        documentation: 'https://github.com/HDFGroup/hdf-rest-api',
        hyperslab_version: version,
        ...(commit !== '' && { hyperslab_commit: commit }),
        ...CLASSIC_VERSIONS,
        node: {
          id: 'sn-001',
          type: 'sn',
          start_time: startTime,
          state: stateOf(readiness),
          node_count: await countNodes(),
        },
        // These figures are not for all callers (hsds-objects 6.2).
        ...(metrics !== undefined && seesFigures(caller, audience) && metrics.info()),
      }
      return prefersHtml(headers) ? infoPage(body) : { status: 200, body }
    },
  })
}

function openApiRoute({ version, dialects }: ServiceFacts, routes: () => readonly Route[]): Route {
  /** The descriptions, made for the first request; they depend on nothing that changes. */
  const descriptions: Partial<Record<Dialect['name'], Reply>> = {}
  const describe = (name: Dialect['name']): Reply => {
    descriptions[name] ??= withText(
      { status: 200, body: describeApi(routes(), dialects[name], version) },
      'bare',
    )
    return descriptions[name]
  }
  return serviceRoute({
    name: 'get-openapi',
    method: 'GET',
    path: '/openapi.json',
    summary: 'Describes the API of a dialect in OpenAPI 3.1.',
    identifies: 'no',
    parameters: {
      named: optionalQuery({
        name: 'dialect',
        description: 'The dialect; without it, that of the request.',
        schema: word(...DIALECT_NAMES),
        parse(text) {
          const name = DIALECT_NAMES.find(known => known === text)
          if (name !== undefined) return name
          const message = `dialect=${text} must be ${DIALECT_NAMES.join(' or ')}`
          throw new HyperslabError('malformed-parameter', message)
        },
      }),
    },
    answers: { 200: { description: 'The description.', json: 'OpenApi' } },
    answer: ({ named }, { dialect }) => describe(named ?? dialect.name),
  })
}

function aboutRoute({ version, startTime, readiness }: ServiceFacts): Route {
  return serviceRoute({
    name: 'get-about',
    method: 'GET',
    path: '/about',
    summary: 'Describes the service and the caller, as clients of HSDS expect it.',
    identifies: 'yes',
    answers: { 200: { description: 'The service and the caller.', json: 'About' } },
    answer: (_, { caller, dialect }) => ({
      status: 200,
      body: {
        start_time: startTime,
        state: stateOf(readiness),
        hsds_version: dialect.apiVersion,
        hyperslab_version: version,
        name: NAME,
        greeting: GREETING,
        about: ABOUT,
        // A constant, so that the entity tag stays: /info has the number of processes.
        node_count: 1,
        dn_urls: [],
        ...DATA_NODES,
        username: caller.name ?? ANONYMOUS_USER,
        isadmin: caller.admin,
      },
    }),
  })
}

const HEALTH: Route = serviceRoute({
  name: 'get-health',
  method: 'GET',
  path: '/health',
  summary: 'Answers as long as the process runs.',
  identifies: 'no',
  answers: { 200: { description: 'The process answers.', json: 'Health' } },
  answer: () => ({ status: 200, body: { status: 'alive' } }),
})

function readyRoute({ readiness, unwellMounts, audience }: ServiceFacts): Route {
  return serviceRoute({
    name: 'get-ready',
    method: 'GET',
    path: '/ready',
    summary: 'Checks that requests can be served: the storage reads and writes, accounts can be read.',
    identifies: 'if-right',
    answers: { 200: { description: 'Requests can be served.', json: 'Ready' } },
    async answer(_, { caller }) {
      await readiness.check()
      const unwell = unwellMounts().map(({ since, ...mount }) => ({ ...mount, since: since / 1e6 }))
      if (unwell.length === 0) return { status: 200, body: { status: 'ready' } }
      // Some mounts have readers of their own, and their paths are not for others.
      const named = seesFigures(caller, audience) && { unwell_mounts: unwell }
      return { status: 200, body: { status: 'ready', unwell_mount_count: unwell.length, ...named } }
    },
  })
}

function metricsRoute({ metrics, audience }: ServiceFacts): Route {
  return serviceRoute({
    name: 'get-metrics',
    method: 'GET',
    path: '/metrics',
    summary: 'Figures about the process in the format of Prometheus.',
    identifies: audience === 'public' ? 'no' : 'yes',
    answers: { 200: { description: 'The figures.', text: 'text/plain' } },
    async answer(_, { caller, target }) {
      if (metrics === undefined) {
        throw new HyperslabError('route-not-found', `${target.path} is off: the setting metrics turns it on`)
      }
      requireFigures(caller, audience, {
        subject: 'figures about the process',
        message: 'only administrators may read the metrics: the setting metrics can make them public',
      })
      return { status: 200, text: { contentType: metrics.contentType, text: await metrics.text() } }
    },
  })
}

/** The description of the service for a person (classic 4): a row for each member. */
function infoPage(members: Readonly<Record<string, unknown>>): Reply {
  const rows = Object.entries(members).map(([name, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return `<tr><th scope="row">${escapeHtml(name)}<td>${escapeHtml(text)}\n`
  })
  const text = `<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n<title>${NAME}</title>\n<table>\n${rows.join('')}</table>\n`
  const headers = { 'Content-Security-Policy': "default-src 'none'" }
  return { status: 200, headers, text: { contentType: 'text/html; charset=utf-8', text } }
}
