// The tool that chooses the axis of a line: a dataset beside it with as many elements, or any by its path.

import { useId, useState } from 'react'
import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import { axisCandidates } from '../../data/axis-candidates.ts'
import { childPath, parentPath } from '../../data/contents.ts'
import { NO_MARK, type View } from '../../view-address.ts'
import { useLoaded, useViewer } from '../../viewer-context.ts'

interface AxisToolProps {
  /** The path of the dataset that is drawn. */
  readonly path: string
  readonly length: number
  /** The path of the axis; undefined: that of the file. */
  readonly axis: string | undefined
  readonly change: (choices: Partial<View>) => void
}

export function AxisTool({ axis, change, ...drawn }: AxisToolProps) {
  const face = (
    <>
      <Icon name="axis" />
      <span className="wider">X axis</span>
    </>
  )
  return (
    <Popup label="X axis" title="Choose the dataset of the X axis" face={face}>
      {/* A zoom and a mark mean nothing on another axis. */}
      <AxisForm {...drawn} axis={axis} put={next => change({ ...NO_MARK, zoom: undefined, axis: next })} />
    </Popup>
  )
}

interface AxisFormProps extends Omit<AxisToolProps, 'change'> {
  readonly put: (axis: string | undefined) => void
}

function AxisForm({ path, length, axis, put }: AxisFormProps) {
  const { contents } = useViewer()
  const [text, setText] = useState(axis ?? '')
  const id = useId()
  const { value: paths = [] } = useLoaded(
    () => axisCandidates(contents, path, length),
    [JSON.stringify([path, length]), contents],
  )
  return (
    <form
      className="axis-form"
      onSubmit={event => {
        event.preventDefault()
        const name = text.trim()
        put(name === '' ? undefined : name.startsWith('/') ? name : childPath(parentPath(path), name))
      }}
    >
      <label>
        Dataset with {length.toLocaleString('en')} elements
        <input
          list={id}
          value={text}
          placeholder="As the file says"
          onChange={event => setText(event.target.value)}
        />
      </label>
      <datalist id={id}>
        {paths.map(one => (
          <option key={one}>{one}</option>
        ))}
      </datalist>
      <button type="submit">Use</button>{' '}
      <button
        type="button"
        disabled={axis === undefined}
        onClick={() => {
          setText('')
          put(undefined)
        }}
      >
        As the file says
      </button>
    </form>
  )
}
