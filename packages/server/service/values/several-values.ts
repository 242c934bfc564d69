// Values of several datasets in one request: all are read in one snapshot, or written in one transaction. An error
// names the item of the request that it is about, and then nothing is read or written.

import { nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { excerpt } from '@hyperslab/model/json'
import type { ObjectId } from '@hyperslab/model/names'
import { requireWritable } from '../access/access.ts'
import type { Context, OpenDomain, WriteContext } from '../context.ts'
import { ALL_LINKS, locate, titlesOf } from '../links/paths.ts'
import { readTogether } from '../objects/read-together.ts'
import { readAhead } from './read-ahead.ts'
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

/** Datasets of one request that are opened together. @limit safety, datasets */
const OPENED_AT_ONCE = 32

/** Opens the datasets of all items and checks their selections; the values are read when they are iterated. */
export async function readSeveralValues(
  context: Context,
  domain: OpenDomain,
  items: readonly Item<ReadRequest>[],
): Promise<readonly ItemValues[]> {
  const opened: ItemValues[] = []
  const open = (item: Item<ReadRequest>) =>
    within(item.location, async () => {
      context.signal.throwIfAborted()
      const found = await findDataset(context, domain, item.dataset)
      const values = await readValues(context, found.domain, found.id, item.request)
      return { item, domain: found.domain, values }
    })
  for await (const values of readTogether(items, open, OPENED_AT_ONCE)) opened.push(values)
  const read = await readAhead(
    opened.map(({ values }) => values),
    context.signal,
  )
  return opened.map((values, i) => ({ ...values, values: read[i] }))
}

/**
 * Writes the items, which come some at a time, in their order, so that of two for one element the last one counts.
 */
export async function writeSeveralValues(
  context: WriteContext,
  domain: OpenDomain,
  items: AsyncIterable<readonly Item<WriteRequest>[]>,
  rules: WriteValuesRules,
): Promise<void> {
  requireWritable(domain)
  const appended = new Set<ObjectId>()
  for await (const some of items) {
    // A write remembers the records that it has read.
    await context.writer.lookUpValues(some.flatMap(({ dataset }) => dataset.id ?? []))
    await writeItems(context, domain, some, rules, appended)
  }
}

async function writeItems(
  context: WriteContext,
  domain: OpenDomain,
  items: readonly Item<WriteRequest>[],
  rules: WriteValuesRules,
  appended: Set<ObjectId>,
): Promise<void> {
  for (const { dataset, location, request } of items) {
    await nextTurn()
    context.signal.throwIfAborted()
    await within(location, async () => {
      const found = await findDataset(context, domain, dataset)
      if (found.domain.root.id !== domain.root.id) {
        throw new HyperslabError(
          'object-not-in-domain',
          `the path leads into the domain ${found.domain.entry.path}, and a request writes into one domain: send ` +
            'this value there',
        )
      }
      // The elements of the append are read back, if they must be, before others are written over them.
      if (request.selection.kind === 'append') appended.add(found.id)
      else if (appended.has(found.id)) await context.writer.keepForNextRun()
      await writeValues(context, domain, found.id, request, rules)
    })
  }
}

/** The dataset, and the domain that its path leads to. The caller needs `read` along a path. */
export async function findDataset(
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
