import { expect, test } from 'vitest'
import { COLOUR_MAPS, type ColourMap, coloursOf } from './colour-maps.ts'

const OF_NUMBERS = Object.keys(COLOUR_MAPS['Single hue']) as ColourMap[]

test.each<ColourMap>([...OF_NUMBERS, 'Viridis', 'Inferno', 'Magma', 'Plasma', 'Cubehelix', 'Cividis'])(
  'the colours of %s grow lighter',
  map => {
    const colours = coloursOf(map, 255)
    const lightness = Array.from({ length: 255 }, (_, i) => {
      const [r = 0, g = 0, b = 0] = colours.subarray(3 * i, 3 * i + 3)
      return 0.3 * r + 0.59 * g + 0.11 * b
    })
    const [first = 0, last = 0] = [lightness[0], lightness.at(-1)]
    expect([first < 100, last > 180]).toEqual([true, true])
    expect(lightness.every((each, i) => i === 0 || each > (lightness[i - 1] ?? 0) - 1)).toBe(true)
  },
)

test('the first and the last colour are the ends of a map', () => {
  expect([...coloursOf('Gray', 2)]).toEqual([0, 0, 0, 255, 255, 255])
  expect([...coloursOf('Viridis', 3)]).toEqual([0x44, 1, 0x54, 0x21, 0x91, 0x8c, 0xfd, 0xe7, 0x25])
})
