import { expect, it } from 'vitest'
import type { StateNumbers } from './state-numbers.ts'
import { storageLocked } from './write-lock.ts'

const messageWhen = (writer: number | undefined) =>
  storageLocked({ writer: () => writer } as StateNumbers).message

it('the message of storage-locked names the process that holds the lock, if there is one', () => {
  // The parent of this process, or the process itself where it has none.
  const other = process.ppid
  expect(messageWhen(other)).toMatch(
    `another process on this data folder (process id ${other}) holds the write lock`,
  )
  expect(messageWhen(undefined)).toMatch('another process on this data folder holds the write lock')
  for (const writer of [0, process.pid]) {
    expect(messageWhen(writer)).toMatch('although no other process holds the write lock')
    expect(messageWhen(writer)).not.toMatch('another process')
  }
})
