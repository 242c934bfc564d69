// The last lines of the audit.

import { BOOLEAN, list, object, type Schemas, STRING } from '../../message/schema.ts'
import { EXAMPLE_TIME } from './account/times.ts'

export const auditSchemas: Schemas = {
  AuditLines: {
    ...object({
      node: { ...STRING, description: 'The name of the machine whose file it is.' },
      entries: {
        ...list({ type: 'object', description: 'The members of a line, as the guide lists them.' }),
        description: 'The lines that fit, the newest first.',
      },
      complete: { ...BOOLEAN, description: 'False: there are earlier lines, which were not looked at.' },
    }),
    examples: [
      {
        node: 'data1',
        entries: [
          { audit: 1, time: EXAMPLE_TIME, operation: 'put-link', user: 'ann', domain: '/lab/run7.h5' },
        ],
        complete: true,
      },
    ],
  },
}
