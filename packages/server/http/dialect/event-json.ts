// An event of the feed. Both dialects have the same members; ids and times are in the form of each.

import type { ObjectReference, Timestamp } from '@hyperslab/model/names'
import { pathInBucket } from '../../service/domains/path-names.ts'
import type { ChangeView, EventView } from '../../service/feed/event-views.ts'
import type { Body } from './dialect.ts'

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
