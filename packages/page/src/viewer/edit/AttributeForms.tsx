// The forms of attributes: a new one, and another value for one that is there, whose type stays.

import { formatDatatype, formatShape } from '@hyperslab/client/elements'
import { useState } from 'react'
import { Alert } from '../../common/Alert.tsx'
import { DialogButtons } from '../../common/Dialog.tsx'
import { messageOf } from '../../common/errors.ts'
import { useAction } from '../../common/use-action.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { setAttribute } from './actions.ts'
import {
  attributeOfState,
  attributeText,
  isLong,
  NEW_TYPES,
  type NewType,
  newState,
  obstacleOf,
  stateOfText,
} from './attribute-text.ts'
import { choicesOf } from './elements.ts'
import { type AttributeOwner, type AttributeState, attributePlace, ChangedMeanwhile } from './places.ts'
import { type FormParts, StateForm, ValueField } from './StateForm.tsx'

interface AttributeFormProps extends FormParts {
  readonly owner: AttributeOwner
  readonly name: string
}

export function AttributeForm({ owner, name, ...parts }: AttributeFormProps) {
  const { contents } = useViewer()
  const { value: state, error } = useLoaded(async () => {
    const { state } = await attributePlace(contents, owner, name).read()
    if (state === undefined) throw new ChangedMeanwhile(undefined)
    return state
  }, [contents, owner, name])
  if (error !== undefined) return <Alert message={messageOf(error)} />
  if (state === undefined) return <p className="note">Loading …</p>
  const attribute = attributeOfState(name, state)
  const obstacle = attribute && obstacleOf(attribute)
  if (attribute?.shape === undefined || obstacle !== undefined) return <Alert message={obstacle} />
  const { type, shape } = attribute
  const textOf = (state: AttributeState) => attributeText(attributeOfState(name, state) ?? attribute)
  return (
    <StateForm
      {...parts}
      label={`Value, ${shape.length === 0 ? '' : `${formatShape(shape)} of `}${formatDatatype(type)}`}
      hint={shape.length === 0 ? undefined : 'One in each line.'}
      state={state}
      textOf={textOf}
      stateOf={(text, seen) => stateOfText(seen, text)}
      save={(from, to) => setAttribute(contents, owner, name, from, to)}
      isLong={isLong(type, shape)}
      choices={shape.length === 0 ? choicesOf(type) : undefined}
    />
  )
}

const TYPE_NAMES: Readonly<Record<NewType, string>> = {
  text: 'Text',
  integer: 'Whole number (int64)',
  float: 'Number (float64)',
}

export function NewAttributeForm({ owner, edits, close }: FormParts & { readonly owner: AttributeOwner }) {
  const { contents } = useViewer()
  const [type, setType] = useState<NewType>('text')
  const [isList, setList] = useState(false)
  const [{ isRunning, error }, run] = useAction()
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        const form = new FormData(event.currentTarget)
        const name = String(form.get('name'))
        const text = String(form.get('value')).replaceAll('\r\n', '\n')
        void run(async () => {
          const state = stateOfText(newState(type, isList), text)
          edits.done(await setAttribute(contents, owner, name, undefined, state).catch(taken))
          close()
        })
      }}
    >
      <label>
        Name <input name="name" required autoComplete="off" />
      </label>
      <label>
        Type{' '}
        <select value={type} onChange={event => setType(event.target.value as NewType)}>
          {Object.keys(NEW_TYPES).map(name => (
            <option key={name} value={name}>
              {TYPE_NAMES[name as NewType]}
            </option>
          ))}
        </select>
      </label>
      <label className="check">
        <input type="checkbox" checked={isList} onChange={event => setList(event.target.checked)} /> A list,
        one in each line
      </label>
      <ValueField label="Value" text="" isLong error={error} />
      <DialogButtons cancel={close} submit="Add" isRunning={isRunning} />
    </form>
  )
}

function taken(error: unknown): never {
  if (error instanceof ChangedMeanwhile) throw new Error('There is an attribute of this name already.')
  throw error
}
