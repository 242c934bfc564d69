// `hyperslab share`, and `hyperslab token` at a running service: what the user of the command has made there.

import type { Api } from '@hyperslab/client'
import { printRows } from '../rows.ts'
import { lastUse, type NewTokenOptions } from '../tokens.ts'
import { UsageError } from '../usage-error.ts'
import { type ServiceOptions, withService } from './service.ts'

export async function createOwnToken(options: ServiceOptions & NewTokenOptions): Promise<void> {
  const { name, end, write: writes, within } = options
  const body = { name, end, writes, ...(within !== undefined && { within }) }
  await withService(options, true, async ({ client, signal, print }) => {
    const { id, token } = await client.request('POST /tokens', {}, { body, signal })
    process.stderr.write(`The token ${id} is shown now only:\n`)
    await print(token)
  })
}

export async function listOwnTokens(options: OwnLoginOptions): Promise<void> {
  await withService(options, false, async ({ client, signal, print }) => {
    const { tokens } = await client.request('GET /tokens', {}, { signal })
    if (options.json) for (const token of tokens) await print(JSON.stringify(token))
    else printRows(tokens.map(rowOfToken), 'You have no tokens; make one with `hyperslab token create`.')
  })
}

function rowOfToken({ id, name, writes, within = '', end, used }: Api.TokenList['tokens'][number]) {
  return [
    id,
    `until ${end}`,
    lastUse(used),
    `${writes ? 'reads and writes' : 'reads'} ${within}`.trim(),
    name,
  ]
}

export async function revokeOwnToken(id: string, options: ServiceOptions): Promise<void> {
  await withService(options, true, ({ client, signal }) =>
    client.request('DELETE /tokens/{id}', { id }, { signal }),
  )
}

export interface ShareOptions extends ServiceOptions {
  readonly end: string
  readonly object?: string
  readonly note?: string
  readonly json: boolean
}

/** Prints the address alone on standard output, so that a script can take it. */
export async function createShare(path: string, options: ShareOptions): Promise<void> {
  const { end, object, note, json } = options
  await withService(atEndpoint(options), true, async ({ client, signal, print }) => {
    const body = {
      domain: path,
      end,
      ...(object !== undefined && { h5path: object }),
      ...(note !== undefined && { note }),
    }
    const share = await client.request('POST /shares', {}, { body, signal })
    if (!json)
      process.stderr.write(
        `The share ${share.id} of ${share.domain} has this address, which is shown now only:\n`,
      )
    await print(json ? JSON.stringify(share) : share.address)
  })
}

export interface OwnLoginOptions extends ServiceOptions {
  readonly json: boolean
}

export async function listShares(options: OwnLoginOptions): Promise<void> {
  await withService(atEndpoint(options), false, async ({ client, signal, print }) => {
    const { shares } = await client.request('GET /shares', {}, { signal })
    if (options.json) for (const share of shares) await print(JSON.stringify(share))
    else printRows(shares.map(rowOfShare), 'You have no shares; make one with `hyperslab share create`.')
  })
}

function rowOfShare({ id, end, uses, domain, h5path = '', note }: Api.ShareList['shares'][number]) {
  return [id, `until ${end}`, `${uses} uses`, `${domain} ${h5path}`.trim(), note]
}

export async function revokeShare(id: string, options: ServiceOptions): Promise<void> {
  await withService(atEndpoint(options), true, ({ client, signal }) =>
    client.request('DELETE /shares/{id}', { id }, { signal }),
  )
}

/** A share belongs to a user that has logged in. */
function atEndpoint<T extends ServiceOptions>(options: T): T {
  if (options.endpoint === undefined && !process.env.HYPERSLAB_ENDPOINT)
    throw new UsageError('shares belong to a user of a running service: give its address as --endpoint')
  return options
}
