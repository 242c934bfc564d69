// The choice of an index of a dimension that is not drawn, by its coordinate: `time = 2000-01-16`.

import { useEffect, useId, useState } from 'react'
import { messageOf } from '../common/errors.ts'
import type { Axis } from './meaning/axes.ts'

export interface AxisSliderProps {
  readonly axis: Axis
  readonly index: number
  readonly onChange: (index: number) => void
}

export function AxisSlider({ axis, index, onChange }: AxisSliderProps) {
  const id = useId()
  const text = useCoordinate(axis, index)
  const isIndex = axis.source === undefined
  const move = (value: number) => {
    if (Number.isInteger(value)) onChange(Math.max(0, Math.min(axis.length - 1, value)))
  }
  return (
    <div className="axis-slider">
      <label htmlFor={id} title={axis.label}>
        {axis.name}
      </label>
      {/* An index is in the field. */}
      {isIndex ? null : <output htmlFor={id}>= {text}</output>}
      <input
        id={id}
        type="range"
        min={0}
        max={Math.max(0, axis.length - 1)}
        value={index}
        aria-valuetext={text}
        onChange={event => move(event.target.valueAsNumber)}
      />
      <input
        type="number"
        min={0}
        max={Math.max(0, axis.length - 1)}
        value={index}
        aria-label={`Index of ${axis.name}`}
        title={isIndex ? undefined : `Element ${index} of ${axis.length}`}
        onChange={event => move(event.target.valueAsNumber)}
      />
    </div>
  )
}

/** The coordinate at an index, as it is written; the former one while a new one is loaded. */
export function useCoordinate({ coordinates }: Axis, index: number): string {
  const [text, setText] = useState('')
  useEffect(() => {
    let isCurrent = true
    const show = (text: string) => {
      if (isCurrent) setText(text)
    }
    coordinates.text(index).then(show, (reason: unknown) => show(`${index} (${messageOf(reason)})`))
    return () => {
      isCurrent = false
    }
  }, [coordinates, index])
  return text
}
