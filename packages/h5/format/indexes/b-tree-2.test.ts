// Headers and nodes of version 2 B-trees.

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ALL_WIDTHS, WIDE } from '../../../../test/fixtures/file-of-structures.ts'
import {
  type BTree2Header,
  bTree2HeaderSize,
  bTree2Levels,
  bTree2NodeSize,
  decodeBTree2Header,
  decodeBTree2Node,
  encodeBTree2Header,
  encodeBTree2Node,
} from './b-tree-2.ts'

const HEADER: BTree2Header = {
  type: 5,
  nodeSize: 512,
  recordSize: 11,
  depth: 2,
  splitPercent: 100,
  mergePercent: 40,
  root: 4711,
  rootRecordCount: 3,
  totalRecordCount: 50_000,
}

describe.each(ALL_WIDTHS)('with addresses of $offsets and lengths of $lengths bytes', widths => {
  it('a header decodes to what was encoded', () => {
    const header = fc.record({
      type: fc.nat(255),
      nodeSize: fc.nat(0xffff_ffff),
      recordSize: fc.integer({ min: 1, max: 0xffff }),
      depth: fc.nat(0xffff),
      splitPercent: fc.nat(255),
      mergePercent: fc.nat(255),
      root: fc.nat(0xfffe),
      rootRecordCount: fc.nat(0xffff),
      totalRecordCount: fc.nat(0xffff),
    })
    fc.assert(
      fc.property(header, header => {
        const bytes = encodeBTree2Header(header, widths)
        expect(bytes.length).toBe(bTree2HeaderSize(widths))
        expect(decodeBTree2Header(bytes, widths, 0)).toEqual(header)
      }),
    )
  })

  it.each([0, 1, 2])('a node of depth %d decodes to what was encoded', depth => {
    const level = bTree2Levels(HEADER, widths)[depth]
    const node = fc.nat(level.maxRecords).chain(count => {
      const child = fc
        .record({
          address: fc.nat(0xfffe),
          recordCount: fc.nat(level.maxRecords),
          totalRecordCount: fc.nat(1000),
        })
        .map(child => ({
          ...child,
          totalRecordCount: depth > 1 ? child.totalRecordCount : child.recordCount,
        }))
      const children = depth === 0 ? 0 : count + 1
      return fc.record({
        records: fc.uint8Array({ minLength: count * 11, maxLength: count * 11 }),
        children: fc.array(child, { minLength: children, maxLength: children }),
      })
    })
    fc.assert(
      fc.property(node, node => {
        const bytes = encodeBTree2Node(node, HEADER, level, widths)
        const count = node.records.length / 11
        expect(bytes.length).toBe(bTree2NodeSize(HEADER, level, count, widths))
        expect(bytes.length).toBeLessThanOrEqual(HEADER.nodeSize)
        const decoded = decodeBTree2Node(bytes, HEADER, level, count, widths, 0)
        expect(decoded.children).toEqual(node.children)
        expect(Buffer.compare(decoded.records, node.records)).toBe(0)
      }),
    )
  })

  it('every byte of header and node is checked', () => {
    const header = encodeBTree2Header(HEADER, widths)
    for (let at = 0; at < header.length; at++) {
      expect(() => decodeBTree2Header(header.with(at, header[at] ^ 1), widths, 0)).toThrow(/cannot be read/)
    }
    const level = bTree2Levels(HEADER, widths)[0]
    const node = encodeBTree2Node({ records: new Uint8Array(22), children: [] }, HEADER, level, widths)
    for (let at = 0; at < node.length; at++) {
      const changed = node.with(at, node[at] ^ 1)
      expect(() => decodeBTree2Node(changed, HEADER, level, 2, widths, 0)).toThrow(/cannot be read/)
    }
  })
})

describe('the widths of counts', () => {
  it('are those of nodes of 512 bytes with records of 11', () => {
    expect(bTree2Levels(HEADER, WIDE)).toEqual([
      { maxRecords: 45, countWidth: 0, totalWidth: 0 },
      { maxRecords: 24, countWidth: 1, totalWidth: 0 },
      { maxRecords: 22, countWidth: 1, totalWidth: 2 },
    ])
  })

  it('grow from 255 to 256 records, and are never more than 8 bytes', () => {
    expect(bTree2Levels({ nodeSize: 265, recordSize: 1, depth: 1 }, WIDE)[1].countWidth).toBe(1)
    expect(bTree2Levels({ nodeSize: 266, recordSize: 1, depth: 1 }, WIDE)[1].countWidth).toBe(2)
    expect(bTree2Levels({ nodeSize: 65_536, recordSize: 1, depth: 60 }, WIDE)[60].totalWidth).toBe(8)
  })
})

it('a header whose records have no bytes, or that has records and no root, is an error', () => {
  const { root, ...rootless } = HEADER
  const decode = (header: BTree2Header) => () => decodeBTree2Header(encodeBTree2Header(header, WIDE), WIDE, 0)
  expect(decode({ ...HEADER, recordSize: 0 })).toThrow('its records have no bytes')
  expect(decode(rootless)).toThrow('it has 50000 records, and the address of its root is undefined')
  expect(decode({ ...rootless, totalRecordCount: 0 })()).toEqual({ ...rootless, totalRecordCount: 0 })
})
