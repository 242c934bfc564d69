// The tools of a plot, drawn: each kind of tool has one form for all plots. Those that are used less often are behind a
// button.

import type { ReactNode } from 'react'
import { Icon } from '../../../common/Icon.tsx'
import { Popup } from '../../../common/Popup.tsx'
import { Choice } from '../../Choice.tsx'
import { ColourMapTool } from './ColourMapTool.tsx'
import { RangeTool } from './RangeTool.tsx'
import type { Change, Tool, ToolOf } from './tools.ts'

type Apply = (change: Change) => void

export function toolNodes(tools: readonly Tool[], change: Apply): ReactNode {
  const more = tools.findIndex(({ kind }) => kind === 'more')
  const draw = (some: readonly Tool[]) =>
    some.map(tool => <ToolControl key={tool.key} tool={tool} change={change} />)
  if (more === -1) return draw(tools)
  const others = draw(tools.slice(more + 1))
  return (
    <>
      {draw(tools.slice(0, more))}
      {others.length > 0 ? (
        <Popup label="More tools" title="More tools" className="quiet" face={<Icon name="more" />}>
          <div className="more-tools">{others}</div>
        </Popup>
      ) : null}
    </>
  )
}

function ToolControl({ tool, change }: { readonly tool: Tool; readonly change: Apply }) {
  switch (tool.kind) {
    case 'more':
      return null
    case 'choice':
      return <Choice {...tool} choose={value => change(tool.choose(value))} />
    case 'toggle':
      return (
        <label className="tool">
          <input type="checkbox" checked={tool.isOn} onChange={() => change(tool.toggled)} />
          {tool.colour === undefined ? null : <span style={{ color: tool.colour }}>■</span>}
          {tool.label}
        </label>
      )
    case 'press':
      return (
        <button
          type="button"
          aria-label={tool.label}
          aria-pressed={tool.isOn}
          title={`${tool.label}: ${tool.title}`}
          disabled={tool.toggled === undefined}
          onClick={() => change(tool.toggled ?? {})}
        >
          <Icon name={tool.icon} />
          <span className="wider">{tool.label}</span>
        </button>
      )
    case 'range':
      return <RangeTool {...tool} change={range => change(tool.put(range))} />
    case 'number':
      return <NumberField tool={tool} change={change} />
    case 'colours':
      return (
        <ColourMapTool
          {...tool}
          choose={value => change(tool.choose(value))}
          invert={tool.inverted && (() => change(tool.inverted ?? {}))}
        />
      )
  }
}

interface NumberFieldProps {
  readonly tool: ToolOf<'number'>
  readonly change: Apply
}

function NumberField({ tool, change }: NumberFieldProps) {
  return (
    <label className="tool">
      {tool.label}{' '}
      <input
        type="number"
        min={0.1}
        step={0.1}
        value={tool.value}
        onChange={event => {
          const next = tool.put(event.target.valueAsNumber)
          if (next) change(next)
        }}
      />
    </label>
  )
}
