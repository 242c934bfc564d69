// Attributes in answers of the classic dialect (classic 9).

import type { JsonOutput } from '@hyperslab/model/json'
import type { ObjectReference } from '@hyperslab/model/names'
import type { Attribute } from '@hyperslab/store/store'
import { lazyList } from '../../../message/lazy-json.ts'
import { encodeName } from '../../../message/target.ts'
import { valueJson } from '../../attribute-json.ts'
import type { Body, Presentation } from '../../dialect.ts'
import { type Href, homeLink, hrefTo, link, type Place } from '../../hrefs.ts'
import { presentTypeUse } from '../types.ts'
import { classicValueStyle } from '../values.ts'
import { objectPath, rootLink, times } from './paths.ts'

function attributePath(owner: ObjectReference, name: string): string {
  return `${objectPath(owner)}/attributes/${encodeName(name)}`
}

function attributeMembers(attribute: Attribute): Body {
  const { name, type, committedType, space, created, lastModified } = attribute
  const shape =
    space.class === 'H5S_SIMPLE' ? { class: space.class, dims: space.dims } : { class: space.class }
  return { name, type: presentTypeUse(type, committedType), shape, ...times(created, lastModified) }
}

/** Null for a null dataspace; absent for opaque types, which have no JSON form here (classic 9.2). */
function attributeValue(place: Place, attribute: Attribute): JsonOutput | undefined {
  const { type, value } = attribute
  if (type.class === 'H5T_OPAQUE') return undefined
  return value === undefined ? null : valueJson(attribute, value, classicValueStyle(place))
}

function hrefsOf(place: Place, owner: ObjectReference, self: string): Href[] {
  return [
    link(place, 'self', self),
    link(place, 'owner', objectPath(owner)),
    rootLink(place),
    homeLink(place),
  ]
}

export const attributeAnswers: Presentation['attributes'] = {
  list(place, owner, attributes) {
    const path = objectPath(owner)
    return {
      attributes: lazyList(attributes, attribute => ({
        ...attributeAnswers.item(place, attribute, { values: false }),
        href: hrefTo(place, attributePath(owner, attribute.name)),
      })),
      hrefs: hrefsOf(place, owner, `${path}/attributes`),
    }
  },

  item(_, attribute) {
    if (!('reason' in attribute)) return attributeMembers(attribute)
    const { name, reason, created, lastModified } = attribute
    return { name, unreadable: reason.message, ...times(created, lastModified) }
  },

  shown(place, owner, attribute) {
    return {
      ...attributeMembers(attribute),
      value: attributeValue(place, attribute),
      hrefs: hrefsOf(place, owner, attributePath(owner, attribute.name)),
    }
  },

  put(place, owner, name) {
    return {
      hrefs: [
        link(place, 'self', attributePath(owner, name)),
        link(place, 'owner', objectPath(owner)),
        rootLink(place),
      ],
    }
  },

  deleted(place, owner) {
    const path = objectPath(owner)
    return {
      hrefs: hrefsOf(place, owner, `${path}/attributes`),
    }
  },
}
