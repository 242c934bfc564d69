// A wire test that fails prints its last requests with their answers, and what the server logged meanwhile. Vitest runs
// this file before each file of the projects that use a server.

import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { afterEach, beforeEach, inject } from 'vitest'

const MAX_STORIES = 20
const MAX_LOG = 20_000

const stories: string[] = []
let logBefore = 0

/** Keeps a request with its answer until the test has ended. */
export function noteStory(story: string): void {
  stories.push(story)
  if (stories.length > MAX_STORIES) stories.shift()
}

beforeEach(() => {
  stories.length = 0
  logBefore = readLog(0).size
})

afterEach(({ task }) => {
  if (task.result?.state !== 'fail') return
  const { text } = readLog(logBefore)
  console.log(`Its last requests:\n${stories.join('\n')}\nThe log of the server:\n${text}`)
})

/** The log of the server from a position on, as far as it is short. */
function readLog(position: number): { readonly size: number; readonly text: string } {
  const file = inject('serverLog')
  if (file === undefined) return { size: 0, text: '(the log of this server is elsewhere)' }
  const descriptor = openSync(file, 'a+')
  try {
    const { size } = fstatSync(descriptor)
    const bytes = Buffer.alloc(Math.min(size - position, MAX_LOG))
    readSync(descriptor, bytes, 0, bytes.length, position)
    return { size, text: bytes.toString('utf8') }
  } finally {
    closeSync(descriptor)
  }
}
