import { expect, test } from 'vitest'
import { SvgSurface } from './svg-surface.ts'

function newSvg() {
  const svg = new SvgSurface({
    measureText: (_, text) => 6 * text.length,
    addressOf: (_, ...part) => part.join(),
  })
  return { surface: svg.surface, text: () => svg.textOf({ width: 40, height: 30 }) }
}

test('a line has its colour, and what is saved comes back', () => {
  const { surface, text } = newSvg()
  surface.save()
  surface.strokeStyle = 'red'
  surface.lineWidth = 2
  surface.restore()
  surface.beginPath()
  surface.moveTo(0.5, 1)
  surface.lineTo(10.123, 1)
  surface.stroke()
  expect(text()).toContain(
    '<path d="M0.5 1L10.12 1" stroke="#000" fill="none" stroke-width="1" stroke-linejoin="miter"></path>',
  )
})

test('what is clipped, moved and turned stays where it is', () => {
  const { surface, text } = newSvg()
  surface.translate(5, 6)
  surface.beginPath()
  surface.rect(0, 0, 10, 20)
  surface.clip()
  surface.rotate(-Math.PI / 2)
  surface.globalAlpha = 0.5
  surface.fillStyle = 'blue'
  surface.fillRect(1, 2, 3, 4)
  expect(text()).toContain(
    '<clipPath id="clip1"><path d="M0 0h10v20h-10z" transform="translate(5 6)"/></clipPath>',
  )
  expect(text()).toContain(
    '<g clip-path="url(#clip1)"><rect x="1" y="2" width="3" height="4" fill="blue" transform="translate(5 6) rotate(-90)" opacity="0.5"></rect></g>',
  )
})

test('letters are letters, whatever they are, and pictures have their points', () => {
  const { surface, text } = newSvg()
  surface.textAlign = 'right'
  surface.font = '12px "A"'
  expect(surface.measureText('abc').width).toBe(18)
  surface.fillText('<b> & "c"', 1, 2)
  surface.imageSmoothingEnabled = false
  surface.drawImage({} as never, 1, 2, 3, 4, 5, 6, 7, 8)
  expect(text()).toContain(
    '<text x="1" y="2" fill="#000" style="font: 12px &#34;A&#34;" text-anchor="end">&#60;b&#62; &#38; &#34;c&#34;</text>',
  )
  expect(text()).toContain(
    '<image href="1,2,3,4" x="5" y="6" width="7" height="8" preserveAspectRatio="none" style="image-rendering: pixelated"></image>',
  )
})
