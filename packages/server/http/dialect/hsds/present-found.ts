// Objects that are found by their paths, and all objects of a domain at once, as the hsds dialect shows them
// (hsds-objects 8.1, 8.2, 8.10 and 8.11).

import { extentsOf } from '@hyperslab/model/dataset'
import { elementsToJson, type JsonOutput, type LazyMap } from '@hyperslab/model/json'
import type { HdfObject } from '@hyperslab/store/store'
import type { BulkDescription } from '../../../service/descriptions/bulk-descriptions.ts'
import type { Description } from '../../../service/descriptions/descriptions.ts'
import type { ObjectView } from '../../../service/objects/objects.ts'
import { isAllUtf8 } from '../../../service/values/text-check.ts'
import type { StreamedMembers } from '../../message/json-stream.ts'
import { lazyMap } from '../../message/lazy-json.ts'
import { areLong } from '../attribute-json.ts'
import type { Body, FoundPresentation, ShownValues } from '../dialect.ts'
import type { Place } from '../hrefs.ts'
import { foundLinks } from './addresses.ts'
import { storedAttribute } from './attributes.ts'
import { storedLink } from './links.ts'
import {
  datasetMembers,
  datatypeMembers,
  describedDataset,
  describedDatatype,
  describedGroup,
  groupMembers,
} from './objects.ts'
import { hsdsValueStyle } from './values.ts'

export const hsdsPresentFound: FoundPresentation = {
  object(place, view, shown) {
    return { class: view.object.kind, ...described(place, view, shown) }
  },

  hrefs: foundLinks,

  bulkObject(place, view) {
    const { links, attributes } = view
    return {
      ...created(place, view),
      links: links && membersOf(links, false, link => [link.title, storedLink(link)]),
      attributes:
        attributes &&
        membersOf(attributes, Array.isArray(attributes) && areLong(attributes), attribute => [
          attribute.name,
          storedAttribute(place, attribute),
        ]),
      value: smallValue(place, view),
    }
  },
}

function described(place: Place, { object, ...view }: Description, shown: ShownValues): Body {
  switch (object.kind) {
    case 'group':
      return describedGroup(place, { ...view, object }, shown)
    case 'dataset':
      return describedDataset(place, { ...view, object }, shown)
    case 'datatype':
      return describedDatatype(place, { ...view, object }, shown)
  }
}

function created(place: Place, { object, ...view }: ObjectView<HdfObject>): Body {
  switch (object.kind) {
    case 'group':
      return groupMembers(place, { ...view, object })
    case 'dataset':
      return datasetMembers(place, { ...view, object })
    case 'datatype':
      return datatypeMembers(place, { ...view, object })
  }
}

function membersOf<T>(
  items: readonly T[] | AsyncIterable<T>,
  isLong: boolean,
  entry: (item: T) => readonly [string, Body],
): LazyMap | StreamedMembers {
  return Symbol.asyncIterator in items ? mapped(items, entry) : lazyMap(items, entry, isLong)
}

async function* mapped<T>(
  items: AsyncIterable<T>,
  entry: (item: T) => readonly [string, Body],
): StreamedMembers {
  for await (const item of items) yield entry(item)
}

/**
 * The object without a value of strings that are not UTF-8: they have no form in JSON here, and reading the value is an
 * error.
 */
function smallValue(place: Place, { object, value }: BulkDescription): JsonOutput | undefined {
  if (value === undefined || object.kind !== 'dataset' || !isAllUtf8(object.type, value)) return undefined
  return elementsToJson(object.type, extentsOf(object.space), value, hsdsValueStyle(place, 'dataset'))
}
