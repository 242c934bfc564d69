// The members of a group, with what each of them is.

import { memo, useEffect, useReducer, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Member } from '../data/contents.ts'
import { useEntity } from '../use-entity.ts'
import { useViewer } from '../viewer-context.ts'
import { memberText } from '../views/object-text.ts'
import type { ViewProps } from '../views/view.ts'
import { FirstLook } from './FirstLook.tsx'

/** Members that are listed at first. */
const FIRST_MEMBERS = 200

export function GroupView({ entity, plot, choose }: ViewProps) {
  return (
    <div className="group-view">
      {entity.path === '/' && plot === undefined ? <FirstLook choose={choose} /> : null}
      <Members entity={entity} choose={choose} />
    </div>
  )
}

function Members({ entity, choose }: Pick<ViewProps, 'entity' | 'choose'>) {
  const { contents, version } = useViewer()
  const [, redraw] = useReducer((count: number) => count + 1, 0)
  const [count, setCount] = useState(FIRST_MEMBERS)
  const list = contents.members(entity.path)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another version has another list
  useEffect(() => list.watch(redraw), [list, version])
  const { members, isComplete, error } = list
  if (error !== undefined)
    return (
      <p role="alert" className="error">
        {messageOf(error)}
      </p>
    )
  const isWhole = isComplete && entity.object.damage === undefined
  if (isComplete && members.length === 0)
    return isWhole ? <p className="note">The group has no members.</p> : null
  return (
    <div className="members">
      <table aria-label="Members">
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Kind</th>
            <th scope="col">Shape</th>
            <th scope="col">Type</th>
          </tr>
        </thead>
        <tbody>
          {members.slice(0, count).map(member => (
            <MemberRow key={member.title} member={member} choose={choose} />
          ))}
        </tbody>
      </table>
      {members.length > count ? (
        <button type="button" className="more" onClick={() => setCount(count * 5)}>
          Show more of {members.length.toLocaleString('en')}
        </button>
      ) : isComplete ? null : (
        <p className="note">Loading …</p>
      )}
    </div>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly choose: (path: string) => void
}

/** Drawn again when its own member changes, not with each page of the list. */
const MemberRow = memo(function MemberRow({ member, choose }: MemberRowProps) {
  const { path, title } = member
  const { entity, error } = useEntity(path)
  const { kind, link, shape, type } = memberText(member, entity)
  return (
    <tr>
      <th scope="row">
        <button type="button" className="crumb" onClick={() => choose(path)}>
          {title}
        </button>
      </th>
      <td>
        {kind}
        {link === undefined ? null : <span className="target"> {link}</span>}
        {error === undefined ? null : <span className="error"> {error}</span>}
      </td>
      <td title={shape}>{shape}</td>
      <td title={type}>{type}</td>
    </tr>
  )
})
