// Chooses the dialect of a request from its target and headers alone (common 1).

import type { IncomingHttpHeaders } from 'node:http'
import { isCollection } from '@hyperslab/model/names'
import type { Target } from '../message/target.ts'
import { classic } from './classic/index.ts'
import type { Dialect } from './dialect.ts'
import { domainHeader } from './hsds/naming.ts'
import { hasIdPrefix } from './ids.ts'

/** The dialect of a request that has no sign of another one, and of bytes that are no request. */
export const DEFAULT_DIALECT: Dialect = classic

export interface Dialects {
  readonly classic: Dialect
  readonly hsds: Dialect
}

/** Paths that only the hsds dialect has. */
const HSDS_PATHS: ReadonlySet<string> = new Set(['/about', '/domains'])

export function chooseDialect(target: Target, headers: IncomingHttpHeaders, dialects: Dialects): Dialect {
  const domain = target.query.get('domain')
  const isHsds =
    domainHeader(headers) !== undefined ||
    headers['x-hdf-bucket'] !== undefined ||
    // A path, alone or after hdf5:/ or the name of a bucket (clients 2.1).
    domain?.includes('/') ||
    (domain === null && target.query.has('bucket') && !target.query.has('host')) ||
    (isCollection(target.segments[0] ?? '') && hasIdPrefix(target.segments[1] ?? '')) ||
    HSDS_PATHS.has(target.path) ||
    target.path.startsWith('/h5/') ||
    target.path.startsWith('/zarr/')
  return isHsds ? dialects.hsds : dialects.classic
}
