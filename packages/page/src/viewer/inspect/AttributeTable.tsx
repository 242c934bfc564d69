// The attributes of an object: values as people write them, references as links, JSON and XML in lines.

import { formatDatatype, formatShape } from '@hyperslab/client/elements'
import { useState } from 'react'
import type { Entity } from '../data/contents.ts'
import { EditPart } from '../edit/EditPart.tsx'
import type { Attribute, Attributes } from '../meaning/attributes.ts'
import { useViewer } from '../viewer-context.ts'
import { attributeForm } from './attribute-form.ts'
import { longText } from './long-text.ts'
import { Reference } from './parts.tsx'

interface AttributeTableProps {
  readonly entity: Entity
  readonly attributes: Attributes
  readonly choose: (path: string) => void
}

export function AttributeTable({ entity, attributes, choose }: AttributeTableProps) {
  const { kind, object } = entity
  const { contents } = useViewer()
  const more = object.attributeCount - attributes.size
  if (attributes.size === 0)
    return (
      <>
        <p className="note">The {kind} has no attributes.</p>
        <EditPart>{({ AddAttribute }) => <AddAttribute entity={entity} />}</EditPart>
      </>
    )
  const addressOf = (name: string) => {
    const parameters = { id: object.id, name, domain: contents.domain.pathOf(object.id) }
    return contents.client.url(`GET /${kind}s/{id}/attributes/{name}/value`, parameters)
  }
  return (
    <>
      <table aria-label="Attributes" className="facts attributes">
        <tbody>
          {[...attributes.values()].map(attribute => (
            <tr key={attribute.name}>
              <th scope="row">{attribute.name}</th>
              <td>
                <AttributeValue attribute={attribute} address={addressOf(attribute.name)} choose={choose} />
              </td>
              <td className="attribute-type">{typeText(attribute)}</td>
              <EditPart>
                {({ AttributeButtons }) => <AttributeButtons entity={entity} attribute={attribute} />}
              </EditPart>
            </tr>
          ))}
        </tbody>
      </table>
      <EditPart>{({ AddAttribute }) => <AddAttribute entity={entity} />}</EditPart>
      {more > 0 ? <p className="note">{more.toLocaleString('en')} more attributes are not shown.</p> : null}
    </>
  )
}

function typeText({ type, shape, reason, data }: Attribute): string {
  if (data === undefined && shape === undefined && reason !== undefined) return ''
  const text = formatDatatype(type)
  return shape === undefined || shape.length === 0 ? text : `${formatShape(shape)} of ${text}`
}

interface AttributeValueProps {
  readonly attribute: Attribute
  readonly address: string
  readonly choose: (path: string) => void
}

function AttributeValue({ attribute, address, choose }: AttributeValueProps) {
  const form = attributeForm(attribute)
  switch (form.kind) {
    case 'nothing':
      return (
        <span className="target">
          {form.reason}{' '}
          {attribute.data === undefined && attribute.shape ? (
            <a href={address} target="_blank" rel="nofollow noreferrer">
              Open it
            </a>
          ) : null}
        </span>
      )
    case 'text':
      return form.text === '' ? <span className="target">empty</span> : <LongValue text={form.text} />
    case 'list':
      return (
        <>
          {form.text}
          {form.count > form.shown ? (
            <span className="target"> the first of {form.count.toLocaleString('en')}</span>
          ) : null}
        </>
      )
    case 'references':
      return (
        <>
          {form.ids.map((object, i) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one object may be there twice
            <Reference key={i} object={object} choose={choose} />
          ))}
          {form.count > form.ids.length ? (
            <span className="target">… {form.count.toLocaleString('en')} in all</span>
          ) : null}
        </>
      )
  }
}

/** JSON and XML come in lines; as they are stored on demand. */
function LongValue({ text }: { readonly text: string }) {
  const [isRaw, setRaw] = useState(false)
  const { text: lines, form } = longText(text)
  if (form === undefined) return <span className="attribute-text">{text}</span>
  return (
    <>
      <pre className="attribute-text">{isRaw ? text : lines}</pre>
      <button type="button" onClick={() => setRaw(!isRaw)}>
        {isRaw ? `Show the ${form} in lines` : 'Show as stored'}
      </button>
    </>
  )
}
