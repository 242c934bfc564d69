// Mounted files in the feed of events: files that grow, are replaced, come and go. test/world has several processes.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, renameSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'
import { isMissing, PYTHON } from './h5py.ts'

const missing = isMissing('a Python with h5py', PYTHON !== undefined)

/** Does what each line says, and prints it: `new PATH`, `open PATH`, `append ROWS`. */
const WRITER = `
import sys, h5py, numpy
for line in sys.stdin:
    word, *rest = line.split()
    if word == "new":
        with h5py.File(rest[0], "w") as made:
            made["d"] = numpy.arange(1000)
    elif word == "open":
        file = h5py.File(rest[0], "w", libver="latest")
        rows = file.create_dataset("rows", (0,), "i8", maxshape=(None,), chunks=(512,))
        file.swmr_mode = True
    elif word == "append":
        rows.resize((rows.shape[0] + int(rest[0]),))
        rows.flush()
    print(line.strip(), flush=True)
`

interface Change {
  readonly kind: string
  readonly class?: string
}

interface FileEvent {
  readonly id: string
  readonly domain: string
  readonly state?: string
  readonly changes: readonly Change[]
  readonly more?: true
}

interface Page {
  readonly events: readonly FileEvent[]
  readonly next: string
}

function lineOf({ domain, changes, more }: FileEvent): string {
  return [domain, ...changes.flatMap(({ kind, class: type }) => [kind, type]), more && 'more']
    .filter(Boolean)
    .join(' ')
}

describe.skipIf(missing)('mounted files in the feed', () => {
  let directory: string
  let server: ServedHere
  const writer = spawn(PYTHON ?? 'python3', ['-c', WRITER], { stdio: ['pipe', 'pipe', 'inherit'] })
  const lines = createInterface(writer.stdout)

  async function tell(line: string): Promise<void> {
    const answer = once(lines, 'line')
    writer.stdin.write(`${line}\n`)
    await answer
  }

  const pathOf = (name: string) => join(directory, 'files', name)

  async function page(query: string): Promise<Page> {
    const reply = await sendTo(server.address, 'GET', `/events?${query}`, undefined, { alone: true })
    expect(reply.status, reply.story).toBe(200)
    return reply.json<Page>()
  }

  /** The events after a position until these are all that are awaited. */
  async function eventsUntil(
    domain: string,
    since: string,
    areAll: (events: readonly FileEvent[]) => boolean,
  ): Promise<Page> {
    const events: FileEvent[] = []
    let next = since
    while (!areAll(events)) {
      const more = await page(`domain=${domain}&wait=60&since=${next}`)
      events.push(...more.events)
      next = more.next
    }
    return { events, next }
  }

  const nextEvents = (since: string, count: number) =>
    eventsUntil('/m', since, events => events.length >= count)

  async function stateOf(domain: string): Promise<string> {
    const reply = await sendTo(server.address, 'GET', `/?domain=${domain}`, undefined, { alone: true })
    return reply.json<{ state: string }>().state
  }

  beforeAll(async () => {
    directory = await newWorkingDirectory()
    mkdirSync(join(directory, 'files'))
    await tell(`new ${pathOf('a.h5')}`)
    server = await serveHere({ mount: [`${join(directory, 'files')}=/m`] })
  })

  afterAll(async () => {
    writer.stdin.end()
    await server?.end()
    rmSync(directory, { recursive: true, force: true })
  })

  it('a file that a SWMR writer appends to has a new state each time, which is that of the domain', async () => {
    await tell(`open ${pathOf('growing.h5')}`)
    let { next } = await page('domain=/m/growing.h5&wait=0')
    const states = new Set([await stateOf('/m/growing.h5')])
    for (let i = 0; i < 3; i++) {
      await tell('append 1000')
      // The service may also have seen the file while the writer had appended a part of that.
      const state = await stateOf('/m/growing.h5')
      const page = await eventsUntil('/m/growing.h5', next, events => events.at(-1)?.state === state)
      for (const event of page.events) expect(event).toMatchObject({ domain: '/m/growing.h5', more: true })
      states.add(state)
      next = page.next
    }
    expect(states.size).toBe(4)
  })

  it('files that are new, replaced, truncated and deleted have one event', async () => {
    const { next } = await page('domain=/m&wait=0')
    const putCopy = (name: string) => {
      copyFileSync(pathOf('a.h5'), pathOf('.next'))
      renameSync(pathOf('.next'), pathOf(name))
    }
    putCopy('new.h5')
    const created = await nextEvents(next, 1)
    expect(created.events.map(lineOf)).toEqual(['/m/new.h5 created domain'])
    putCopy('a.h5')
    const replaced = await nextEvents(created.next, 1)
    expect(replaced.events.map(lineOf)).toEqual(['/m/a.h5 more'])
    // The signature is there, and nothing can be read.
    truncateSync(pathOf('new.h5'), 100)
    const truncated = await nextEvents(replaced.next, 1)
    expect(truncated.events.map(lineOf)).toEqual(['/m/new.h5 more'])
    mkdirSync(pathOf('folder'))
    renameSync(pathOf('new.h5'), pathOf('folder/moved.h5'))
    const moved = await nextEvents(truncated.next, 3)
    expect(moved.events.map(lineOf).sort()).toEqual([
      '/m/folder created folder',
      '/m/folder/moved.h5 created domain',
      '/m/new.h5 deleted domain',
    ])
  })
})
