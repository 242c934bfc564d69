import { describe, expect, it } from 'vitest'
import { UncheckedReads } from './unchecked-reads.ts'

/** A file whose checks are counted, and end when `wait` does. */
function fileOf(isUnchanged = true) {
  const file = {
    checks: 0,
    state: isUnchanged,
    wait: Promise.resolve(),
    async isUnchanged() {
      file.checks++
      await file.wait
      return file.state
    },
  }
  return file
}

describe('reads of files that a file names', () => {
  it('are checked once, and again after the next read', async () => {
    const reads = new UncheckedReads()
    const [read, other] = [fileOf(), fileOf()]
    reads.add(read)
    expect([await reads.areUnchanged(), await reads.areUnchanged()]).toEqual([true, true])
    reads.add(other)
    reads.add(other)
    expect(await reads.areUnchanged()).toBe(true)
    expect([read.checks, other.checks]).toEqual([1, 1])
    read.state = false
    expect(await reads.areUnchanged()).toBe(true)
    reads.add(read)
    expect(await reads.areUnchanged()).toBe(false)
  })

  it('of a file that has changed are found by every later caller', async () => {
    const reads = new UncheckedReads()
    reads.add(fileOf(false))
    reads.add(fileOf())
    expect([await reads.areUnchanged(), await reads.areUnchanged()]).toEqual([false, false])
  })

  it('are checked by callers at the same time, and when they end during a check', async () => {
    const reads = new UncheckedReads()
    const file = fileOf()
    let end = () => {}
    file.wait = new Promise(resolve => {
      end = resolve
    })
    reads.add(file)
    const both = [reads.areUnchanged(), reads.areUnchanged()]
    reads.add(file)
    end()
    expect(await Promise.all(both)).toEqual([true, true])
    file.state = false
    expect(await reads.areUnchanged()).toBe(false)
  })

  it('are checked again after a check that fails', async () => {
    const reads = new UncheckedReads()
    const file = fileOf(false)
    file.wait = Promise.reject(new Error('the disk'))
    reads.add(file)
    await expect(reads.areUnchanged()).rejects.toThrow('the disk')
    file.wait = Promise.resolve()
    expect(await reads.areUnchanged()).toBe(false)
  })
})
