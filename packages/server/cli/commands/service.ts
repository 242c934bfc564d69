// The service that a command about data asks: a running one at an address, or one on a store, in this process. Commands
// know its client only, so each is written once.

import { setMaxListeners } from 'node:events'
import { Hyperslab, RequestError } from '@hyperslab/client'
import { authorizationAt, endpointError, loginHint, shownError } from '../endpoint.ts'
import { abortedBySignals } from '../interruption.ts'
import { type CommandOptions, readSettings, secretsOf } from '../settings/config.ts'
import { UsageError } from '../usage-error.ts'
import { isUnread, type Output, openOutput } from './output.ts'

/** Options of every command about data. */
export interface ServiceOptions extends CommandOptions {
  readonly endpoint?: string
  readonly user?: string
}

export interface Service extends Pick<Output, 'print' | 'write'> {
  readonly client: Hyperslab
  /** Aborts at the end of the command by a signal, and when no program reads its output any more. */
  readonly signal: AbortSignal
}

/** `writes`: the command changes something. */
export async function withService<T>(
  options: ServiceOptions,
  writes: boolean,
  work: (service: Service) => Promise<T>,
): Promise<T | undefined> {
  const endpoint = endpointOf(options, process.env)
  return abortedBySignals(async ended => {
    const output = openOutput()
    const signal = AbortSignal.any([ended, output.unread])
    // Each request listens until it is collected as garbage.
    setMaxListeners(0, signal)
    const { client, authorization, close } = await connect(endpoint, options, writes)
    try {
      return await work({ client, signal, ...output })
    } catch (error) {
      if (!signal.aborted) throw serviceError(error, endpoint, authorization)
      if (!isUnread(signal.reason)) throw signal.reason
    } finally {
      await close()
    }
  })
}

/** Undefined: the store. An option has precedence over the environment. */
export function endpointOf(
  { endpoint, user, ...options }: ServiceOptions,
  environment: NodeJS.ProcessEnv,
): string | undefined {
  const ofStore = (['data', 'records', 'blobs'] as const).find(name => options[name] !== undefined)
  if (endpoint !== undefined && ofStore !== undefined)
    throw new UsageError(`--endpoint and --${ofStore} exclude each other: a command has one service or store`)
  const found = endpoint ?? (ofStore === undefined ? environment.HYPERSLAB_ENDPOINT || undefined : undefined)
  if (found === undefined && user !== undefined)
    throw new UsageError('--user needs --endpoint: a data folder has no login')
  return found
}

async function connect(endpoint: string | undefined, options: ServiceOptions, writes: boolean) {
  if (endpoint === undefined) {
    const { ADDRESS, openServiceOfStore } = await import('./service-of-store.ts')
    const { fetch, close } = await openServiceOfStore(readSettings(options, process.env), writes)
    return { client: new Hyperslab(ADDRESS, { fetch }), authorization: undefined, close }
  }
  const authorization = await authorizationAt({ endpoint, user: options.user }, secretsOf(process.env))
  const client = new Hyperslab(endpoint, authorization === undefined ? {} : { authorization })
  return { client, authorization, close: async () => {} }
}

/** An answer with an error as one line: its status, its code and its message. */
function serviceError(
  error: unknown,
  endpoint: string | undefined,
  authorization: string | undefined,
): unknown {
  if (endpoint !== undefined) {
    const hint = loginHint(error instanceof RequestError ? error.status : undefined, authorization)
    return endpointError(error, { endpoint, hint })
  }
  return error instanceof RequestError ? new UsageError(shownError(error), 1) : error
}
