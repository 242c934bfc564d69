// A server whose mounts are addresses: what it asks for, what it answers when files change or their server fails.

import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import h5wasm, { ready } from 'h5wasm/node'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type RangeServer, startRangeServer } from '../fixtures/range-server.ts'
import { type ServedHere, serveHere } from '../fixtures/served.ts'
import { sendTo } from '../wire/client.ts'
import { newWorkingDirectory } from '../wire/server.ts'

/** Values of one row: 80,000 bytes, so that the values are not in the first bytes of the file. */
const ROW = 10_000
const ROWS = 20

let directory: string
let web: RangeServer
let server: ServedHere

/** Each value is `first` and the number of its row. */
function fileOf(first: number): Buffer {
  const path = join(directory, 'made.h5')
  const file = new h5wasm.File(path, 'w')
  for (const name of ['a', 'b', 'c']) file.create_group(name).create_attribute('first', first)
  const data = Float64Array.from({ length: ROWS * ROW }, (_, index) => first + Math.floor(index / ROW))
  file.create_dataset({ name: 'd', data, shape: [ROWS, ROW], chunks: [1, ROW] })
  file.close()
  return readFileSync(path)
}

beforeAll(async () => {
  await ready
  directory = await newWorkingDirectory()
  web = await startRangeServer()
  web.files.set('/run.h5', { bytes: fileOf(0) })
  await writeFile(join(directory, 'urls.txt'), `${web.address}/run.h5\n${web.address}/run.h5 2024/same.h5\n`)
  server = await serveHere({
    mount: [`${web.address}/run.h5=/lab/run.h5`, `${join(directory, 'urls.txt')}=/list`],
  })
})

afterAll(async () => {
  await server.end()
  await web.close()
  await rm(directory, { recursive: true, force: true })
})

beforeEach(() => {
  web.intercept = undefined
})

async function get<Answer>(path: string, domain = '/lab/run.h5'): Promise<Answer> {
  const reply = await sendTo(
    server.address,
    'GET',
    `${path}${path.includes('?') ? '&' : '?'}domain=${domain}`,
  )
  if (reply.status !== 200) throw new Error(`${path}: ${reply.status} ${reply.text}`)
  return reply.json<Answer>()
}

async function datasetId(): Promise<string> {
  const { root } = await get<{ root: string }>('/')
  const { link } = await get<{ link: { id: string } }>(`/groups/${root}/links/d`)
  return link.id
}

describe('mounted addresses', () => {
  it('take at most 8 requests for the listing of a root group and a slice', async () => {
    const { root } = await get<{ root: string }>('/')
    const { links } = await get<{ links: { title: string }[] }>(`/groups/${root}/links`)
    expect(links.map(({ title }) => title)).toEqual(['a', 'b', 'c', 'd'])
    const id = await datasetId()
    const { value } = await get<{ value: number[][] }>(`/datasets/${id}/value?select=[15:17,0:2]`)
    expect(value).toEqual([
      [15, 15],
      [16, 16],
    ])
    expect(web.requests.length).toBeLessThanOrEqual(8)
  })

  it('are listed with the names of their list', async () => {
    const names = async (folder: string) => {
      const { domains } = await get<{ domains: { name: string }[] }>('/domains', folder)
      return domains.map(({ name }) => name)
    }
    expect(await names('/list/')).toEqual(['/list/2024', '/list/run.h5'])
    expect(await names('/list/2024/')).toEqual(['/list/2024/same.h5'])
  })

  it('give an answer of one state of a file that changes while it is read', async () => {
    web.files.set('/run.h5', { bytes: fileOf(100) })
    const id = await datasetId()
    let asked = 0
    web.intercept = request => {
      // Values are asked for with the condition that the file is what it was.
      if (request.headers['if-match'] && asked++ === 0) web.files.set('/run.h5', { bytes: fileOf(200) })
      return false
    }
    const { value } = await get<{ value: number[][] }>(`/datasets/${id}/value?select=[0:${ROWS},0:1]`)
    expect(value.map(([first]) => first)).toEqual(Array.from({ length: ROWS }, (_, row) => 200 + row))
    expect(asked).toBeGreaterThan(1)
  })

  it('are 503 while their server fails, and other domains are served', async () => {
    web.files.set('/run.h5', { bytes: fileOf(300) })
    const id = await datasetId()
    web.intercept = (request, response) => {
      if (!request.headers['if-match']) return false
      response.writeHead(500).end()
      return true
    }
    const path = `/datasets/${id}/value?select=[0:${ROWS},0:1]`
    await expect(get(path)).rejects.toThrow(/503.*file-unavailable.*from its server now: it answers 500/)
    web.intercept = undefined
    expect((await get<{ value: number[][] }>(path)).value[1]).toEqual([301])
  })
})
