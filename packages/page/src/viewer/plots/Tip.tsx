// The text at the pointer: the place of a point or an element, and its value.

interface TipProps {
  /** `lat = 30, lon = 20`. */
  readonly place: string
  /** The name of the value. */
  readonly label?: string
  readonly value: string
}

export function Tip({ place, label, value }: TipProps) {
  return (
    <>
      {place}
      <div>
        {label === undefined ? '' : `${label} = `}
        <strong>{value}</strong>
      </div>
    </>
  )
}
