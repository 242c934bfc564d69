import { expect, test } from 'vitest'
import { UploadQueue } from './queue.ts'
import type { Loss, Upload } from './upload.ts'

/** A queue whose files are sent when the test says so. */
function start() {
  const sent: { path: string; end: (losses?: readonly Loss[]) => void; fail: (error: Error) => void }[] = []
  const progress = new Map<string, (bytes: number) => void>()
  const send = ({ path }: Upload, onProgress: (bytes: number) => void) =>
    new Promise<readonly Loss[] | undefined>((end, fail) => {
      progress.set(path, onProgress)
      sent.push({ path, end, fail })
    })
  const queue = new UploadQueue(send, () => 7)
  const states = () => Object.fromEntries(queue.state().all.map(({ path, state }) => [path, state]))
  return { queue, sent, progress, states }
}

const files = (...paths: string[]) => paths.map(path => ({ path, file: new File(['abc'], path) }))
/** All that follows from answers has happened. */
const settled = () => new Promise(resolve => setImmediate(resolve))

test('two files are sent at once, and the next when one has ended', async () => {
  const { queue, sent, states } = start()
  queue.add(files('a', 'b', 'c'), '/home/')
  expect(states()).toEqual({ '/home/a': 'sending', '/home/b': 'sending', '/home/c': 'waiting' })
  sent[0]?.end([])
  await settled()
  expect(states()).toEqual({ '/home/a': 'done', '/home/b': 'sending', '/home/c': 'sending' })
})

test('files that became domains are counted, those that were there are not', async () => {
  const { queue, sent, states } = start()
  queue.add(files('a', 'b'), '/')
  sent[0]?.end([{ path: '/x', message: 'cut off' }])
  sent[1]?.end(undefined)
  await settled()
  expect(states()).toEqual({ '/a': 'done', '/b': 'there' })
  expect(queue.state()).toMatchObject({ count: 1, all: [{ losses: [{ path: '/x' }] }, {}] })
})

test('a file that failed says why, and is sent again when that is asked for', async () => {
  const { queue, sent, states } = start()
  queue.add(files('a'), '/')
  sent[0]?.fail(new Error('the disk is full'))
  await settled()
  expect(queue.state().all).toMatchObject([{ state: 'failed', error: 'the disk is full' }])
  queue.retry(queue.state().all)
  expect(queue.state().all).toMatchObject([{ state: 'sending', error: undefined }])
  sent[1]?.end([])
  await settled()
  queue.retry(queue.state().all)
  expect(states()).toEqual({ '/a': 'done' })
  expect(sent).toHaveLength(2)
})

test('a path that is being uploaded is skipped, and an earlier outcome of a path is replaced', async () => {
  const { queue, sent, states } = start()
  queue.add(files('a', 'b'), '/')
  queue.add(files('a'), '/')
  expect(queue.state().all).toHaveLength(2)
  sent[0]?.fail(new Error('no'))
  await settled()
  queue.add(files('a'), '/')
  expect(states()).toEqual({ '/a': 'sending', '/b': 'sending' })
})

test('the list is cleared of what has ended, and listeners are told of each change', async () => {
  const { queue, sent, progress, states } = start()
  let changes = 0
  const leave = queue.subscribe(() => changes++)
  queue.add(files('a', 'b'), '/')
  progress.get('/b')?.(2)
  expect(queue.state()).toMatchObject({ beginning: { time: 7, sent: 0 }, all: [{}, { sent: 2 }] })
  sent[0]?.end([])
  await settled()
  queue.clear()
  expect(states()).toEqual({ '/b': 'sending' })
  const before = changes
  leave()
  queue.clear()
  expect([before > 0, changes]).toEqual([true, before])
})

test('the same files once more: those that are there stay, and those that failed are sent', async () => {
  const { queue, sent, states } = start()
  queue.add(files('a', 'large'), '/')
  sent[0]?.end([])
  sent[1]?.fail(new Error('The service cannot be reached.'))
  await settled()
  queue.add(files('a', 'large'), '/')
  expect(sent.map(({ path }) => path)).toEqual(['/a', '/large', '/a', '/large'])
  sent[2]?.end(undefined)
  sent[3]?.fail(new Error('The service cannot be reached.'))
  await settled()
  expect(states()).toEqual({ '/a': 'there', '/large': 'failed' })
  queue.retry(queue.state().all)
  expect(sent.slice(4).map(({ path }) => path)).toEqual(['/large'])
  sent[4]?.end([])
  await settled()
  expect(states()).toEqual({ '/a': 'there', '/large': 'done' })
})
