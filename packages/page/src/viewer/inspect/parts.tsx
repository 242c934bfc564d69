// Small parts of Inspect: names with texts, links to objects, the lines of a type, and failures.

import type { Datatype } from '@hyperslab/client'
import type { ReactNode } from 'react'
import { messageOf } from '../../common/errors.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import type { ObjectId } from './attribute-form.ts'
import { typeLines } from './type-lines.ts'

export function Failure({ error }: { readonly error: unknown }) {
  return (
    <p role="alert" className="error">
      {messageOf(error)}
    </p>
  )
}

interface LinesProps {
  readonly label: string
  readonly lines: readonly { readonly name: string; readonly text: ReactNode }[]
}

export function Lines({ label, lines }: LinesProps) {
  return (
    <table aria-label={label} className="facts">
      <tbody>
        {lines.map(({ name, text }) => (
          <tr key={name}>
            <th scope="row">{name}</th>
            <td>{text}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

interface PathLinkProps {
  readonly path: string
  readonly text: string
  readonly choose: (path: string) => void
}

export function PathLink({ path, text, choose }: PathLinkProps) {
  if (path === '') return text
  return (
    <button type="button" className="crumb" onClick={() => choose(path)}>
      {text}
    </button>
  )
}

interface ReferenceProps {
  readonly object: ObjectId | undefined
  readonly choose: (path: string) => void
}

/** The path of the object that a reference leads to. */
export function Reference({ object, choose }: ReferenceProps) {
  const { contents } = useViewer()
  const { value, error } = useLoaded(
    async signal => {
      if (object === undefined) return undefined
      const { collection, id } = object
      const parameters = { id, domain: contents.domain.pathOf(id), getalias: 1 }
      const { alias } = await contents.client.request(`GET /${collection}/{id}`, parameters, { signal })
      return alias?.[0]
    },
    [object?.id, contents],
  )
  if (object === undefined) return <div className="target">null reference</div>
  if (error !== undefined) return <div className="target">reference to an object that is not there</div>
  if (value === undefined) return <div className="target">reference</div>
  return (
    <div>
      <PathLink path={value} text={value} choose={choose} />
    </div>
  )
}

/** Members and names of a type that are listed. @limit memory, members */
const MAX_MEMBERS = 500

/** A compound with its members, and an enum with its names, below each other. */
export function TypeLines({ type }: { readonly type: Datatype }) {
  const lines = typeLines(type)
  const more = lines.length - MAX_MEMBERS
  if (lines.length === 0) return null
  return (
    <>
      <pre className="type-lines">{lines.slice(0, MAX_MEMBERS).join('\n')}</pre>
      {more > 0 ? <p className="note">{more.toLocaleString('en')} more are not shown.</p> : null}
    </>
  )
}
