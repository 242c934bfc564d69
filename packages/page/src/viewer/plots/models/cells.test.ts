import { expect, test } from 'vitest'
import { Cells } from './cells.ts'
import { matrixOf } from './matrix.ts'
import { fakeDomain, newPlot } from './test-plots.ts'

test.each([[['y', 'x']], [['x', 'y']]] as const)(
  'cells of %j are read in pages when they come in sight',
  async slice => {
    const plot = newPlot({ shape: [500, 500] })
    const { domain, requests } = fakeDomain()
    await new Promise<void>((resolve, reject) => {
      const cells: Cells = new Cells(
        domain,
        { ...matrixOf(plot, { slice }), meaning: plot.meaning },
        { changed: resolve, failed: reject },
      )
      expect(cells.text(129, 268)).toBeUndefined()
      expect(cells.text(130, 260)).toBeUndefined()
    })
    const [rows, columns] = [
      { start: 128, stop: 256 },
      { start: 256, stop: 288 },
    ]
    expect(requests).toEqual([
      { select: slice[0] === 'y' ? [rows, columns] : [columns, rows], reduce: undefined },
    ])
  },
)
