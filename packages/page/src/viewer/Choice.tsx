// A choice among a few named values, in the tools of a drawing.

export interface ChoiceProps<Value extends string> {
  readonly label: string
  /** The values say what they are: the label is for readers of the screen and at the pointer. */
  readonly isClear?: boolean
  readonly value: Value
  readonly options: readonly (readonly [value: Value, name: string])[]
  readonly choose: (value: Value) => void
}

export function Choice<Value extends string>({ label, isClear, value, options, choose }: ChoiceProps<Value>) {
  return (
    <label className="tool">
      {isClear ? null : `${label} `}
      <select
        {...(isClear && { 'aria-label': label, title: label })}
        value={value}
        onChange={event => choose(event.target.value as Value)}
      >
        {options.map(([one, name]) => (
          <option key={one} value={one}>
            {name}
          </option>
        ))}
      </select>
    </label>
  )
}
