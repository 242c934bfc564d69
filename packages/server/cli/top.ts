// `hyperslab top`: the requests that a running service answers, again and again.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { type Api, Hyperslab, RequestError } from '@hyperslab/client'
import { authorizationAt, type EndpointOptions, endpointError, loginHint } from './endpoint.ts'
import { formatBytes, formatCount } from './import/import-report.ts'
import { abortedBySignals } from './interruption.ts'
import { printRows } from './rows.ts'
import { secretsOf } from './settings/config.ts'

export interface TopCommand extends EndpointOptions {
  /** True: each list is a line of JSON. */
  readonly json: boolean
  /** True: one list. */
  readonly once: boolean
}

const REFRESH_MILLISECONDS = 2000
/** Moves the cursor to the top of a terminal, and clears it. */
const CLEAR = '\x1b[H\x1b[J'
const HEAD = [
  'ID',
  'SECONDS',
  'STATE',
  'METHOD',
  'OPERATION',
  'USER',
  'ADDRESS',
  'RECEIVED',
  'SENT',
  'DOMAIN',
]

/** Prints the list every two seconds until a signal ends it. */
export async function runTop(command: TopCommand): Promise<void> {
  const { endpoint, once } = command
  const authorization = await authorizationAt(command, secretsOf(process.env))
  const client = new Hyperslab(endpoint, authorization === undefined ? {} : { authorization })
  await abortedBySignals(async signal => {
    while (!signal.aborted) {
      const list = await client.request('GET /requests', {}, { signal }).catch(error => {
        if (signal.aborted) return undefined
        const hint = loginHint(error instanceof RequestError ? error.status : undefined, authorization)
        throw endpointError(error, { endpoint: client.endpoint, subject: 'GET /requests', hint })
      })
      if (list !== undefined) print(list, command)
      if (once) return
      await SYSTEM_CLOCK.sleep(REFRESH_MILLISECONDS, signal).catch(() => undefined)
    }
  })
}

function print(list: Api.RequestList, { json, once }: TopCommand): void {
  if (json) {
    console.log(JSON.stringify(list))
    return
  }
  const { node, requests, silent } = list
  if (!once && process.stdout.isTTY) process.stdout.write(CLEAR)
  const silence = silent === 0 ? '' : `; ${silent} of its processes did not answer`
  console.log(`${node}: ${formatCount(requests.length, 'request')}${silence}`)
  if (requests.length > 0) printRows([HEAD, ...requests.map(rowOf)], '')
}

function rowOf(request: Api.RequestList['requests'][number]): readonly string[] {
  const { id, seconds, state, method, operation = '', user = '-', address, received, sent } = request
  const { domain = request.path } = request
  const bytes = [formatBytes(received), formatBytes(sent)]
  const cells = [id, seconds.toFixed(1), state, method, operation, user, address, ...bytes, domain]
  // Clients choose names, and a terminal obeys control characters.
  return cells.map(cell => cell.replaceAll(/\p{Cc}/gu, '?'))
}
