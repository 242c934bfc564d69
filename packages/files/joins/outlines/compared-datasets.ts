// The datasets of a file that are not joined, in a form that is compared with those of other files.

import { createHash } from 'node:crypto'
import { isTurnOver, nextTurn } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import type { H5FileReader } from '@hyperslab/h5/reader'
import { product } from '@hyperslab/model/dataset'
import { elementSize } from '@hyperslab/model/datatype'
import { stringifyJson } from '@hyperslab/model/json'
import { hasReferences } from '@hyperslab/model/values'
import { isNumber } from '../meaning.ts'
import { type ComparedDataset, type FoundDataset, findDatasets, jsonOf, type Outline } from './outline.ts'

/** Bytes of the values of a file that are compared. @limit safety, bytes */
const MAX_COMPARED_BYTES = 256 * 2 ** 20
/** Bytes that are read at once, at least one row. */
const BLOCK_BYTES = 2 ** 20

/** Datasets of references are left out: addresses mean nothing in another file. */
export async function readCompared(
  reader: H5FileReader,
  { datasets }: Outline,
  check: 'types' | 'values',
): Promise<ReadonlyMap<string, ComparedDataset>> {
  const compared = new Map<string, ComparedDataset>()
  let left = MAX_COMPARED_BYTES
  for (const dataset of await findDatasets(reader)) {
    const { path, type, space, isOnlyName } = dataset
    if (datasets.has(path) || hasReferences(type)) continue
    const form = createHash('sha1').update(JSON.stringify([type, space.dims], plainValue))
    const hasValues = check === 'values' && !isOnlyName
    if (hasValues) left -= elementSize(type) * product(space.dims)
    if (left < 0) {
      const rule = `its datasets that are not joined have more than ${MAX_COMPARED_BYTES} bytes, too many to be compared`
      throw new HyperslabError('file-unreadable', rule)
    }
    compared.set(path, {
      form: form.digest('base64'),
      ...(hasValues && { values: await hashValues(reader, dataset) }),
    })
  }
  return compared
}

function plainValue(_: string, value: unknown): unknown {
  if (value instanceof Map) return [...value]
  return typeof value === 'bigint' ? `${value}` : value
}

async function hashValues(
  reader: H5FileReader,
  { address, type, space: { dims } }: FoundDataset,
): Promise<string> {
  const [rows = 1, ...rest] = dims
  const rowBytes = elementSize(type) * product(rest)
  const hash = createHash('sha1')
  const step = Math.max(1, Math.floor(BLOCK_BYTES / Math.max(1, rowBytes)))
  for (let start = 0; start < rows; start += step) {
    const count = Math.min(step, rows - start)
    const box = dims.length === 0 ? [] : [count, ...rest]
    const begin = dims.map((_, d) => (d === 0 ? start : 0))
    const value = await reader.readValues(address, begin, box, () => undefined)
    // Elements of other types have bytes that mean nothing, or are places in a heap.
    const elements = { type, space: { class: 'H5S_SIMPLE', dims: box }, value } as const
    hash.update(isNumber(type) ? value.data : stringifyJson(jsonOf(elements) ?? null))
    if (isTurnOver()) await nextTurn()
  }
  return hash.digest('base64')
}
