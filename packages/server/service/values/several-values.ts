// Values of several datasets in one request: all are read in one snapshot, or written in one transaction. An error
// names the item of the request that it is about, and then nothing is read or written.

import { inOrder, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { ALL_LINKS, locate, titlesOf } from '../links/paths.ts'
import {
  type ReadRequest,
  readValues,
  type SelectedValues,
  type WriteRequest,
  type WriteValuesRules,
  writeValues,
} from './values.ts'

/** A dataset of the domain, or the object at a path from the root group, through links of all kinds; it has that id. */
export type DatasetName = { readonly id: ObjectId } | { readonly h5path: string; readonly id?: ObjectId }

/** A part of the request that is about one dataset. */
export interface Item<Request> {
  readonly dataset: DatasetName
  /** Its place in the request, for messages. */
  readonly location: string
  readonly request: Request
}

/** The values that an item reads, and the domain that they were found in. */
export interface ItemValues {
  readonly item: Item<ReadRequest>
  readonly domain: OpenDomain
  readonly values: SelectedValues
}

/**
 * Datasets of one request that are opened at once: the reads of one turn of the event loop are one statement of
 * PostgreSQL.
 * @limit safety, datasets
 */
const OPENED_AT_ONCE = 16

/** Opens the datasets of all items and checks their selections; the values are read when they are iterated. */
export async function readSeveralValues(
  context: Context,
  domain: OpenDomain,
  items: readonly Item<ReadRequest>[],
): Promise<readonly ItemValues[]> {
  const opened: ItemValues[] = []
  const open = (item: Item<ReadRequest>) =>
    within(item.location, async () => {
      await nextTurn()
      context.signal.throwIfAborted()
      const found = await find(context, domain, item.dataset)
      return {
        item,
        domain: found.domain,
        values: await readValues(context, found.domain, found.id, item.request),
      }
    })
  for await (const values of inOrder(items, OPENED_AT_ONCE, open)) opened.push(values)
  return opened
}

/** Writes the items in their order, so that of two for one element the last one counts. */
export async function writeSeveralValues(
  context: WriteContext,
  domain: OpenDomain,
  items: readonly Item<WriteRequest>[],
  rules: WriteValuesRules,
): Promise<void> {
  requireWritable(domain)
  for (const { dataset, location, request } of items) {
    await nextTurn()
    context.signal.throwIfAborted()
    await within(location, async () => {
      const found = await find(context, domain, dataset)
      if (found.domain.root.id !== domain.root.id) {
        throw new HyperslabError(
          'object-not-in-domain',
          `the path leads into the domain ${found.domain.entry.path}, and a request writes into one domain: send ` +
            'this value there',
        )
      }
      await writeValues(context, domain, found.id, request, rules)
    })
  }
}

async function find(
  context: Context,
  domain: OpenDomain,
  dataset: DatasetName,
): Promise<{ readonly domain: OpenDomain; readonly id: ObjectId }> {
  if (!('h5path' in dataset)) return { domain, id: dataset.id }
  const { h5path } = dataset
  const found = await locate(context, domain, { titles: titlesOf(h5path) }, ALL_LINKS)
  const { kind, id } = found.object
  if (kind === 'dataset' && id === (dataset.id ?? id)) return { domain: found.domain, id }
  if (kind === 'dataset') {
    throw new HyperslabError(
      'object-not-found',
      `${excerpt(h5path)} is another dataset than the one with that id: leave one of them out`,
    )
  }
  throw new HyperslabError(
    'object-not-found',
    `${excerpt(h5path)} is a ${kind}, and only datasets have values`,
  )
}

/** The result of `work`; errors of the request, not of the service's load, begin with the item that they are about. */
export async function within<T>(location: string, work: () => T | Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw error instanceof HyperslabError && error.kind !== 'busy' ? error.within(location) : error
  }
}
