// Domains in the classic dialect (classic 5).

import { list, object, oneOf, ref, type Schemas, STRING } from '../../../message/schema.ts'
import { DAMAGE, HREFS } from '../../schemas/common.ts'
import { DOMAIN_STATE, JOIN, WARNINGS } from '../../schemas/domains.ts'

const BASE = 'http://tall.example.org'

const DOMAIN = { root: STRING, created: STRING, lastModified: STRING, hrefs: HREFS }

const STATE = '0f3c9a1b5d7e8f60718293a4b5c6d7e8'
const DOMAIN_EXAMPLE = {
  root: '45a882e1-9d01-11e8-8acf-0242ac110009',
  created: '2026-01-02T03:04:05Z',
  lastModified: '2026-01-02T03:04:05Z',
  hrefs: [{ href: `${BASE}/`, rel: 'self' }],
}

export const domainSchemas: Schemas = {
  Domain: {
    ...object({ ...DOMAIN, ...DAMAGE, ...JOIN, state: DOMAIN_STATE }),
    examples: [{ ...DOMAIN_EXAMPLE, state: STATE }],
  },
  DomainCreated: {
    ...object({ ...DOMAIN, 'warnings?': WARNINGS }),
    examples: [DOMAIN_EXAMPLE, { ...DOMAIN_EXAMPLE, warnings: [] }],
  },
  TableOfContents: {
    ...object(
      { ...DOMAIN, 'domains?': list(ref('ListedDomain')) },
      'A table of contents; that of the base domain has the list of the domains and folders at the top level, too.',
    ),
    examples: [{ domains: [], ...DOMAIN_EXAMPLE }],
  },
  DomainView: {
    ...oneOf(ref('Domain'), ref('TableOfContents')),
    description: 'The domain or, where the request names none, a table of contents.',
    examples: [{ domains: [], ...DOMAIN_EXAMPLE }],
  },
  DomainDeleted: { ...object({ hrefs: HREFS }), examples: [{ hrefs: [] }] },
}
