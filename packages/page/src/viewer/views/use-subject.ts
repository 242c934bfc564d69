// The chosen object, with what is drawn of it. A group that may be shown as a table, but says nothing of it, is one
// later only: its plot, or its list, does not wait for its members.

import { useMemo } from 'react'
import type { Loaded } from '../../common/loader.ts'
import { plotOf } from '../data/plot.ts'
import { groupTableOf } from '../table/group-table.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { Subject } from './view.ts'

/** `tab`: the view that the address names. */
export function useSubject(object: string, tab: string | undefined): Loaded<Subject> {
  const { contents, version } = useViewer()
  const first = useLoaded(
    async abort => {
      const entity = await contents.at(object)
      const kinds = tab === 'table' ? 'all' : 'default'
      const [plot, table] = await Promise.all([
        plotOf(contents, entity, abort),
        groupTableOf(contents, entity, kinds),
      ])
      return { entity, plot, table }
    },
    [contents, object, version],
  )
  const { value } = first
  const { value: later } = useLoaded(
    async () => value && value.table === undefined && groupTableOf(contents, value.entity, 'all'),
    [contents, value],
  )
  const subject = useMemo(
    () => value && { ...value, table: value.table ?? (later || undefined) },
    [value, later],
  )
  return { ...first, value: subject }
}
