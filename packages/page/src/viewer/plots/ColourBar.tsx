// The bar of colours beside an image: the values at its ends and at ticks, and what they are.

import type { CSSProperties } from 'react'
import { type ColourBarProps, partsOfBar } from './figure/colour-bar.ts'
import { useFigureBar } from './figure/figure.ts'

/** Colours between which CSS mixes. */
const STOPS = 33

export function ColourBar(props: ColourBarProps) {
  const { label, isCut, isEmpty = false } = props
  const { least, most, ticks, colourAt, isOne } = partsOfBar(props)
  const gradient = gradientOf(colourAt, isOne)
  useFigureBar(props)
  const longest = Math.max(...ticks.map(({ text }) => text.length))
  // The label is behind the longest number.
  const style = { '--number': `${longest}ch`, ...(isEmpty && { visibility: 'hidden' }) } as CSSProperties
  return (
    <figure className="colour-bar" style={style}>
      <p title={isCut.high ? 'More has this colour too.' : `Max: ${most}`}>{most}</p>
      <div className="colours" style={{ backgroundImage: gradient }} data-keep-colors>
        {ticks.map(({ text, place }) => (
          <span key={place} className="colour-tick" style={{ bottom: `${100 * place}%` }}>
            {text}
          </span>
        ))}
      </div>
      <p title={isCut.low ? 'Less has this colour too.' : `Min: ${least}`}>{least}</p>
      <figcaption title={label}>{label}</figcaption>
    </figure>
  )
}

/** The colours from the least to the greatest place, as CSS has them; two of them, if there is one value. */
function gradientOf(colourAt: (place: number) => string, isOne: boolean): string {
  const [first, last] = [colourAt(0), colourAt(1)]
  const stops = isOne
    ? [first, `${first} 50%`, `${last} 50%`, last]
    : Array.from({ length: STOPS }, (_, i) => colourAt(i / (STOPS - 1)))
  return `linear-gradient(to top, ${stops.join(', ')})`
}
