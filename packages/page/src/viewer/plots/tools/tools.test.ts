import { describe, expect, test } from 'vitest'
import type { View } from '../../view-address.ts'
import { type Settings, type Tool, type ToolName, type ToolState, toolsOf } from './tools.ts'

function tool(name: ToolName, settings: Settings, more: Partial<ToolState> = {}): Tool | undefined {
  return toolsOf([name], { settings, ...more })[0]
}

describe('a tool', () => {
  test.each<readonly [ToolName, Settings, View]>([
    ['grid', { hasGrid: { value: true, usual: true } }, { hasGrid: false }],
    ['grid', { hasGrid: { value: false, usual: true } }, { hasGrid: undefined }],
    ['grid', { hasGrid: { value: false, usual: false } }, { hasGrid: true }],
    ['ratio', { ratio: { value: 'equal', usual: undefined } }, { ratio: 'auto' }],
    ['ratio', { ratio: { value: 'equal', usual: 'auto' } }, { ratio: undefined }],
    ['errors', { hasErrors: { value: true, usual: true } }, { hasErrors: false }],
    ['flipX', { flip: { value: 'y', usual: undefined } }, { flip: 'xy' }],
    ['flipY', { flip: { value: 'y', usual: undefined } }, { flip: 'none' }],
    ['flipX', { flip: { value: 'xy', usual: 'y' } }, { flip: undefined }],
  ])('%s with %j changes the view to %j', (name, settings, view) => {
    const found = tool(name, settings)
    expect(found?.kind === 'toggle' && found.toggled).toEqual(view)
  })

  test.each<readonly [ToolName, Settings, string, View]>([
    [
      'part',
      { part: { value: 'phase', usual: 'amplitude' } },
      'amplitude',
      { part: undefined, range: undefined },
    ],
    ['part', { part: { value: 'phase', usual: 'amplitude' } }, 'real', { part: 'real', range: undefined }],
    ['span', { span: { value: 'seen', usual: 'all' } }, 'all', { span: undefined }],
    ['span', { span: { value: 'seen', usual: undefined } }, 'all', { span: 'all' }],
    ['reduction', { reduction: { value: 'mean', usual: 'mean' } }, 'max', { reduction: 'max' }],
    ['order', { order: { value: 'bgr', usual: 'rgb' } }, 'rgb', { order: undefined }],
    ['curve', { curve: { value: 'line', usual: 'line' } }, 'both', { curve: 'both' }],
    ['xScale', { xScale: { value: 'linear', usual: 'linear' } }, 'log', { xScale: 'log', zoom: undefined }],
    ['yScale', { scale: { value: 'log', usual: 'linear' } }, 'linear', { scale: undefined }],
    ['colourScale', { scale: { value: 'log', usual: 'linear' } }, 'gamma', { scale: 'gamma' }],
    ['colourScale', { scale: { value: 'gamma', usual: 'linear' } }, 'linear', { scale: undefined }],
    ['notation', { notation: { value: 'auto', usual: 'auto' } }, 'exact', { notation: 'exact' }],
  ])('%s with %j, at the choice of %s, changes the view to %j', (name, settings, value, view) => {
    const found = tool(name, settings)
    const choose = found && 'choose' in found ? found.choose : undefined
    expect(choose?.(value as never)).toEqual(view)
  })

  test('is absent where the plot has no such setting', () => {
    const names: readonly ToolName[] = [
      'signal',
      'part',
      'span',
      'reduction',
      'errors',
      'curves',
      'range',
      'grid',
    ]
    expect(toolsOf(names, { settings: {} })).toEqual([])
  })

  test('of curves hides and shows each, if there are several', () => {
    const curves = [
      { label: 'a', colour: 'red' },
      { label: 'b', colour: 'blue' },
    ]
    const tools = toolsOf(['curves'], { settings: { hidden: { value: ['b'], usual: undefined } }, curves })
    expect(tools.map(found => found.kind === 'toggle' && [found.colour, found.isOn, found.toggled])).toEqual([
      ['red', true, { hidden: ['b', 'a'] }],
      ['blue', false, { hidden: undefined }],
    ])
    expect(toolsOf(['curves'], { settings: {}, curves: curves.slice(1) })).toEqual([])
  })

  test('of the scales has each scale that the plot has a place for', () => {
    const scale = { value: 'linear', usual: 'linear' } as const
    const scalesOf = (name: ToolName, settings: Settings) => {
      const found = tool(name, settings)
      return found?.kind === 'choice' ? found.options.map(([value]) => value) : undefined
    }
    const plain = ['linear', 'log', 'symlog', 'sqrt']
    expect(scalesOf('yScale', { scale })).toEqual(plain.slice(0, 3))
    expect(scalesOf('colourScale', { scale })).toEqual(plain)
    expect(scalesOf('colourScale', { scale, gamma: { value: 1, usual: 1 } })).toEqual([...plain, 'gamma'])
  })

  test("of the span says that the range is the user's own, which another choice ends", () => {
    const settings: Settings = { span: { value: 'auto', usual: 'auto' } }
    const found = tool('span', settings, { range: [0, null] })
    expect(found).toMatchObject({ kind: 'choice', value: 'own' })
    const choose = found?.kind === 'choice' ? found.choose : undefined
    expect(Object.entries(choose?.('auto') ?? {})).toEqual([
      ['span', undefined],
      ['range', undefined],
    ])
    expect(tool('span', settings)).toMatchObject({ value: 'auto' })
  })

  test('of the exponent is there where the scale has one, and takes no number up to 0', () => {
    const settings: Settings = {
      scale: { value: 'gamma', usual: 'linear' },
      gamma: { value: 0.5, usual: undefined },
    }
    const found = tool('gamma', settings)
    expect(found).toMatchObject({ kind: 'number', value: 0.5 })
    expect(found?.kind === 'number' && [found.put(2), found.put(0), found.put(Number.NaN)]).toEqual([
      { gamma: 2 },
      undefined,
      undefined,
    ])
  })
})
