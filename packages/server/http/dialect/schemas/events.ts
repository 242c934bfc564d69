// The events of the feed: their schemas, and their JSON. Both dialects have the same members; ids and times are in the
// form of each.

import type { ObjectReference, Timestamp } from '@hyperslab/model/names'
import { pathInBucket } from '../../../service/domains/path-names.ts'
import type { ChangeView, EventView } from '../../../service/feed/event-views.ts'
import { COUNT, list, NUMBER, object, oneOf, ref, type Schemas, STRING, word } from '../../message/schema.ts'
import type { Body } from '../dialect.ts'

const EVENT_ID = '1042-5f0c9e1b'

export const eventSchemas: Schemas = {
  Event: {
    ...object({
      id: { ...STRING, description: 'The position of the commit in the feed, for `since`.' },
      time: { ...oneOf(NUMBER, STRING), description: 'The time of the commit.' },
      domain: { ...STRING, description: 'The path of the domain or folder that was changed.' },
      'state?': {
        ...STRING,
        description: 'The state of the domain after the commit; absent: it was deleted, or is a folder.',
      },
      changes: list(ref('Change')),
      'more?': { const: true, description: 'There are more changes than are listed.' },
    }),
    description: 'The changes of one domain in one commit.',
    examples: [
      {
        id: EVENT_ID,
        time: 1_800_000_000.25,
        domain: '/lab/run7.h5',
        state: '0f3c9a1b5d7e8f60718293a4b5c6d7e8',
        changes: [
          {
            kind: 'values',
            class: 'dataset',
            id: 'd-45a882e1-9d0111e8-8acf-0242ac-110009',
            h5path: '/frames',
            start: [12, 0, 0],
            stop: [13, 512, 512],
            shape: [13, 512, 512],
          },
        ],
      },
    ],
  },
  Change: {
    ...object({
      kind: word('created', 'deleted', 'attributes', 'links', 'values', 'acl'),
      class: word('domain', 'folder', 'group', 'dataset', 'datatype'),
      'id?': { ...STRING, description: 'The id of the object; absent: the domain or folder itself.' },
      'h5path?': { ...STRING, description: 'A path of the object, if one is known.' },
      'start?': list(COUNT, 'With `stop`, the smallest box around the elements that were written.'),
      'stop?': list(COUNT, 'The end of the box, exclusive.'),
      'shape?': list(COUNT, 'The new extents of the dataset.'),
    }),
    description: 'A change of an object, or of the domain or folder itself.',
    examples: [{ kind: 'created', class: 'domain' }],
  },
  Events: {
    ...object({
      events: list(ref('Event')),
      next: { ...STRING, description: 'The position after them: `since` of the next request.' },
      'gone?': { const: true, description: 'Events after `since` were removed: read the domain again.' },
      'state?': {
        ...STRING,
        description: 'The present state of the domain, with `gone` and without `since`.',
      },
    }),
    description: 'Events after a position.',
    examples: [{ events: [], next: EVENT_ID }],
  },
}

/** How a dialect writes ids and times. */
interface EventForm {
  readonly formatId: (object: ObjectReference) => string
  readonly formatTime: (time: Timestamp) => string | number
}

export function presentEvent(event: EventView, form: EventForm): Body {
  const { id, time, path, state, changes, more } = event
  return {
    id,
    time: form.formatTime(time),
    domain: pathInBucket(path),
    ...(state !== undefined && { state }),
    changes: changes.map(change => presentChange(change, form)),
    ...(more && { more }),
  }
}

function presentChange(
  { kind, object, isFolder, path, box, dims }: ChangeView,
  { formatId }: EventForm,
): Body {
  if (object === undefined) return { kind, class: isFolder ? 'folder' : 'domain' }
  return {
    kind,
    class: object.kind,
    id: formatId(object),
    ...(path !== undefined && { h5path: path }),
    ...(box && { start: box.start, stop: box.stop }),
    ...(dims && { shape: dims }),
  }
}
