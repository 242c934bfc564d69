// The choice of the part of complex numbers that is drawn.

import { Choice } from '../Choice.tsx'
import type { View } from '../view-address.ts'
import type { ComplexPart } from './numbers.ts'

export interface ComplexPartChoiceProps {
  readonly part: ComplexPart
  readonly change: (choices: Partial<View>) => void
  /** The phases of a line can go on where they would jump, those of an image can have the amplitude as brightness. */
  readonly isLine?: boolean
}

export function ComplexPartChoice({ part, change, isLine = false }: ComplexPartChoiceProps) {
  return (
    <Choice
      label="Part"
      value={part}
      options={[
        ['amplitude', 'Amplitude'],
        ['phase', 'Phase'],
        isLine ? ['unwrapped', 'Phase, unwrapped'] : ['phase-amplitude', 'Phase and amplitude'],
        ['real', 'Real'],
        ['imaginary', 'Imaginary'],
      ]}
      choose={next => change({ part: next === 'amplitude' ? undefined : next, range: undefined })}
    />
  )
}
