// Small values of one request, read before the first is sent. Those that differ in their indices along the first
// dimension only, as rows and frames do, are read as one selection of all these indices: each chunk is found and
// decoded once for all of them.

import { type AbortCheck, inTurns } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { product } from '@hyperslab/model/dataset'
import { elementSize, isVariableSize } from '@hyperslab/model/datatype'
import type { Hyperslab, Selection } from '@hyperslab/model/selection'
import { type Elements, EMPTY_HEAP, expandPieces } from '@hyperslab/model/values'
import { readTogether } from '../objects/read-together.ts'
import { givenAs, type SelectedValues } from './values.ts'

/** Elements of this many bytes at most are read with those of other items. @limit memory, bytes */
const SMALL_BYTES = 4096
/** Bytes of all elements that a request reads together, before the first is sent. @limit memory, bytes */
const MAX_BYTES_AHEAD = 4 * 2 ** 20
/** Indices of an item along the first dimension: each becomes an entry of a list. @limit memory, indices */
const MAX_INDICES = 16
/** Selections that are read ahead at once. @limit safety, selections */
const READ_AT_ONCE = 32

/**
 * The same values, the small ones with their elements in memory. Those that cannot be read fail where they are sent.
 */
export async function readAhead(
  all: readonly SelectedValues[],
  signal: AbortCheck,
): Promise<readonly SelectedValues[]> {
  const groups = new Map<string, number[]>()
  let bytesLeft = MAX_BYTES_AHEAD
  for (const [i, values] of all.entries()) {
    const bytes = smallBytes(values)
    if (bytes === undefined || bytes > bytesLeft) continue
    bytesLeft -= bytes
    const key = groupOf(values) ?? String(i)
    const group = groups.get(key)
    if (group) group.push(i)
    else groups.set(key, [i])
  }
  const read = [...all]
  const readGroup = async (group: readonly number[]) => {
    const elements = await readElements(
      group.map(i => all[i]),
      signal,
    )
    for (const [n, i] of group.entries()) {
      const own = elements?.[n]
      if (own) read[i] = { ...all[i], ...givenAs(all[i].type, () => inTurns([own]), signal) }
    }
  }
  for await (const _ of readTogether(groups.values(), readGroup, READ_AT_ONCE)) signal.throwIfAborted()
  return read
}

/** Bytes of the elements if they are few; undefined: there are none or many, or their number is not known. */
function smallBytes({ type, shape }: SelectedValues): number | undefined {
  if (shape === undefined || isVariableSize(type)) return undefined
  const bytes = product(shape) * elementSize(type)
  return bytes > 0 && bytes <= SMALL_BYTES ? bytes : undefined
}

/** A name that values have in common if one selection can read them; undefined: they are read alone. */
function groupOf({ dataset, source }: SelectedValues): string | undefined {
  if (source?.selection.kind !== 'hyperslab' || source.selection.start.length === 0) return undefined
  if (source.selection.count[0] * source.selection.block[0] > MAX_INDICES) return undefined
  const { start, stride, count, block } = restOf(source.selection)
  return JSON.stringify([dataset.id, source.fields, start, stride, count, block])
}

/** The elements of each; undefined: they cannot be read. */
async function readElements(
  group: readonly SelectedValues[],
  signal: AbortCheck,
): Promise<readonly Elements[] | undefined> {
  const [{ type, pieces, source }] = group
  const size = elementSize(type)
  const counts = group.map(({ shape = [] }) => product(shape))
  const data = new Uint8Array(counts.reduce((sum, count) => sum + count, 0) * size)
  const together = group.length > 1 && source ? source.read(selectionOf(group)) : pieces
  let offset = 0
  try {
    for await (const piece of expandPieces(type, together, signal)) {
      data.set(piece.data, offset)
      offset += piece.data.length
    }
  } catch (error) {
    if (error instanceof HyperslabError) return undefined
    throw error
  }
  let end = 0
  return counts.map(count => {
    const start = end
    end += count * size
    return { count, data: data.subarray(start, end), heap: EMPTY_HEAP }
  })
}

/** All indices of a group along the first dimension, one item after another. */
function selectionOf(group: readonly SelectedValues[]): Selection {
  const slabs = group.flatMap(({ source }) =>
    source?.selection.kind === 'hyperslab' ? source.selection : [],
  )
  const coordinates = slabs.flatMap(({ start: [start], stride: [stride], count: [count], block: [block] }) =>
    Array.from({ length: count * block }, (_, i) => start + Math.floor(i / block) * stride + (i % block)),
  )
  return { kind: 'lists', listed: [0], coordinates: Float64Array.from(coordinates), rest: restOf(slabs[0]) }
}

/** The selection in all dimensions but the first. */
function restOf({ kind, start, stride, count, block }: Hyperslab): Hyperslab {
  return {
    kind,
    start: start.slice(1),
    stride: stride.slice(1),
    count: count.slice(1),
    block: block.slice(1),
  }
}
