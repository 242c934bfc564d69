// The description of the API in the classic dialect, apart from its routes (classic 1).

import { type ApiDescription, COMMON_PARAMETERS, header, query } from '../description.ts'
import { classicSchemas } from './schemas/index.ts'

export const classicDescription: ApiDescription = {
  introduction:
    'The HDF5 data model over HTTP and JSON. The Host header, or the parameter host, names the domain, which PUT / creates. Ids are UUIDs, times are strings.',
  schemas: classicSchemas,
  domainParameters: [
    query('host', 'The DNS name of the domain; without it, that of the header Host.'),
    query('domain', 'As host.'),
    header('X-Forwarded-Host', 'The DNS name of the domain behind a proxy.'),
    ...COMMON_PARAMETERS,
  ],
}
