// The view of an object in the address of the page: which of its views is shown, which elements, and how they are
// drawn. What an address does not say, or says wrongly, is as the viewer would choose it. `parseView(formatView(view))`
// is the same view.

/** The use of a dimension: its index, an axis of the drawing, or neither (the colours of an image). */
export type DimensionUse = number | 'x' | 'y' | ':'

export type Span = readonly [from: number, to: number]

/** Two points of an image, as its axes count: the ends of a line, or opposite corners of a box. */
export type Ends = readonly [x0: number, y0: number, x1: number, y1: number]

/** Another dataset that is drawn too: its path, and that of its file where that is another one. */
export type Reference = readonly [path: string, file?: string]

/** Values of the view that have names for people, in the order of their menus: a new one is a line here. */
export const CHOICES = {
  /** The elements that the range is taken from. A line has no outliers to leave out, and no middle. */
  span: {
    auto: 'Auto',
    all: 'All',
    symmetric: 'Symmetric',
    seen: 'In sight',
  },
  /** Symlog goes through 0. Only colours have a square root and an exponent of their own. */
  scale: { linear: 'Linear', log: 'Log', symlog: 'Symlog', sqrt: 'Square root', gamma: 'Gamma' },
  notation: { auto: 'Auto', scientific: 'Scientific', exact: 'Exact' },
  /** The way in which many elements become one point of an image: reductions of the API. */
  reduction: { mean: 'Mean', max: 'Maximum', min: 'Minimum', first: 'First' },
  /** How the elements of a line are drawn, and the points of a scatter plot. */
  curve: { line: 'Line', points: 'Points', both: 'Both', density: 'Density' },
  part: {
    amplitude: 'Amplitude',
    phase: 'Phase',
    unwrapped: 'Phase, unwrapped',
    'phase-amplitude': 'Phase and amplitude',
    real: 'Real',
    imaginary: 'Imaginary',
  },
  order: { rgb: 'RGB', bgr: 'BGR' },
  /** The way in which a map is drawn. */
  projection: { plane: 'Flat', north: 'North pole', south: 'South pole' },
  /** How two images are compared. */
  pair: { beside: 'Side by side', difference: 'Difference', blink: 'One at a time' },
} as const

type Chosen = { readonly [Key in keyof typeof CHOICES]?: keyof (typeof CHOICES)[Key] | undefined }
export type Reduction = keyof (typeof CHOICES)['reduction']
export type ValueScale = keyof (typeof CHOICES)['scale']
export type AxisScale = Exclude<ValueScale, 'sqrt' | 'gamma'>

export interface View extends Chosen {
  /** The name of the view. */
  readonly tab?: string | undefined
  readonly slice?: readonly DimensionUse[] | undefined
  /** The values at both ends of the colours, or of the axis of a line; null: as the values need. */
  readonly range?: readonly [number | null, number | null] | undefined
  readonly colours?: string | undefined
  readonly isInverted?: boolean | undefined
  /** The exponent of the scale `gamma`. */
  readonly gamma?: number | undefined
  readonly xScale?: AxisScale | undefined
  /** The part in sight, as the axes count it. Of an image also in y. */
  readonly zoom?: { readonly x: Span; readonly y?: Span | undefined } | undefined
  readonly flip?: 'x' | 'y' | 'xy' | 'none' | undefined
  readonly hasGrid?: boolean | undefined
  /** Whether the points of an image are squares. */
  readonly ratio?: 'equal' | 'auto' | undefined
  readonly hasErrors?: boolean | undefined
  /** The names of curves that are not drawn. */
  readonly hidden?: readonly string[] | undefined
  /** The name of the auxiliary signal that an image shows. */
  readonly signal?: string | undefined
  /** The end of a dataset that grows stays in sight. */
  readonly isFollowed?: boolean | undefined
  /** The number of elements at the end that are in sight, while it is followed; undefined: as the zoom says. */
  readonly last?: number | undefined
  /** The path of the dataset that is the axis of a line; undefined: as the file says. */
  readonly axis?: string | undefined
  /** Curves of other datasets in a drawing of lines. */
  readonly compared?: readonly Reference[] | undefined
  /** The image that is compared with this one. */
  readonly beside?: Reference | undefined
  /** What is measured: along a line of an image, in a box of it, or in a part of the axis of a line. At most one. */
  readonly profile?: Ends | undefined
  readonly box?: Ends | undefined
  readonly interval?: Span | undefined
  /** The index of the region reference that is shown. */
  readonly region?: number | undefined
  /** The state of a table, in its own form. */
  readonly table?: string | undefined
}

/** Nothing is measured. */
export const NO_MARK = { profile: undefined, box: undefined, interval: undefined }

interface Field<Value> {
  /** Undefined: the text is not one of the field. */
  readonly parse: (text: string) => Value | undefined
  readonly format: (value: Value) => string
}

type Fields = { readonly [K in keyof View]-?: readonly [name: string, field: Field<NonNullable<View[K]>>] }

const TEXT: Field<string> = { parse: text => text || undefined, format: value => value }
const FLAG: Field<boolean> = {
  parse: text => (text === '1' ? true : text === '0' ? false : undefined),
  format: value => (value ? '1' : '0'),
}

function oneOf<const Value extends string>(...values: readonly Value[]): Field<Value> {
  return { parse: text => values.find(value => value === text), format: value => value }
}

/** Each value of a choice is a key of its names. */
function choice<Key extends keyof Chosen>(key: Key): readonly [Key, Field<NonNullable<View[Key]>>] {
  return [key, oneOf(...(Object.keys(CHOICES[key]) as NonNullable<View[Key]>[]))]
}

const FIELDS: Fields = {
  tab: ['tab', TEXT],
  slice: ['slice', { parse: parseSlice, format: uses => uses.join(',') }],
  range: ['range', { parse: parseRange, format: range => range.map(end => end ?? '').join(',') }],
  span: choice('span'),
  colours: ['colours', TEXT],
  isInverted: ['inverted', FLAG],
  scale: choice('scale'),
  gamma: ['gamma', { parse: parsePositive, format: String }],
  xScale: ['xscale', oneOf('linear', 'log', 'symlog')],
  zoom: ['zoom', { parse: parseZoom, format: ({ x, y }) => [...x, ...(y ?? [])].join(',') }],
  flip: ['flip', oneOf('x', 'y', 'xy', 'none')],
  hasGrid: ['grid', FLAG],
  ratio: ['ratio', oneOf('equal', 'auto')],
  reduction: choice('reduction'),
  curve: choice('curve'),
  hasErrors: ['errors', FLAG],
  hidden: ['hidden', { parse: parseNames, format: names => JSON.stringify(names) }],
  signal: ['signal', TEXT],
  part: choice('part'),
  order: choice('order'),
  notation: choice('notation'),
  projection: choice('projection'),
  isFollowed: ['follow', FLAG],
  last: ['last', { parse: parseCount, format: String }],
  axis: ['axis', TEXT],
  compared: ['with', { parse: parseReferences, format: references => JSON.stringify(references) }],
  beside: ['beside', { parse: parseReference, format: reference => JSON.stringify(reference) }],
  pair: choice('pair'),
  profile: ['profile', { parse: parseEnds, format: String }],
  box: ['box', { parse: parseEnds, format: String }],
  interval: ['interval', { parse: parseInterval, format: String }],
  region: ['region', { parse: parseIndex, format: String }],
  table: ['table', TEXT],
}

export function parseView(query: string): View {
  const texts = new URLSearchParams(query)
  const entries = Object.entries(FIELDS).flatMap(([key, [name, { parse }]]) => {
    const value = parse(texts.get(name) ?? '')
    return value === undefined ? [] : [[key, value]]
  })
  // Each value was parsed by the field of its key.
  return Object.fromEntries(entries) as View
}

/** The view as a query, empty if the viewer chooses everything. */
export function formatView(view: View): string {
  const texts = new URLSearchParams()
  for (const key of Object.keys(FIELDS) as (keyof View)[]) {
    const value = view[key]
    if (value === undefined) continue
    const [name, field] = FIELDS[key]
    // The field of the key takes its values.
    texts.set(name, (field as Field<unknown>).format(value))
  }
  return texts.toString()
}

function parseSlice(text: string): readonly DimensionUse[] | undefined {
  if (text === '') return undefined
  const uses = text.split(',').map((part): DimensionUse | undefined => {
    if (part === 'x' || part === 'y' || part === ':') return part
    return parseIndex(part)
  })
  const isTwice = (axis: DimensionUse) => uses.indexOf(axis) !== uses.lastIndexOf(axis)
  return uses.every(use => use !== undefined) && !isTwice('x') && !isTwice('y') ? uses : undefined
}

/** A finite number; null: the text is empty. */
function parseEnd(text: string): number | null | undefined {
  if (text === '') return null
  const number = Number(text)
  return Number.isFinite(number) ? number : undefined
}

function parseRange(text: string): readonly [number | null, number | null] | undefined {
  const [from, to, ...others] = text.split(',').map(parseEnd)
  if (from === undefined || to === undefined || others.length > 0) return undefined
  return from === null && to === null ? undefined : [from, to]
}

function parseZoom(text: string): View['zoom'] {
  const ends = text.split(',').map(parseEnd)
  const [x0, x1, y0, y1] = ends
  if (typeof x0 !== 'number' || typeof x1 !== 'number' || x0 === x1) return undefined
  if (ends.length === 2) return { x: [x0, x1] }
  if (ends.length !== 4 || typeof y0 !== 'number' || typeof y1 !== 'number' || y0 === y1) return undefined
  return { x: [x0, x1], y: [y0, y1] }
}

/** Finite numbers, as many as they must be. */
function parseNumbers(text: string, count: number): readonly number[] | undefined {
  const ends = text.split(',').map(parseEnd)
  return ends.length === count && ends.every(end => typeof end === 'number') ? ends : undefined
}

function parseEnds(text: string): Ends | undefined {
  // It has four numbers.
  return parseNumbers(text, 4) as Ends | undefined
}

function parseInterval(text: string): Span | undefined {
  // It has two numbers.
  return parseNumbers(text, 2) as Span | undefined
}

function parsePositive(text: string): number | undefined {
  const number = Number(text)
  return Number.isFinite(number) && number > 0 ? number : undefined
}

function parseIndex(text: string): number | undefined {
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** At least two elements make a part of an axis. */
function parseCount(text: string): number | undefined {
  const count = Number(text)
  return Number.isSafeInteger(count) && count >= 2 ? count : undefined
}

function parseNames(text: string): readonly string[] | undefined {
  return parseList(text, name => typeof name === 'string')
}

/** Curves that are compared: a drawing of more says nothing. @limit safety, curves */
const MAX_COMPARED = 20

function parseReferences(text: string): readonly Reference[] | undefined {
  return parseList(text, isReference)?.slice(0, MAX_COMPARED)
}

function parseReference(text: string): Reference | undefined {
  const [reference] = parseReferences(`[${text}]`) ?? []
  return reference
}

function isReference(one: unknown): one is Reference {
  const isText = (part: unknown) => typeof part === 'string' && part !== ''
  return Array.isArray(one) && (one.length === 1 || one.length === 2) && one.every(isText)
}

/** A list in JSON, of which each member is as it must be. */
function parseList<Member>(
  text: string,
  isMember: (one: unknown) => one is Member,
): readonly Member[] | undefined {
  try {
    const list: unknown = JSON.parse(text)
    return Array.isArray(list) && list.every(isMember) ? list : undefined
  } catch {
    return undefined
  }
}
