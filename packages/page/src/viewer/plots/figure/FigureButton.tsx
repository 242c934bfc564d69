// The button that makes a figure of a drawing: a dialog with its picture, to save, copy or print. Printing the page
// prints the figure too.

import { useContext, useEffect, useRef, useState } from 'react'
import { Alert } from '../../../common/Alert.tsx'
import { Dialog } from '../../../common/Dialog.tsx'
import { save } from '../../../common/download.ts'
import { Icon } from '../../../common/Icon.tsx'
import { useAction } from '../../../common/use-action.ts'
import { type Figure, FigureContext } from './figure.ts'
import { canvasOfFigure, pngOfFigure, svgOfFigure } from './picture.ts'

/** Pixels of the picture for one of the screen. */
const RESOLUTIONS = [
  ['1', 'as on the screen'],
  ['2', '2 ×'],
  ['3.125', '300 dpi'],
] as const

export function FigureButton() {
  const figure = useContext(FigureContext)
  const [button, setButton] = useState<Element>()
  usePrintedFigure(figure)
  if (figure === undefined) return null
  return (
    <>
      <button
        type="button"
        aria-label="Figure"
        title="Figure"
        onClick={({ currentTarget }) => setButton(currentTarget)}
      >
        <Icon name="picture" />
        <span className="wide">Figure</span>
      </button>
      {button ? <FigureDialog figure={figure} near={button} close={() => setButton(undefined)} /> : null}
    </>
  )
}

interface FigureDialogProps {
  readonly figure: Figure
  readonly near: Element
  readonly close: () => void
}

function FigureDialog({ figure, near, close }: FigureDialogProps) {
  const [ratio, setRatio] = useState<string>('2')
  const [done, setDone] = useState('')
  const [{ error, isRunning }, run] = useAction()
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const canvas = canvasOfFigure(figure, 2)
    if (canvas) place.current?.replaceChildren(canvas)
  }, [figure])
  const saveAs = async (kind: 'png' | 'svg') => {
    const blob = kind === 'svg' ? svgOfFigure(figure) : await pngOfFigure(figure, Number(ratio))
    const address = URL.createObjectURL(blob)
    save(address, `${figure.drawing?.scene.title.replace(/[/\\:*?"<>|]+/g, '_') || 'figure'}.${kind}`)
    URL.revokeObjectURL(address)
  }
  const copy = async () => {
    // Safari takes a promise only while it handles the click.
    const png = pngOfFigure(figure, Number(ratio))
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': png })])
    setDone('Copied')
  }
  return (
    <Dialog title="Figure" near={near} close={close}>
      <div className="figure-picture" ref={place} />
      <label>
        Resolution of PNG
        <select value={ratio} onChange={event => setRatio(event.target.value)}>
          {RESOLUTIONS.map(([value, name]) => (
            <option key={value} value={value}>
              {name}
            </option>
          ))}
        </select>
      </label>
      {error === undefined ? null : <Alert message={error} />}
      <div className="buttons">
        <button type="button" onClick={() => window.print()}>
          Print
        </button>
        {/* Browsers have it for pages of https and of this machine only. */}
        {typeof ClipboardItem === 'undefined' ? null : (
          <button type="button" disabled={isRunning} onClick={() => void run(copy)}>
            {done || 'Copy'}
          </button>
        )}
        <button type="button" disabled={isRunning} onClick={() => void run(() => saveAs('svg'))}>
          Save SVG
        </button>
        <button
          type="button"
          className="primary"
          disabled={isRunning}
          onClick={() => void run(() => saveAs('png'))}
        >
          Save PNG
        </button>
      </div>
    </Dialog>
  )
}

/** While the page is printed, the figure is in the place of all else, as sharp as printers are. */
function usePrintedFigure(figure: Figure | undefined): void {
  useEffect(() => {
    let canvas: HTMLCanvasElement | undefined
    const end = () => canvas?.remove()
    const begin = () => {
      canvas = figure && canvasOfFigure(figure, 3)
      if (canvas === undefined) return
      canvas.className = 'printed'
      document.body.append(canvas)
    }
    window.addEventListener('beforeprint', begin)
    window.addEventListener('afterprint', end)
    return () => {
      window.removeEventListener('beforeprint', begin)
      window.removeEventListener('afterprint', end)
      end()
    }
  }, [figure])
}
