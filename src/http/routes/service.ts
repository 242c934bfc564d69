// Routes about the service itself: no domain, no transaction.

import type { JsonOutput } from '../../hdf5/json.ts'
import { type Route, serviceRoute } from '../route.ts'

export interface ServiceFacts {
  readonly version: string
  /** Seconds since the epoch. */
  readonly startTime: number
}

const NAME = 'Hyperslab'
const ABOUT = 'Hyperslab serves hierarchical array data: the HDF5 data model over HTTP and JSON'
const GREETING = 'Welcome to Hyperslab!'

export function serviceRoutes(facts: ServiceFacts): Route[] {
  const info: Record<string, JsonOutput> = {
    name: NAME,
    greeting: GREETING,
    about: ABOUT,
    documentation: 'https://support.hdfgroup.org/documentation/',
    hyperslab_version: facts.version,
    // The level of the API that clients of h5serv look for.
    h5serv_version: '0.2',
    node: { id: 'sn-001', type: 'sn', start_time: facts.startTime, state: 'READY', node_count: 1 },
  }
  return [
    serviceRoute({
      name: 'get-info',
      method: 'GET',
      path: '/info',
      access: 'none',
      identifies: false,
      answer: () => info,
      respond: body => ({ status: 200, body }),
    }),
    serviceRoute({
      name: 'get-about',
      method: 'GET',
      path: '/about',
      access: 'none',
      identifies: true,
      answer: ({ caller, dialect }) => ({
        start_time: facts.startTime,
        state: 'READY',
        hsds_version: dialect.apiVersion,
        hyperslab_version: facts.version,
        name: NAME,
        greeting: GREETING,
        about: ABOUT,
        node_count: 1,
        dn_urls: [],
        dn_ids: ['dn-001'],
        username: caller.name ?? 'anonymous',
        isadmin: caller.admin,
      }),
      respond: body => ({ status: 200, body }),
    }),
  ]
}
