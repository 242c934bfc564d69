// Lists and maps of answers that are made while they are written.

import { type JsonOutput, LazyList, LazyMap } from '@hyperslab/model/json'

export function lazyList<T>(
  items: readonly T[],
  outputOf: (item: T) => JsonOutput,
  isLong = false,
): LazyList {
  return new LazyList(items.length, index => outputOf(items[index]), isLong)
}

export function lazyMap<T>(
  items: readonly T[],
  memberOf: (item: T) => readonly [name: string, value: JsonOutput],
  isLong = false,
): LazyMap {
  return new LazyMap(items.length, index => memberOf(items[index]), isLong)
}
