// Ids of objects as requests and answers spell them.

import type { ObjectId } from '@hyperslab/model/names'

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

/** True for text that starts like a prefixed id (`g-`, `d-`, `t-`): a sign of the hsds dialect. */
export function hasIdPrefix(text: string): boolean {
  return /^[gdt]-/.test(text)
}

/** The id spelled as a plain UUID, or undefined when the text is not one. Upper-case digits are accepted. */
export function parseUuid(text: string): ObjectId | undefined {
  const lower = text.toLowerCase()
  return UUID.test(lower) ? (lower.replaceAll('-', '') as ObjectId) : undefined
}

export function formatUuid(id: ObjectId): string {
  return `${id.slice(0, 8)}-${id.slice(8, 12)}-${id.slice(12, 16)}-${id.slice(16, 20)}-${id.slice(20)}`
}
