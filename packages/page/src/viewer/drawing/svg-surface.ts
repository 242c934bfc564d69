// A surface whose picture is SVG: lines and letters stay what they are at any size, and pictures are images in it.

import type { Size } from './frame.ts'
import type { Surface } from './surface.ts'

export interface SvgHelp {
  readonly measureText: (font: string, text: string) => number
  /** The address of a part of an image. */
  readonly addressOf: (
    image: CanvasImageSource,
    x: number,
    y: number,
    width: number,
    height: number,
  ) => string
}

const STATE = {
  strokeStyle: '#000',
  fillStyle: '#000',
  lineWidth: 1,
  lineJoin: 'miter' as const,
  globalAlpha: 1,
  font: '10px sans-serif',
  textAlign: 'left',
  textBaseline: 'alphabetic',
  imageSmoothingEnabled: true,
  transform: '',
  clipPath: '',
}

const ANCHORS: Readonly<Record<string, string>> = { center: 'middle', right: 'end' }
const BASELINES: Readonly<Record<string, string>> = { middle: 'central', top: 'hanging' }

export class SvgSurface {
  readonly #help: SvgHelp
  readonly #saved: (typeof STATE)[] = []
  readonly #elements: string[] = []
  readonly #state = { ...STATE }
  #path = ''
  #clips = 0
  /** The surface as the painter takes it: its settings are those of the state. */
  readonly surface: Surface

  constructor(help: SvgHelp) {
    this.#help = help
    const state = this.#state
    // It has all methods of a surface, and the state has all settings.
    this.surface = new Proxy(state, {
      get: (_, name: string) => (name in state ? state[name as 'font'] : this.#methods[name as 'save']),
    }) as unknown as Surface
  }

  textOf({ width, height }: Size): string {
    const size = `width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"`
    const ground = '<rect width="100%" height="100%" fill="#fff"/>'
    return `<svg xmlns="http://www.w3.org/2000/svg" ${size}>${ground}${this.#elements.join('')}</svg>\n`
  }

  readonly #methods = {
    save: () => this.#saved.push({ ...this.#state }),
    restore: () => Object.assign(this.#state, this.#saved.pop()),
    translate: (x: number, y: number) => this.#transform(`translate(${round(x)} ${round(y)})`),
    rotate: (angle: number) => this.#transform(`rotate(${round((angle * 180) / Math.PI)})`),
    scale: (x: number, y: number) => this.#transform(`scale(${x} ${y})`),
    beginPath: () => {
      this.#path = ''
    },
    moveTo: (x: number, y: number) => this.#extend(`M${round(x)} ${round(y)}`),
    lineTo: (x: number, y: number) => this.#extend(`L${round(x)} ${round(y)}`),
    rect: (x: number, y: number, width: number, height: number) =>
      this.#extend(`M${round(x)} ${round(y)}h${round(width)}v${round(height)}h${round(-width)}z`),
    /** Whole circles only. */
    arc: (x: number, y: number, radius: number) => {
      const half = `a${round(radius)} ${round(radius)} 0 0 1`
      this.#extend(
        `M${round(x - radius)} ${round(y)}${half} ${round(2 * radius)} 0${half} ${round(-2 * radius)} 0`,
      )
    },
    clip: () => {
      const id = `clip${++this.#clips}`
      const { transform } = this.#state
      this.#elements.push(
        `<clipPath id="${id}"><path d="${this.#path}"${attribute({ transform })}/></clipPath>`,
      )
      this.#state.clipPath = `url(#${id})`
    },
    stroke: () => {
      const { strokeStyle: stroke, lineWidth, lineJoin } = this.#state
      const line = { stroke, fill: 'none', 'stroke-width': lineWidth, 'stroke-linejoin': lineJoin }
      if (this.#path !== '') this.#add('path', { d: this.#path, ...line })
    },
    fill: () => this.#add('path', { d: this.#path, fill: this.#state.fillStyle }),
    clearRect: () => undefined,
    fillRect: (x: number, y: number, width: number, height: number) =>
      this.#add('rect', {
        x: round(x),
        y: round(y),
        width: round(width),
        height: round(height),
        fill: this.#state.fillStyle,
      }),
    fillText: (text: string, x: number, y: number) => {
      const { font, fillStyle: fill, textAlign, textBaseline } = this.#state
      const anchors = {
        'text-anchor': ANCHORS[textAlign],
        'dominant-baseline': BASELINES[textBaseline],
      }
      if (text !== '')
        this.#add(
          'text',
          { x: round(x), y: round(y), fill, style: `font: ${font}`, ...anchors },
          escaped(text),
        )
    },
    measureText: (text: string) => ({ width: this.#help.measureText(this.#state.font, text) }),
    drawImage: (image: CanvasImageSource, ...[x, y, w, h, left, top, width, height]: Nine) =>
      this.#add('image', {
        href: this.#help.addressOf(image, x, y, w, h),
        ...{ x: round(left), y: round(top), width: round(width), height: round(height) },
        preserveAspectRatio: 'none',
        style: this.#state.imageSmoothingEnabled ? undefined : 'image-rendering: pixelated',
      }),
  }

  #transform(step: string): void {
    this.#state.transform = `${this.#state.transform} ${step}`.trim()
  }

  #extend(part: string): void {
    this.#path += part
  }

  /** What is clipped is in a group: a clip of its own would move with it. */
  #add(name: string, attributes: Attributes, content = ''): void {
    const { transform, clipPath, globalAlpha } = this.#state
    const all = { ...attributes, transform, opacity: globalAlpha === 1 ? undefined : globalAlpha }
    const element = `<${name}${attribute(all)}>${content}</${name}>`
    this.#elements.push(clipPath === '' ? element : `<g clip-path="${clipPath}">${element}</g>`)
  }
}

type Nine = [number, number, number, number, number, number, number, number]
type Attributes = Readonly<Record<string, string | number | undefined>>

function attribute(attributes: Attributes): string {
  return Object.entries(attributes)
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ` ${name}="${escaped(String(value))}"`)
    .join('')
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, letter => `&#${letter.charCodeAt(0)};`)
}

function round(length: number): number {
  return Math.round(length * 100) / 100
}
