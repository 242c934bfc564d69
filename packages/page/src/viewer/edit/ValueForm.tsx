// The form that changes one element of a dataset, or one value in it, as it is stored.

import type { Datatype } from '@hyperslab/client'
import { formatDatatype } from '@hyperslab/client/elements'
import { useMemo } from 'react'
import { Alert } from '../../common/Alert.tsx'
import { messageOf } from '../../common/errors.ts'
import { useLoaded, useViewer } from '../viewer-context.ts'
import { setValue } from './actions.ts'
import { bytesOfText, choicesOf, textOfBytes } from './elements.ts'
import { type ValueTarget, valuePlace } from './places.ts'
import { type FormParts, StateForm } from './StateForm.tsx'

interface ValueFormProps extends FormParts {
  readonly target: ValueTarget
  /** Its place, for people. */
  readonly name: string
  readonly type: Datatype
}

export function ValueForm({ target, name, type, edits, close }: ValueFormProps) {
  const { contents } = useViewer()
  const place = useMemo(() => valuePlace(contents, target), [contents, target])
  const { value: bytes, error } = useLoaded(async () => (await place.read()).state, [place])
  if (error !== undefined) return <Alert message={messageOf(error)} />
  if (bytes === undefined) return <p className="note">Loading …</p>
  return (
    <StateForm
      edits={edits}
      close={close}
      label={`Stored value, ${formatDatatype(type)}`}
      state={bytes}
      textOf={state => textOfBytes(type, state)}
      stateOf={text => bytesOfText(type, text)}
      save={(from, to) => setValue(contents, target, name, from, to)}
      isLong={type.class === 'H5T_STRING'}
      choices={choicesOf(type)}
    />
  )
}
