// The object that a program reads: what is shown, at its path in its own domain.

import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'

export interface Shown {
  /** The path of the dataset that is shown, or of the object. */
  readonly shownPath: string
  readonly found: Api.FoundObject
  /** Its path in its own domain. */
  readonly path: string
}

export interface ShownObject {
  readonly domain: string
  readonly object: string
  /** Whether the attributes of the object are shown. */
  readonly attributes: boolean
}

export async function findShown(
  client: Hyperslab,
  { domain, object, attributes }: ShownObject,
  signal: AbortSignal,
): Promise<Shown> {
  const at = client.domain(domain)
  const shownPath = attributes ? object : await plottedPath(client, domain, object, signal)
  const answer = await at.object(shownPath, { signal })
  const found = { ...answer, domain: at.pathOf(answer.id) }
  const isHere = found.domain === domain && (await isInside(client, domain, shownPath, signal))
  return { shownPath, found, path: isHere ? shownPath : await ownPathOf(client, found, signal) }
}

/** The path of the signal of the plot that the viewer shows of a group; that of the object without. */
async function plottedPath(
  client: Hyperslab,
  domain: string,
  object: string,
  signal: AbortSignal,
): Promise<string> {
  // The viewer has loaded them.
  const [{ Contents }, { plotOf }] = await Promise.all([
    import('../data/contents.ts'),
    import('../data/plot.ts'),
  ])
  const contents = new Contents(client, domain)
  const entity = await contents.at(object)
  const plot = entity.kind === 'group' ? await plotOf(contents, entity, signal) : undefined
  return plot?.signal.path ?? object
}

/** Whether a path to an object of the domain does not lead through another one. */
async function isInside(
  client: Hyperslab,
  domain: string,
  h5path: string,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await client.request('GET /', { domain, h5path, follow_soft_links: 1 }, { signal })
    return true
  } catch (error) {
    if (error instanceof RequestError && error.code === 'malformed-path') return false
    throw error
  }
}

/** The first path of hard links to an object in its own domain. */
async function ownPathOf(
  client: Hyperslab,
  { class: kind, id, domain }: Api.FoundObject,
  signal: AbortSignal,
): Promise<string> {
  const parameters = { id, domain, getalias: 1 }
  const { alias } = await client.request(`GET /${kind}s/{id}`, parameters, { signal })
  return alias?.[0] ?? '/'
}
