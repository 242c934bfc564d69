import { expect, test } from 'vitest'
import type { Upload } from './upload.ts'
import { byState, outcomeText, totalOf } from './upload-total.ts'

function upload(path: string, state: Upload['state'], size: number, others: Partial<Upload> = {}): Upload {
  return { id: 0, folder: '/', path, file: { size } as File, state, ...others }
}

const LIST = [
  upload('done', 'done', 100),
  upload('partly', 'done', 100, { losses: [{ path: '/x', message: 'cut off' }] }),
  upload('waiting', 'waiting', 300),
  upload('there', 'there', 1000),
  upload('failed', 'failed', 1000),
  upload('sending', 'sending', 200, { sent: 100 }),
]

test('what runs is first, then what needs a person, then what waits, and at the end what is done', () => {
  expect(LIST.toSorted(byState).map(({ path }) => path)).toEqual([
    'sending',
    'failed',
    'partly',
    'waiting',
    'there',
    'done',
  ])
})

test('the total has the bytes of files that are sent, and the time that is left at the speed so far', () => {
  // 200 bytes in 2 seconds; 400 are left.
  expect(totalOf(LIST, { time: 1000, sent: 100 }, 3000)).toEqual({ size: 700, sent: 300, left: 4 })
})

test('the time that is left is not guessed from an instant, nor where nothing was sent', () => {
  expect(totalOf(LIST, { time: 1000, sent: 100 }, 1001).left).toBeUndefined()
  expect(totalOf(LIST, { time: 1000, sent: 300 }, 9000).left).toBeUndefined()
})

test('a request that is longer than its file counts as the file', () => {
  const list = [upload('a', 'sending', 10, { sent: 12 })]
  expect(totalOf(list, { time: 0, sent: 0 }, 5000)).toEqual({ size: 10, sent: 10, left: 0 })
})

test('the list says how many files were uploaded, were there, and failed', () => {
  expect(outcomeText(LIST)).toBe('2 of 6 files uploaded, 1 there already, 1 failed')
  expect(outcomeText(LIST.slice(0, 1))).toBe('1 of 1 file uploaded')
  expect(outcomeText(LIST.slice(2, 3))).toBe('0 of 1 file uploaded')
})
