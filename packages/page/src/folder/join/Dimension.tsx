// The fields for the dimension along which files are joined: one that they have, or a new one, of which each of them is
// one coordinate.

import { useId } from 'react'
import { NameList } from '../../account/AccessTable.tsx'
import { Field } from './Field.tsx'
import type { Fault, JoinFields } from './model.ts'

interface DimensionProps {
  readonly fields: JoinFields
  /** The dimensions of the files. */
  readonly names: readonly string[]
  readonly change: (parts: Partial<JoinFields>) => void
  readonly faultAt: (field: Fault['field']) => string | undefined
}

export function Dimension({ fields, names, change, faultAt }: DimensionProps) {
  const list = useId()
  const choice = useId()
  const { isNew } = fields
  const text = (name: 'along' | 'coordinate' | 'datasets') => ({
    value: fields[name],
    onChange: ({ target }: { readonly target: HTMLInputElement }) => change({ [name]: target.value }),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <>
      <Field label="Along the dimension" message={faultAt('along')}>
        {field => <input {...field} {...text('along')} required list={isNew ? undefined : list} />}
      </Field>
      <NameList id={list} names={names} />
      <fieldset className="choices">
        <legend className="hidden">The dimension is</legend>
        {[false, true].map(one => (
          <label key={String(one)}>
            <input
              type="radio"
              name={choice}
              checked={isNew === one}
              onChange={() => change({ isNew: one })}
            />
            {one ? 'a new one: a coordinate for each file' : 'one of the files'}
          </label>
        ))}
      </fieldset>
      {isNew ? (
        <>
          <Field
            label="Coordinate of a file: run_{n:d}.h5 of its name, or /entry@start, an attribute"
            message={faultAt('coordinate')}
          >
            {field => <input {...field} {...text('coordinate')} placeholder="Its number, from 0" />}
          </Field>
          <Field label="Datasets that get the dimension" message={faultAt('datasets')}>
            {field => <input {...field} {...text('datasets')} placeholder="All" />}
          </Field>
        </>
      ) : null}
    </>
  )
}
