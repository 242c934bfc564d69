import { formatIsoSeconds } from '../../../message/times.ts'
import type { Presentation } from '../../dialect.ts'
import { joinMembers } from '../../folder-children.ts'
import { type Href, link, type Place } from '../../hrefs.ts'
import { formatUuid } from '../../ids.ts'
import { presentEvent } from '../../schemas/events.ts'
import { aclAnswers } from './acls.ts'
import { attributeAnswers } from './attributes.ts'
import { linkAnswers } from './links.ts'
import { datasetAnswers, datatypeAnswers, groupAnswers, objectAnswers } from './objects.ts'
import { rootLink, times } from './paths.ts'
import { valueAnswers } from './values.ts'

function domainLinks(place: Place): Href[] {
  return [
    link(place, 'self', '/'),
    link(place, 'database', '/datasets'),
    link(place, 'groupbase', '/groups'),
    link(place, 'typebase', '/datatypes'),
    rootLink(place),
  ]
}

export const classicPresent: Presentation = {
  domains: {
    shown(place, { entry, status, state }) {
      return {
        ...(place.root !== undefined && { root: formatUuid(place.root) }),
        ...times(entry.created, state?.lastModified ?? entry.lastModified),
        damage: entry.damage ?? status?.damage?.message,
        ...joinMembers(entry),
        ...(state && { state: state.state }),
        hrefs: domainLinks(place),
      }
    },

    created(place, { entry }) {
      return {
        ...(entry.root !== undefined && { root: formatUuid(entry.root) }),
        ...times(entry.created, entry.lastModified),
        hrefs: domainLinks({ ...place, root: entry.root }),
      }
    },
  },

  objects: objectAnswers,
  groups: groupAnswers,
  datasets: datasetAnswers,
  datatypes: datatypeAnswers,
  values: valueAnswers,
  links: linkAnswers,
  attributes: attributeAnswers,
  acls: aclAnswers,

  events: {
    shown: event =>
      presentEvent(event, { formatId: ({ id }) => formatUuid(id), formatTime: formatIsoSeconds }),
  },
}
