// The Zarr view of a domain, and its references for kerchunk.

import { COUNT, type Schemas, STRING } from '../../message/schema.ts'

export const zarrSchemas: Schemas = {
  ZarrDocument: {
    type: 'object',
    additionalProperties: true,
    description: 'A document of Zarr 2 or 3.',
    examples: [{ zarr_format: 2 }],
  },
  References: {
    type: 'object',
    properties: {
      version: { const: 1 },
      refs: {
        type: 'object',
        additionalProperties: {
          description: 'The text of a document, or an address, perhaps with an offset and a length.',
          oneOf: [STRING, { type: 'array', items: { oneOf: [STRING, COUNT] } }],
        },
      },
    },
    required: ['version', 'refs'],
    examples: [
      {
        version: 1,
        refs: {
          '.zgroup': '{"zarr_format":2}',
          'energy/0.0': [
            'http://127.0.0.1:5101/h5/~1c9f6e3a5b7d4e0f8a2b4c6d8e0f1a3b/lab/run7.h5',
            4096,
            80000,
          ],
          'energy/0.1': [
            'http://127.0.0.1:5101/zarr/v2/~1c9f6e3a5b7d4e0f8a2b4c6d8e0f1a3b/lab/run7.h5/energy/0.1',
          ],
        },
      },
    ],
  },
}
