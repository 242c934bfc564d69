// What an object is, in words: beside its path, and in the list of the members of a group.

import { formatDatatype, formatShape } from '@hyperslab/client/elements'
import type { Entity, Member } from '../data/contents.ts'

/** `2 × 3, float64`. */
export function objectText({ kind, object, dataset, type }: Entity): string {
  if (dataset) return `${formatShape(dataset.shape)}, ${formatDatatype(dataset.type)}`
  if (type) return `committed datatype, ${formatDatatype(type)}`
  if (object.class === 'group') return `group of ${object.linkCount.toLocaleString('en')}`
  return kind
}

const KIND_NAMES = { group: 'group', dataset: 'dataset', datatype: 'committed datatype' }

/** What is known of a member, before its object has come and after. */
export function memberText({ link, target, kind }: Member, entity: Entity | undefined) {
  const known = entity?.kind ?? kind
  return {
    kind: known ? KIND_NAMES[known] : '',
    /** Undefined: it is a hard link. */
    link:
      link === 'hard'
        ? undefined
        : link === 'soft' || link === 'external'
          ? `${link} link to ${target}`
          : 'link',
    shape: entity?.dataset && formatShape(entity.dataset.shape),
    type: entity?.type && formatDatatype(entity.type),
  }
}
