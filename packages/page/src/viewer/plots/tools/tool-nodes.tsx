// The tools of a plot, drawn: each kind of tool has one form for all plots.

import {
  Notation,
  NotationToggleGroup,
  ScaleSelector,
  type ScaleType,
  Separator,
  ToggleBtn,
} from '@h5web/lib'
import type { ReactElement } from 'react'
import { Choice } from '../../Choice.tsx'
import { ColourMapTool } from './ColourMapTool.tsx'
import { RangeTool } from './RangeTool.tsx'
import type { Change, Tool } from './tools.ts'

type Apply = (change: Change) => void

/** One node for each tool: the toolbar measures them, and leaves out a separator at its end. */
export function toolNodes(tools: readonly Tool[], change: Apply): readonly ReactElement[] {
  return tools.map(tool =>
    tool.kind === 'separator' ? (
      <Separator key={tool.key} />
    ) : (
      <ToolControl key={tool.key} tool={tool} change={change} />
    ),
  )
}

const NOTATIONS = { auto: Notation.Auto, scientific: Notation.Scientific, exact: Notation.Exact } as const

function ToolControl({ tool, change }: { readonly tool: Tool; readonly change: Apply }) {
  switch (tool.kind) {
    case 'separator':
      return null
    case 'choice':
      return <Choice {...tool} choose={value => change(tool.choose(value))} />
    case 'toggle':
      return <ToggleBtn label={tool.label} small value={tool.isOn} onToggle={() => change(tool.toggled)} />
    case 'range':
      return (
        <RangeTool
          {...tool}
          scale={tool.scale as ScaleType.Linear}
          change={range => change(tool.put(range))}
        />
      )
    case 'number':
      return <NumberField tool={tool} change={change} />
    case 'curve':
      return <CurveBox tool={tool} change={change} />
    case 'colours':
      return (
        <ColourMapTool
          {...tool}
          choose={value => change(tool.choose(value))}
          invert={tool.inverted && (() => change(tool.inverted ?? {}))}
        />
      )
    case 'scale':
      return (
        <ScaleSelector
          {...(tool.label !== undefined && { label: tool.label })}
          value={tool.value as ScaleType}
          onScaleChange={next => change(tool.choose(next as typeof tool.value))}
          options={[...tool.options] as ScaleType[]}
        />
      )
    case 'notation':
      return (
        <NotationToggleGroup
          value={NOTATIONS[tool.value]}
          onChange={next =>
            change(
              tool.choose(next === Notation.Auto ? 'auto' : next === Notation.Exact ? 'exact' : 'scientific'),
            )
          }
        />
      )
  }
}

interface ControlProps<Kind extends Tool['kind']> {
  readonly tool: Tool & { readonly kind: Kind }
  readonly change: Apply
}

function NumberField({ tool, change }: ControlProps<'number'>) {
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

function CurveBox({ tool, change }: ControlProps<'curve'>) {
  return (
    <label className="tool curve-name">
      <input type="checkbox" checked={tool.isShown} onChange={() => change(tool.toggled)} />{' '}
      <span style={{ color: tool.colour }}>■</span> {tool.label}
    </label>
  )
}
