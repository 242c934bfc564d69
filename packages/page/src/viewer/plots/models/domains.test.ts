import { expect, test } from 'vitest'
import { formatView, parseView, type View } from '../../view-address.ts'
import { toolsOf } from '../tools/tools.ts'
import { colourSettings } from './domains.ts'
import { lineOf, lineSettings } from './line.ts'
import { newPlot } from './test-plots.ts'

/** The choice of a scale by its tool, and what the address says then. */
function chosen(
  name: 'colourScale' | 'yScale' | 'xScale',
  scale: string,
  settingsOf: (view: View) => object,
) {
  const [tool] = toolsOf([name], { settings: settingsOf({}) })
  if (tool?.kind !== 'choice') throw new Error('the tool chooses a scale')
  const view = parseView(formatView(tool.choose(scale)))
  const [after] = toolsOf([name], { settings: settingsOf(view) })
  return { address: formatView(view), shown: after?.kind === 'choice' && after.value }
}

test.each([
  ['log', 'linear', 'scale=linear'],
  ['log', 'log', ''],
  ['log', 'symlog', 'scale=symlog'],
  [undefined, 'linear', ''],
  [undefined, 'log', 'scale=log'],
] as const)('where the file says %s, the choice of %s stays over a reload', (ofFile, scale, address) => {
  expect(chosen('colourScale', scale, view => colourSettings(view, ofFile))).toEqual({
    address,
    shown: scale,
  })
  const plot = newPlot({ shape: [4] }, { scale: ofFile, axisScales: [ofFile] })
  const ofLine = (view: View) => lineSettings(lineOf(plot, view), view)
  expect(chosen('yScale', scale, ofLine)).toEqual({ address, shown: scale })
  expect(chosen('xScale', scale, ofLine)).toEqual({
    address: address.replace('scale', 'xscale'),
    shown: scale,
  })
})
