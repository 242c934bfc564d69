// Members that answers about several resources have, and the body of errors.

import { list, object, type Schema, type Schemas, STRING } from '../../message/schema.ts'

/** The member `hrefs`: addresses of the resource and of related ones. */
export const HREFS: Schema = list(object({ href: STRING, rel: STRING }), 'Addresses of related resources.')

/** A member of objects and lists of a mounted file (common 19). */
export const DAMAGE = {
  'damage?': {
    ...STRING,
    description:
      'The reason why links or attributes of a mounted file are missing: even their names cannot be read. Of the folder of a mount: why its files cannot be read now.',
  },
}

export const commonSchemas: Schemas = {
  Error: {
    ...object({
      status: { type: 'integer', minimum: 400, maximum: 599 },
      code: { type: 'string', description: 'The name of the rule that was broken (docs/errors.md).' },
      message: STRING,
    }),
    examples: [{ status: 404, code: 'link-not-found', message: 'group g-1 has no link "x"' }],
  },
}
