// The health of the service, in words.

import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'

export interface HealthFacts {
  /** The reason why the service is not ready; undefined: it is. */
  readonly problem: string | undefined
  readonly mounts: readonly Mount[]
  readonly info: Api.Info
}

type Mount = NonNullable<Api.Ready['unwell_mounts']>[number]

/** Throws while the service does not answer. */
export async function loadHealth(
  client: Pick<Hyperslab, 'request'>,
  signal: AbortSignal,
): Promise<HealthFacts> {
  const [ready, info] = await Promise.all([
    client.request('GET /ready', {}, { signal }).catch((error: unknown) => {
      if (error instanceof RequestError) return error
      throw error
    }),
    client.request('GET /info', {}, { signal }),
  ])
  return ready instanceof RequestError
    ? { problem: ready.message, mounts: [], info }
    : { problem: undefined, mounts: ready.unwell_mounts ?? [], info }
}
