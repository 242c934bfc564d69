import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { lingerIfUnread } from './linger.ts'

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
})
afterEach(() => {
  vi.useRealTimers()
})

/** The socket of a long upload that is answered early, when the answer has been sent. */
function answeredEarly(clientTimeout: number) {
  const socket = Object.assign(new EventEmitter(), {
    timeout: clientTimeout,
    end: vi.fn(),
    destroySoon: vi.fn(),
    setTimeout: vi.fn(),
    destroy: vi.fn(() => socket.emit('close')),
  })
  const headers = { 'content-length': '100000000000' }
  const request = Object.assign(new EventEmitter(), { complete: false, headers, resume: vi.fn() })
  // `lingerIfUnread` uses no other members of them.
  const response = { req: request, socket, shouldKeepAlive: true } as unknown as ServerResponse
  lingerIfUnread(response)
  expect(response.shouldKeepAlive).toBe(false)
  socket.destroySoon()
  expect(request.resume).toHaveBeenCalledOnce()
  return { socket, request }
}

test.each([
  [2000, 12_000],
  [60_000, 30_000],
])('the rest of a body that never ends is read for six pauses: client timeout %i ms', (timeout, all) => {
  const { socket } = answeredEarly(timeout)
  vi.advanceTimersByTime(all - 1)
  expect(socket.destroy).not.toHaveBeenCalled()
  vi.advanceTimersByTime(1)
  expect(socket.destroy).toHaveBeenCalledOnce()
})

test('the connection is closed when the body has ended, and nothing waits then', () => {
  const { socket, request } = answeredEarly(2000)
  request.emit('end')
  expect(socket.destroy).toHaveBeenCalledOnce()
  expect(vi.getTimerCount()).toBe(0)
})
