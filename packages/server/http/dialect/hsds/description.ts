// The description of the API in the hsds dialect, apart from its routes (hsds-objects 1.1 and 1.2).

import { type ApiDescription, COMMON_PARAMETERS, header, query } from '../description.ts'
import { hsdsSchemas } from './schemas/index.ts'

export const hsdsDescription: ApiDescription = {
  introduction:
    'The HDF5 data model over HTTP and JSON. The parameter domain names the domain by its path, such as /home/ann/run7.h5; PUT / creates it. Every write needs credentials. Ids begin with g-, d- or t-, times are seconds since 1970.',
  schemas: hsdsSchemas,
  domainParameters: [
    query(
      'domain',
      'The path of the domain or folder. A request about objects needs it here or in the header X-Hdf-domain.',
    ),
    query('bucket', 'The bucket that the domain is in; without it, the default bucket.'),
    header('X-Hdf-domain', 'As domain.'),
    header('X-Hdf-bucket', 'As bucket.'),
    ...COMMON_PARAMETERS,
  ],
}
