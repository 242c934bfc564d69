// The tools of all plots, in one table: what each shows of a plot, and how it changes the view in the address. A plot
// has the names of its tools in their order (`toolsOf`), and its settings; what is usual is not in the address.

import type { IconName } from '../../../common/Icon.tsx'
import { CHOICES, type ValueScale, type View } from '../../view-address.ts'
import type { MarkKind, markButtons } from '../measure/marks.ts'
import { PALETTE } from '../models/palette.ts'
import type { Histogram } from './range.ts'

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
  readonly histogram?: Histogram | undefined
  /** The signals, by their names in the file, and their names for people. */
  readonly signals?: Options
  /** The curves of a line, by their names, with their colours. */
  readonly curves?: readonly { readonly label: string; readonly colour: string }[]
  readonly isLine?: boolean
  /** What can be measured. */
  readonly marks?: ReturnType<typeof markButtons>
}

export type Options<Value extends string = string> = readonly (readonly [value: Value, name: string])[]
export type Change = Partial<View>
type LinearScale = Exclude<ValueScale, 'gamma'>

export interface Colours {
  /** The name of a colour map. */
  readonly value: string
  readonly isInverted: boolean
}

interface ToolKinds {
  /** The tools after it are used less often: they are behind a button. */
  readonly more: object
  readonly choice: {
    readonly label: string
    /** The values say what they are. */
    readonly isClear?: boolean
    readonly value: string
    readonly options: Options
    readonly choose: (value: string) => Change
  }
  readonly toggle: {
    readonly label: string
    readonly isOn: boolean
    readonly toggled: Change
    /** Of the curve that it shows or hides. */
    readonly colour?: string
  }
  /** A button that stays pressed. */
  readonly press: {
    readonly label: string
    readonly icon: IconName
    readonly title: string
    readonly isOn: boolean
    /** Undefined: not yet. */
    readonly toggled: Change | undefined
  }
  readonly number: {
    readonly label: string
    readonly value: number
    /** Undefined: the number is not one of the setting. */
    readonly put: (value: number) => Change | undefined
  }
  readonly colours: Colours & {
    readonly choose: (value: string) => Change
    readonly hasPalette: boolean
    /** Undefined: the colours have no other direction. */
    readonly inverted: Change | undefined
  }
  readonly range: {
    readonly range: View['range']
    readonly dataDomain: [number, number]
    readonly scale: LinearScale
    readonly histogram: Histogram | undefined
    /** The colours of the numbers; undefined: they have none. */
    readonly colours: Colours | undefined
    readonly put: (range: View['range']) => Change
  }
}

export type ToolOf<Kind extends keyof ToolKinds> = {
  readonly kind: Kind
  readonly key: string
} & ToolKinds[Kind]

/** A tool as it is drawn. */
export type Tool = { [Kind in keyof ToolKinds]: ToolOf<Kind> }[keyof ToolKinds]

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
    return clear(choice(state, key, 'part', 'Part', options, NO_RANGE))
  },
  order: (state, key) => clear(choice(state, key, 'order', 'Colours')),
  range: ({ settings, range, dataDomain, histogram }, key) =>
    dataDomain && {
      kind: 'range',
      key,
      range,
      dataDomain,
      scale: linearOf(settings.scale?.value),
      histogram,
      colours: coloursOf(settings),
      put: range => ({ range }),
    },
  span: (state, key) => {
    const options = optionsOf('span').filter(([span]) => !state.isLine || span === 'all' || span === 'seen')
    const tool = clear(choice(state, key, 'span', state.isLine ? 'Y range' : 'Range', options, NO_RANGE))
    // Another choice ends that of the user's own range.
    return tool && state.range
      ? { ...tool, value: OWN_RANGE, options: [[OWN_RANGE, 'Own'], ...options] }
      : tool
  },
  colours: (state, key) => {
    const colours = coloursOf(state.settings)
    return (
      colours && {
        kind: 'colours',
        key,
        ...colours,
        choose: value => settingChange(state, 'colours', value),
        hasPalette: state.settings.colours?.usual === PALETTE,
        inverted:
          colours.value === PALETTE ? undefined : settingChange(state, 'isInverted', !colours.isInverted),
      }
    )
  },
  colourScale: (state, key) => {
    const options = optionsOf('scale', state.settings.gamma ? COLOUR_SCALES : PLAIN_SCALES)
    return clear(choice(state, key, 'scale', 'Scale', options))
  },
  gamma: ({ settings: { scale, gamma } }, key) =>
    scale?.value === 'gamma'
      ? {
          kind: 'number',
          key,
          label: 'Exponent',
          value: gamma?.value ?? 1,
          put: gamma => (gamma > 0 ? { gamma } : undefined),
        }
      : undefined,
  // A zoom means nothing on another axis.
  xScale: (state, key) =>
    choice(state, key, 'xScale', 'X', optionsOf('scale', AXIS_SCALES), { zoom: undefined }),
  yScale: (state, key) => choice(state, key, 'scale', 'Y', optionsOf('scale', AXIS_SCALES)),
  reduction: (state, key) => choice(state, key, 'reduction', 'Points are the'),
  // A zoom is a part of one plane.
  projection: (state, key) => choice(state, key, 'projection', 'Map', undefined, { zoom: undefined }),
  errors: (state, key) => toggle(state, key, 'hasErrors', 'Errors', [false, true]),
  curves: (state, key) => curveTools(state, key),
  curve: (state, key) => choice(state, key, 'curve', 'Curve'),
  // Its numbers are other ones: those of the points, or how many there are.
  points: (state, key) =>
    clear(choice(state, key, 'curve', 'Drawn as', optionsOf('curve', ['points', 'density']), NO_RANGE)),
  ratio: (state, key) => toggle(state, key, 'ratio', 'Keep ratio', ['auto', 'equal']),
  flipX: (state, key) => flip(state, key, 'x'),
  flipY: (state, key) => flip(state, key, 'y'),
  grid: (state, key) => toggle(state, key, 'hasGrid', 'Grid', [false, true]),
  notation: (state, key) => choice(state, key, 'notation', 'Notation'),
  profile: (state, key) => press(state, key, 'profile', 'Profile', 'numbers along a line that you drag'),
  box: (state, key) => press(state, key, 'box', 'Box', 'sum, mean and more of a box that you drag'),
  interval: (state, key) =>
    press(state, key, 'interval', 'Interval', 'sum, mean, integral and more of a part that you drag'),
} as const satisfies Readonly<Record<string, MakeTools>>

/** `…`: the tools after it are used less often. */
export type ToolName = keyof typeof TOOLS | '…'

export function toolsOf(names: readonly ToolName[], state: ToolState): readonly Tool[] {
  return names.flatMap(name => {
    if (name === '…') return { kind: 'more' as const, key: name }
    const make: MakeTools = TOOLS[name]
    return make(state, name) ?? []
  })
}

const AXIS_SCALES: readonly ValueScale[] = ['linear', 'log', 'symlog']
const PLAIN_SCALES: readonly ValueScale[] = [...AXIS_SCALES, 'sqrt']
const COLOUR_SCALES: readonly ValueScale[] = [...PLAIN_SCALES, 'gamma']

/** A choice of the range that is none of the span: the ends are in the address. */
const OWN_RANGE = 'own'
const NO_RANGE: Change = { range: undefined }

/** Ranges have no place for the scale `gamma`: the values are those of the linear one. */
export function linearOf(scale: View['scale'] = 'linear'): LinearScale {
  return scale === 'gamma' ? 'linear' : scale
}

function coloursOf({ colours, isInverted }: Settings): Colours | undefined {
  return colours && { value: colours.value, isInverted: isInverted?.value ?? false }
}

function optionsOf(key: keyof typeof CHOICES, values?: readonly string[]): Options {
  return Object.entries(CHOICES[key]).filter(([value]) => values?.includes(value) ?? true)
}

function choice(
  state: ToolState,
  key: string,
  field: keyof typeof CHOICES | 'xScale' | 'signal',
  label: string,
  options: Options = field === 'signal' || field === 'xScale' ? [] : optionsOf(field),
  also: Change = {},
): ToolOf<'choice'> | undefined {
  const value = state.settings[field]?.value
  if (value === undefined) return undefined
  // The values of the options are those of the field.
  const choose = (value: string) => ({ ...settingChange(state, field, value as never), ...also })
  return { kind: 'choice', key, label, value, options, choose }
}

function clear(tool: ToolOf<'choice'> | undefined): ToolOf<'choice'> | undefined {
  return tool && { ...tool, isClear: true }
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

function press({ marks }: ToolState, key: string, kind: MarkKind, label: string, title: string) {
  const button = marks?.[kind]
  return button && { kind: 'press' as const, key, label, icon: kind, title, ...button }
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
    const isOn = !hidden.includes(label)
    const names = isOn ? [...hidden, label] : hidden.filter(name => name !== label)
    const toggled = { hidden: names.length === 0 ? undefined : names }
    return { kind: 'toggle', key: `${key} ${label}`, label, colour, isOn, toggled }
  })
}
