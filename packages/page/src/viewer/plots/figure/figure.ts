// What a figure is made of, as it is on the screen: the drawing, one that is compared with it, and the bar of their
// colours. They say it to the frame around them, which paints it again for a file or a printer.

import { createContext, useContext, useLayoutEffect } from 'react'
import type { Camera, Size } from '../../drawing/frame.ts'
import type { Scene } from '../../drawing/scene.ts'
import type { ColourBarProps } from './colour-bar.ts'

export interface FigureDrawing {
  /** With its title, which is not on the screen. */
  readonly scene: Scene
  readonly size: Size | undefined
  readonly camera: Camera
  readonly isSquare: boolean
}

/** Its parts change with each drawing, and nothing is drawn anew because of that. */
export interface Figure {
  drawing: FigureDrawing | undefined
  /** On the right of the drawing. */
  second: FigureDrawing | undefined
  bar: ColourBarProps | undefined
}

export const FigureContext = createContext<Figure | undefined>(undefined)

/** The place of the drawings in it. */
export const FigurePlaceContext = createContext<'drawing' | 'second'>('drawing')

export function useFigureDrawing(drawing: FigureDrawing): void {
  useFigurePart(useContext(FigurePlaceContext), drawing)
}

export function useFigureBar(bar: ColourBarProps): void {
  useFigurePart('bar', bar)
}

function useFigurePart<Key extends keyof Figure>(key: Key, part: Figure[Key]): void {
  const figure = useContext(FigureContext)
  useLayoutEffect(() => {
    if (figure === undefined) return undefined
    figure[key] = part
    return () => {
      figure[key] = undefined
    }
  })
}
