import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { formatView, parseView, type View } from './view-address.ts'

describe('the view in an address', () => {
  test.each<readonly [string, View]>([
    ['', {}],
    ['tab=image&slice=3%2Cy%2Cx', { tab: 'image', slice: [3, 'y', 'x'] }],
    ['slice=y%2Cx%2C%3A', { slice: ['y', 'x', ':'] }],
    ['range=0%2C5.5', { range: [0, 5.5] }],
    ['range=%2C-1e-7', { range: [null, -1e-7] }],
    [
      'colours=Viridis&inverted=1&scale=gamma&gamma=0.4',
      { colours: 'Viridis', isInverted: true, scale: 'gamma', gamma: 0.4 },
    ],
    ['zoom=10%2C20', { zoom: { x: [10, 20] } }],
    ['zoom=10%2C20%2C-3%2C4.5', { zoom: { x: [10, 20], y: [-3, 4.5] } }],
    ['profile=1.5%2C2%2C-3%2C2', { profile: [1.5, 2, -3, 2] }],
    ['box=0%2C0%2C0%2C5', { box: [0, 0, 0, 5] }],
    ['beside=%5B%22%2Fa%22%5D&pair=blink', { beside: ['/a'], pair: 'blink' }],
    ['axis=%2Fentry%2Fenergy', { axis: '/entry/energy' }],
    ['with=%5B%5B%22%2Fa%22%5D%5D', { compared: [['/a']] }],
    ['with=%5B%5B%22%2Fa%22%2C%22%2Fx%2Fb.h5%22%5D%5D', { compared: [['/a', '/x/b.h5']] }],
    ['interval=0.5%2C1e-7', { interval: [0.5, 1e-7] }],
    ['hidden=%5B%22a%2Cb%22%5D', { hidden: ['a,b'] }],
    ['flip=none&grid=0&follow=1', { flip: 'none', hasGrid: false, isFollowed: true }],
    ['follow=1&last=100', { isFollowed: true, last: 100 }],
  ])('%s', (query, view) => {
    expect(parseView(query)).toEqual(view)
    expect(formatView(view)).toBe(query)
  })

  test.each([
    'slice=-1,x',
    'slice=x,x',
    'slice=1.5',
    'slice=a',
    'slice=9999999999999999',
    'range=1',
    'range=,',
    'range=a,b',
    'range=1,2,3',
    'range=NaN,Infinity',
    'zoom=1',
    'zoom=1,1',
    'zoom=1,2,3',
    'zoom=,2',
    'profile=1,2,3',
    'box=1,2,3,',
    'interval=1',
    'with=["/a"]',
    'beside="/a"',
    'beside=[1]',
    'pair=none',
    'with=[[]]',
    'with=[["/a","/b","/c"]]',
    'scale=cubic',
    'gamma=-1',
    'gamma=0',
    'grid=yes',
    'hidden=[1]',
    'hidden=[',
    'flip=z',
    'tab=',
    'unknown=1',
  ])('leaves out %s, as the viewer chooses', query => {
    expect(parseView(query)).toEqual({})
  })

  test('is the same after it was written and read', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true })
    const span = fc.tuple(number, number).filter(([from, to]) => from !== to)
    const view = fc.record(
      {
        tab: fc.string({ minLength: 1 }),
        slice: fc.array(fc.nat(), { minLength: 1 }).map(indices => [...indices, 'y' as const, 'x' as const]),
        range: fc.tuple(number, fc.constant(null)),
        zoom: fc.record({ x: span, y: span }),
        hidden: fc.array(fc.string()),
        signal: fc.string({ minLength: 1, unit: 'grapheme' }),
        hasErrors: fc.boolean(),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(view, given => {
        const read = parseView(formatView(given))
        // Text has one zero.
        expect(JSON.stringify(read)).toBe(JSON.stringify(parseView(formatView(read))))
        expect({ ...read, range: undefined, zoom: undefined }).toEqual({
          ...given,
          range: undefined,
          zoom: undefined,
        })
        if (given.zoom) expect(read.zoom?.x[0]).toBe(given.zoom.x[0] + 0)
      }),
    )
  })
})
