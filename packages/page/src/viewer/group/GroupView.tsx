// The members of a group, with what each of them is.

import { memo, useEffect, useMemo, useReducer, useState } from 'react'
import { messageOf } from '../../common/errors.ts'
import type { Member } from '../data/contents.ts'
import { EditPart } from '../edit/EditPart.tsx'
import { useEditing } from '../edit/editing.ts'
import { useEntity } from '../use-entity.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { memberText } from '../views/object-text.ts'
import type { ViewProps } from '../views/view.ts'
import { FirstLook } from './FirstLook.tsx'
import { NO_VARIABLES, VARIABLE_COLUMNS, type Variable, type Variables, variablesOf } from './variables.ts'

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
  const shown = useMemo(() => members.slice(0, count), [members, count])
  const { value: variables = NO_VARIABLES } = useLoaded(
    () => variablesOf(contents, entity.path, shown),
    [entity.path, contents, version, shown],
  )
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
    <div className={variables.columns.length > 0 ? 'members with-variables' : 'members'}>
      <table aria-label="Members">
        <MembersHead columns={variables.columns} />
        <tbody>
          {shown.map(member => (
            <MemberRow
              key={member.title}
              member={member}
              variable={variables.byPath.get(member.path)}
              columns={variables.columns}
              choose={choose}
            />
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

function MembersHead({ columns }: Pick<Variables, 'columns'>) {
  const isEdited = useEditing()?.isOn === true
  return (
    <thead>
      <tr>
        <th scope="col">Name</th>
        {columns.map(column => (
          <th scope="col" key={column} className={`of-${column}`}>
            {VARIABLE_COLUMNS[column]}
          </th>
        ))}
        <th scope="col" className="of-kind">
          Kind
        </th>
        <th scope="col" className="of-shape">
          Shape
        </th>
        <th scope="col" className="of-type">
          Type
        </th>
        {isEdited ? (
          <th scope="col" className="of-edit">
            Change
          </th>
        ) : null}
      </tr>
    </thead>
  )
}

interface MemberRowProps {
  readonly member: Member
  readonly variable: Variable | undefined
  readonly columns: Variables['columns']
  readonly choose: (path: string) => void
}

/** Drawn again when its own member changes, not with each page of the list. */
const MemberRow = memo(function MemberRow({ member, variable, columns, choose }: MemberRowProps) {
  const { path, title } = member
  const { entity, error } = useEntity(path)
  const { kind, link, shape, type } = memberText(member, entity)
  const isEdited = useEditing()?.isOn === true
  return (
    <tr>
      <th scope="row">
        <button type="button" className="crumb" onClick={() => choose(path)}>
          {title}
        </button>
      </th>
      {columns.map(column => (
        <td key={column} className={`of-${column}`} title={variable?.[column]}>
          {variable?.[column]}
        </td>
      ))}
      <td className="of-kind">
        {kind}
        {link === undefined ? null : <span className="target"> {link}</span>}
        {error === undefined ? null : <span className="error"> {error}</span>}
      </td>
      <td className="of-shape" title={shape}>
        {shape}
      </td>
      <td className="of-type" title={type}>
        {type}
      </td>
      {isEdited ? (
        <td className="of-edit">
          {member.link === 'other' ? null : (
            <EditPart>{({ EditMenu }) => <EditMenu path={path} entity={entity} />}</EditPart>
          )}
        </td>
      ) : null}
    </tr>
  )
})
