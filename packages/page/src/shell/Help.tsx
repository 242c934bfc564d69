// Help: the keys, and the way to the guide and to the description of the API. The key `?` opens it, `/` searches.

import { useEffect, useRef, useState } from 'react'
import { Dialog } from '../common/Dialog.tsx'
import { Icon } from '../common/Icon.tsx'
import { isShortcut } from '../common/shortcut.ts'

const KEYS: readonly (readonly [keys: readonly string[], meaning: string])[] = [
  [['/'], 'Search or filter what is shown'],
  [['?'], 'Open this help'],
  [['Esc'], 'Close a dialog or a menu, leave a search, or end a measurement'],
  [['↑', '↓'], 'Go to another entry of a folder, a tree or a search, or to another slice of a slider'],
  [['Enter'], 'Open the entry'],
  [['Space'], 'Select the entry of a folder'],
  [['Ctrl', 'Z'], 'Undo the last change of the data that was made here'],
  [['U'], 'Go to the folder above'],
  [[',', '.'], 'Go to the frame of a stack before or after'],
  [['P'], 'Play the frames, or stop'],
  [['F'], 'Show a drawing on the full screen, or leave it'],
  [['R'], 'Let the colours of an image span the slice without outliers, all of it, or both sides of 0'],
  [['B'], 'Show the other one of two images, one at a time'],
]

export function Help() {
  const [isOpen, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (!isShortcut(event)) return
      if (event.key === '?') setOpen(true)
      else if (event.key === '/') {
        const field = document.querySelector<HTMLElement>('main input[type=search]')
        if (field === null) return
        event.preventDefault()
        field.focus()
      }
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
  return (
    <>
      <a className="wide" href="docs/guide">
        Guide
      </a>
      <a className="wide" href="docs">
        API
      </a>
      <button ref={button} type="button" className="quiet" aria-label="Help" onClick={() => setOpen(true)}>
        <Icon name="help" />
      </button>
      {isOpen ? (
        <Dialog title="Help" near={button.current ?? undefined} close={() => setOpen(false)}>
          <h3>Keys</h3>
          <table className="keys">
            <tbody>
              {KEYS.map(([keys, meaning]) => (
                <tr key={meaning}>
                  <th scope="row">
                    {keys.map(key => (
                      <kbd key={key}>{key}</kbd>
                    ))}
                  </th>
                  <td>{meaning}</td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="links">
            <a href="docs/guide/browsing">How to use this page</a>
            <a href="docs/guide">The guide</a>
            <a href="docs">The API</a>
            <a href="docs/errors">Error codes</a>
          </p>
        </Dialog>
      ) : null}
    </>
  )
}
