// The tools that every drawing has: files of its numbers, the full screen, and what the pointer does.

import type { RefObject } from 'react'
import { save } from '../../../common/download.ts'
import { Icon } from '../../../common/Icon.tsx'
import { Menu } from '../../../common/Menu.tsx'
import { Popup } from '../../../common/Popup.tsx'
import { useShortcut } from '../../../common/shortcut.ts'
import type { ExportEntry } from '../../data/exports.ts'

const INTERACTIONS = [
  ['Drag', 'Pan'],
  ['Wheel', 'Zoom'],
  ['Ctrl+Drag', 'Zoom to a part'],
  ['Alt+Wheel', 'Zoom in x'],
  ['Shift+Wheel', 'Zoom in y'],
  ['Ctrl+Alt+Drag', 'Zoom to a part of x'],
  ['Ctrl+Shift+Drag', 'Zoom to a part of y'],
  ['F', 'Full screen'],
] as const

export interface FrameToolsProps {
  readonly frame: RefObject<HTMLElement>
  readonly exports: readonly ExportEntry[]
  readonly isSlice: boolean
  readonly hasCanvas: boolean
}

export function FrameTools({ frame, exports, isSlice, hasCanvas }: FrameToolsProps) {
  return (
    <div className="frame-tools">
      {exports.length > 0 ? (
        <Menu
          label="Export"
          note={isSlice ? 'The slice that is shown' : undefined}
          items={exports.map(({ format, address }) => ({
            text: `Export to ${format.toUpperCase()}`,
            // A link has the cookie of the session, and streams.
            act: () => save(address),
          }))}
        >
          <Icon name="download" />
          <span className="wide">Export</span>
        </Menu>
      ) : null}
      <FullScreen frame={frame} />
      {hasCanvas ? (
        <Popup label="What the pointer does" className="quiet" face={<Icon name="help" />}>
          <table className="keys">
            <tbody>
              {INTERACTIONS.map(([keys, meaning]) => (
                <tr key={keys}>
                  <th scope="row">
                    <kbd>{keys}</kbd>
                  </th>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </Popup>
      ) : null}
    </div>
  )
}

/** The Escape key leaves it, as browsers have it. */
function FullScreen({ frame }: Pick<FrameToolsProps, 'frame'>) {
  const toggle = () =>
    void (document.fullscreenElement ? document.exitFullscreen() : frame.current?.requestFullscreen())
  useShortcut('f', toggle)
  if (!document.fullscreenEnabled) return null
  return (
    <button type="button" className="quiet" aria-label="Full screen" title="Full screen (F)" onClick={toggle}>
      <Icon name="fullscreen" />
    </button>
  )
}
