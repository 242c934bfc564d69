// The tools of all plots, in one table: what each shows of a plot, and how it changes the view in the address. A plot
// has the names of its tools in their order (`toolsOf`), and its settings; what is usual is not in the address.

import type { HistogramParams } from '@h5web/lib'
import { CHOICES, type ValueScale, type View } from '../../view-address.ts'
import { PALETTE } from '../models/palette.ts'

/** The value that a plot has now, and the one that it has without an address; undefined: it depends on the data. */
export interface Setting<Value> {
  readonly value: Value
  readonly usual: Value | undefined
}

/** The settings that a plot has. */
export type Settings = { readonly [Key in keyof View]?: Setting<NonNullable<View[Key]>> | undefined }

export interface ToolState {
  readonly settings: Settings
  /** The range that the user has chosen. */
  readonly range?: View['range']
  /** The range of the data, for the slider. */
  readonly dataDomain?: [number, number]
  readonly histogram?: HistogramParams | undefined
  /** The signals, by their names in the file, and their names for people. */
  readonly signals?: Options
  /** The curves of a line, by their names, with their colours. */
  readonly curves?: readonly { readonly label: string; readonly colour: string }[]
  readonly isLine?: boolean
}

export type Options<Value extends string = string> = readonly (readonly [value: Value, name: string])[]
export type Change = Partial<View>
type LinearScale = Exclude<ValueScale, 'gamma'>

interface ToolKinds {
  readonly separator: object
  readonly choice: {
    readonly label: string
    readonly value: string
    readonly options: Options
    readonly choose: (value: string) => Change
  }
  readonly toggle: { readonly label: string; readonly isOn: boolean; readonly toggled: Change }
  readonly scale: {
    readonly label?: string
    readonly value: LinearScale
    readonly options: readonly LinearScale[]
    readonly choose: (value: LinearScale) => Change
  }
  readonly number: {
    readonly label: string
    readonly value: number
    /** Undefined: the number is not one of the setting. */
    readonly put: (value: number) => Change | undefined
  }
  readonly colours: {
    readonly value: string
    readonly choose: (value: string) => Change
    readonly hasPalette: boolean
    readonly isInverted: boolean
    /** Undefined: the colours have no other direction. */
    readonly inverted: Change | undefined
  }
  readonly range: {
    readonly range: View['range']
    readonly dataDomain: [number, number]
    readonly scale: LinearScale
    readonly histogram: HistogramParams | undefined
    readonly put: (range: View['range']) => Change
  }
  readonly curve: {
    readonly label: string
    readonly colour: string
    readonly isShown: boolean
    readonly toggled: Change
  }
  readonly notation: {
    readonly value: NonNullable<View['notation']>
    readonly choose: (value: NonNullable<View['notation']>) => Change
  }
}

/** A tool as it is drawn. */
export type Tool = {
  [Kind in keyof ToolKinds]: { readonly kind: Kind; readonly key: string } & ToolKinds[Kind]
}[keyof ToolKinds]

/** The change of the view to another value of a setting. */
export function settingChange<Key extends keyof View>(
  { settings }: Pick<ToolState, 'settings'>,
  key: Key,
  value: NonNullable<View[Key]>,
): Change {
  return { [key]: value === settings[key]?.usual ? undefined : value }
}

/** One or several tools of a plot; none: the plot has no such setting. */
type MakeTools = (state: ToolState, key: string) => Tool | readonly Tool[] | undefined

export const TOOLS = {
  signal: (state, key) =>
    (state.signals?.length ?? 0) > 1
      ? choice(state, key, 'signal', 'Signal', state.signals ?? [])
      : undefined,
  part: (state, key) => {
    const options = optionsOf('part').filter(
      ([part]) => part !== (state.isLine ? 'phase-amplitude' : 'unwrapped'),
    )
    // Another part has other values.
    return choice(state, key, 'part', 'Part', options, { range: undefined })
  },
  order: (state, key) => choice(state, key, 'order', 'Colours'),
  range: ({ settings, range, dataDomain, histogram }, key) =>
    dataDomain && {
      kind: 'range',
      key,
      range,
      dataDomain,
      scale: linearOf(settings.scale?.value),
      histogram,
      put: range => ({ range }),
    },
  span: (state, key) => {
    const options = optionsOf('span').filter(([span]) => !state.isLine || span === 'all' || span === 'seen')
    return choice(state, key, 'span', state.isLine ? 'Y spans' : 'Colours span', options)
  },
  colours: (state, key) => {
    const { colours, isInverted } = state.settings
    return (
      colours && {
        kind: 'colours',
        key,
        value: colours.value,
        choose: value => settingChange(state, 'colours', value),
        hasPalette: colours.usual === PALETTE,
        isInverted: isInverted?.value ?? false,
        inverted:
          colours.value === PALETTE ? undefined : settingChange(state, 'isInverted', !isInverted?.value),
      }
    )
  },
  colourScale: (state, key) =>
    state.settings.scale?.value === 'gamma'
      ? {
          kind: 'number',
          key: 'gamma',
          label: 'gamma',
          value: state.settings.gamma?.value ?? 1,
          put: gamma => (gamma > 0 ? { gamma } : undefined),
        }
      : scale(state, key, 'scale', COLOUR_SCALES),
  isGamma: (state, key) => {
    const isOn = state.settings.scale?.value === 'gamma'
    const toggled = settingChange(state, 'scale', isOn ? 'linear' : 'gamma')
    return { kind: 'toggle', key, label: 'Gamma', isOn, toggled }
  },
  // A zoom means nothing on another axis.
  xScale: (state, key) => scale(state, key, 'xScale', AXIS_SCALES, 'X', { zoom: undefined }),
  yScale: (state, key) => scale(state, key, 'scale', AXIS_SCALES, 'Y'),
  reduction: (state, key) => choice(state, key, 'reduction', 'Points are the'),
  errors: (state, key) => toggle(state, key, 'hasErrors', 'Errors', [false, true]),
  curves: (state, key) => curveTools(state, key),
  curve: (state, key) => choice(state, key, 'curve', 'Curve'),
  ratio: (state, key) => toggle(state, key, 'ratio', 'Keep ratio', ['auto', 'equal']),
  flipX: (state, key) => flip(state, key, 'x'),
  flipY: (state, key) => flip(state, key, 'y'),
  grid: (state, key) => toggle(state, key, 'hasGrid', 'Grid', [false, true]),
  notation: (state, key) =>
    state.settings.notation && {
      kind: 'notation',
      key,
      value: state.settings.notation.value,
      choose: value => settingChange(state, 'notation', value),
    },
} as const satisfies Readonly<Record<string, MakeTools>>

/** `|`: a line between groups of tools. */
export type ToolName = keyof typeof TOOLS | '|'

export function toolsOf(names: readonly ToolName[], state: ToolState): readonly Tool[] {
  return names.flatMap((name, i) => {
    if (name === '|') return { kind: 'separator' as const, key: `separator ${i}` }
    const make: MakeTools = TOOLS[name]
    return make(state, name) ?? []
  })
}

const COLOUR_SCALES: readonly LinearScale[] = ['linear', 'log', 'symlog', 'sqrt']
const AXIS_SCALES: readonly LinearScale[] = ['linear', 'log', 'symlog']

/** Sliders have no place for the scale `gamma`: the values are those of the linear one. */
export function linearOf(scale: View['scale'] = 'linear'): LinearScale {
  return scale === 'gamma' ? 'linear' : scale
}

function optionsOf(key: keyof typeof CHOICES): Options {
  return Object.entries(CHOICES[key])
}

function choice(
  state: ToolState,
  key: string,
  field: keyof typeof CHOICES | 'signal',
  label: string,
  options: Options = field === 'signal' ? [] : optionsOf(field),
  also: Change = {},
): Tool | undefined {
  const value = state.settings[field]?.value
  if (value === undefined) return undefined
  // The values of the options are those of the field.
  const choose = (value: string) => ({ ...settingChange(state, field, value as never), ...also })
  return { kind: 'choice', key, label, value, options, choose }
}

function toggle<Key extends 'hasErrors' | 'hasGrid' | 'ratio'>(
  state: ToolState,
  key: string,
  field: Key,
  label: string,
  [off, on]: readonly [off: NonNullable<View[Key]>, on: NonNullable<View[Key]>],
): Tool | undefined {
  const value = state.settings[field]?.value
  if (value === undefined) return undefined
  const isOn = value === on
  return { kind: 'toggle', key, label, isOn, toggled: settingChange(state, field, isOn ? off : on) }
}

function scale(
  state: ToolState,
  key: string,
  field: 'scale' | 'xScale',
  options: readonly LinearScale[],
  label?: string,
  also: Change = {},
): Tool {
  const choose = (value: LinearScale) => ({ ...settingChange(state, field, value as never), ...also })
  const value = linearOf(state.settings[field]?.value)
  return { kind: 'scale', key, value, options, choose, ...(label !== undefined && { label }) }
}

function flip(state: ToolState, key: string, axis: 'x' | 'y'): Tool {
  const flipped = state.settings.flip?.value ?? 'none'
  const isOn = flipped.includes(axis)
  const next = (['x', 'y'] as const).filter(one => flipped.includes(one) !== (one === axis)).join('')
  const toggled = settingChange(state, 'flip', (next || 'none') as NonNullable<View['flip']>)
  return { kind: 'toggle', key, label: `Flip ${axis.toUpperCase()}`, isOn, toggled }
}

/** One for each curve, if there are several. */
function curveTools({ curves = [], settings }: ToolState, key: string): readonly Tool[] {
  if (curves.length < 2) return []
  const hidden = settings.hidden?.value ?? []
  return curves.map(({ label, colour }) => {
    const isShown = !hidden.includes(label)
    const names = isShown ? [...hidden, label] : hidden.filter(name => name !== label)
    const toggled = { hidden: names.length === 0 ? undefined : names }
    return { kind: 'curve', key: `${key} ${label}`, label, colour, isShown, toggled }
  })
}
