// Quotas: their schemas, and their JSON, which is the same in both dialects and in the command.

import type { Quota } from '@hyperslab/store/store'
import { BOOLEAN, COUNT, list, object, ref, type Schema, type Schemas, STRING } from '../../message/schema.ts'
import type { Body } from '../dialect.ts'

const SCOPE: Readonly<Record<string, Schema>> = {
  'folder?': {
    ...STRING,
    description:
      'The path of the folder: the quota is for all domains below it. In another bucket, its name first.',
  },
  'owner?': { ...STRING, description: 'The user: the quota is for all domains that belong to it.' },
}

const LIMITS: Readonly<Record<string, Schema>> = {
  'bytes?': { ...COUNT, description: 'Bytes of values and of the records of objects, links and attributes.' },
  'objects?': { ...COUNT, description: 'Groups, datasets and committed datatypes.' },
}

const EXAMPLE = { folder: '/lab', bytes: 2_000_000_000_000 }
const EXAMPLE_QUOTA = { ...EXAMPLE, used: { bytes: 1_204_300_000_000, objects: 310_452 }, enforced: true }

export const quotaSchemas: Schemas = {
  NewQuota: {
    ...object({ ...SCOPE, ...LIMITS }),
    description: 'A folder or an owner, and at least one limit.',
    examples: [EXAMPLE, { owner: 'ann', objects: 100_000 }],
  },
  Quota: {
    ...object({
      ...SCOPE,
      ...LIMITS,
      used: object({ bytes: COUNT, objects: COUNT }),
      enforced: {
        ...BOOLEAN,
        description:
          'False: what was there before the quota is still being counted; send the quota again if that was interrupted.',
      },
    }),
    examples: [EXAMPLE_QUOTA],
  },
  QuotaList: {
    ...object({ quotas: list(ref('Quota')) }),
    examples: [{ quotas: [EXAMPLE_QUOTA] }],
  },
  RemovedQuotas: { ...object({ removed: COUNT }), examples: [{ removed: 1 }] },
}

export function presentQuota({ isEnforced, ...quota }: Quota): Body {
  return { ...quota, enforced: isEnforced }
}
