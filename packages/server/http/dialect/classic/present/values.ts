// Values in answers of the classic dialect: the members beside them (classic 7.8 to 7.10).

import type { Body, Presentation } from '../../dialect.ts'
import { type Href, homeLink, hrefTo, link, type Place } from '../../hrefs.ts'
import { datasetPath, rootLink } from './paths.ts'

function severalHrefs(place: Place): Body {
  return { hrefs: [link(place, 'self', '/values'), rootLink(place), homeLink(place)] }
}

function hrefsOf(place: Place, dataset: string, self: Href): Body {
  return { hrefs: [self, rootLink(place), link(place, 'owner', dataset), homeLink(place)] }
}

export const valueAnswers: Presentation['values'] = {
  read(place, dataset, rawQuery) {
    const path = datasetPath(dataset)
    const selecting = rawQuery
      .split('&')
      .filter(pair => pair.startsWith('select=') || pair.startsWith('query='))
      .join('&')
    const more = selecting === '' ? '' : (place.suffix === '' ? '?' : '&') + selecting
    return hrefsOf(place, path, { href: hrefTo(place, `${path}/value`) + more, rel: 'self' })
  },

  written(place, dataset) {
    const path = datasetPath(dataset)
    return hrefsOf(place, path, link(place, 'self', `${path}/value`))
  },

  several: severalHrefs,

  severalWritten: severalHrefs,

  queried(place, dataset) {
    const path = datasetPath(dataset)
    return hrefsOf(place, path, link(place, 'self', `${path}/query`))
  },
}
