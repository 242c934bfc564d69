// The requests that are being answered.

import { COUNT, list, NUMBER, object, type Schemas, STRING, word } from '../../message/schema.ts'
import { REQUEST_STATES } from '../../watch/running-requests.ts'

export const requestSchemas: Schemas = {
  RequestList: {
    ...object({
      node: { ...STRING, description: 'The name of the machine.' },
      requests: list(
        object({
          id: { ...STRING, description: 'Its `X-Request-Id`, as in the log.' },
          since: { ...NUMBER, description: 'When it began, in seconds since the epoch.' },
          seconds: { ...NUMBER, description: 'How long ago that is.' },
          state: {
            ...word(...REQUEST_STATES),
            description:
              'It queues for a slot or for memory; or the service waits for its body, works on it, sends its answer, or ' +
              'sends events as they come.',
          },
          method: STRING,
          'operation?': { ...STRING, description: 'Absent: the request has no route.' },
          dialect: STRING,
          'user?': { ...STRING, description: 'Absent: the caller has not logged in.' },
          callers: { ...STRING, description: '`administrators`, `users` or `anonymous`.' },
          'share?': { ...STRING, description: 'The id of the share in its address.' },
          address: { ...STRING, description: 'The address of the client.' },
          'bucket?': STRING,
          'domain?': { ...STRING, description: 'The path of the domain or folder, as the request names it.' },
          path: { ...STRING, description: 'The path in its address, without the query.' },
          received: { ...COUNT, description: 'Bytes of its body so far.' },
          sent: { ...COUNT, description: 'Bytes of its answer so far.' },
        }),
      ),
      silent: { ...COUNT, description: 'Processes of this machine that did not answer within two seconds.' },
    }),
    examples: [
      {
        node: 'data1',
        requests: [
          {
            id: '5f0c11aa-2k',
            since: 1795223065.33,
            seconds: 41.2,
            state: 'streaming',
            method: 'GET',
            operation: 'get-value',
            dialect: 'hsds',
            user: 'ann',
            callers: 'users',
            address: '192.0.2.7',
            bucket: 'hyperslab',
            domain: '/lab/run7.h5',
            path: '/datasets/d-0ff8bd30-6d1c1cf6-2d2c-8b1d2f-4e2d9c/value',
            received: 0,
            sent: 73400320,
          },
        ],
        silent: 0,
      },
    ],
  },
  EndedRequests: {
    ...object({ ended: { ...COUNT, description: 'How many have ended: a client may use an id again.' } }),
    examples: [{ ended: 1 }],
  },
}
