// The writes of the crash tests, their record of them, and the checks of servers against that record. A change is
// remembered once it is acknowledged; one that was sent but not acknowledged may be there or not, but never in part.

import { expect } from 'vitest'
import { type Fields, type Method, type Reply, sendTo } from '../wire/client.ts'

const HOST = 'crash.test.hdfgroup.org'
/** The same domain as the hsds dialect names it. */
const PATH = '/test/crash'

/** A dataset whose every element holds the number of the write that wrote it. */
interface NumberedDataset {
  readonly id: string
  readonly elements: number
  /** How a write of a whole generation is spelled in JSON. */
  readonly body: (generation: number) => Fields
  acknowledged: number
  sent: number
}

/** All that the server has acknowledged. */
export interface World {
  readonly root: string
  /** Titles of links to new groups, with the group's id. */
  readonly links: Map<string, string>
  /** Titles of links that were deleted again. */
  readonly deleted: Set<string>
  /** Attributes of the root group by name. */
  readonly attributes: Map<string, number>
  readonly datasets: readonly NumberedDataset[]
  /** Counts up over all rounds: names are never used twice. */
  next: number
}

export interface Client {
  readonly world: World
  send(method: Method, target: string, body?: unknown, accept?: string): Promise<Reply>
  /** Asserts the status and gives the JSON answer. */
  want<T = Fields>(status: number, method: Method, target: string, body?: unknown): Promise<T>
}

const NO_WORLD: World = {
  root: '',
  links: new Map(),
  deleted: new Set(),
  attributes: new Map(),
  datasets: [],
  next: 0,
}

/** `address`: of the server, or what gives that of the next request. */
export function connect(address: string | (() => string), world: World = NO_WORLD): Client {
  const send: Client['send'] = (method, target, body, accept) =>
    sendTo(typeof address === 'string' ? address : address(), method, target, body, {
      headers: accept === undefined ? { host: HOST } : { host: HOST, accept },
    })
  return {
    world,
    send,
    async want<T>(status: number, method: Method, target: string, body?: unknown): Promise<T> {
      const reply = await send(method, target, body)
      expect(reply.status, reply.story).toBe(status)
      return reply.json<T>()
    },
  }
}

/** Makes the domain and its datasets: many small chunks, a few large ones, one written as JSON numbers. */
export async function prepare(client: Client): Promise<World> {
  const { root } = await client.want<{ root: string }>(201, 'PUT', '/')
  const repeated = (elements: number) => (generation: number) => ({
    value_base64: Buffer.from(new Int32Array(elements).fill(generation).buffer).toString('base64'),
  })
  const shapes: [number[], number[], (elements: number) => NumberedDataset['body']][] = [
    [[128, 128], [16, 16], repeated],
    [[512, 256], [128, 256], repeated],
    [[120, 160], [40, 40], () => generation => ({ value: Array(120).fill(Array(160).fill(generation)) })],
  ]
  const datasets: NumberedDataset[] = []
  for (const [shape, dims, body] of shapes) {
    const elements = shape.reduce((product, extent) => product * extent)
    const creationProperties = { layout: { class: 'H5D_CHUNKED', dims } }
    const type = 'H5T_STD_I32LE'
    const { id } = await client.want<{ id: string }>(201, 'POST', '/datasets', {
      type,
      shape,
      creationProperties,
    })
    datasets.push({ id, elements, body: body(elements), acknowledged: 0, sent: 0 })
  }
  return { root, links: new Map(), deleted: new Set(), attributes: new Map(), datasets, next: 0 }
}

async function createGroup({ world, want }: Client): Promise<void> {
  const name = `g${world.next++}`
  const made = await want<{ id: string }>(201, 'POST', '/groups', { link: { id: world.root, name } })
  world.links.set(name, made.id)
}

async function createAndDeleteLink({ world, want }: Client): Promise<void> {
  const path = `/groups/${world.root}/links/d${world.next++}`
  await want(201, 'PUT', path, { h5path: '/x' })
  await want(200, 'DELETE', path)
  world.deleted.add(path)
}

async function createAttribute({ world, want }: Client): Promise<void> {
  const number = world.next++
  const path = `/groups/${world.root}/attributes/a${number}`
  await want(201, 'PUT', path, { type: 'H5T_STD_I32LE', value: number })
  world.attributes.set(`a${number}`, number)
}

function writeDataset(index: number): (client: Client) => Promise<void> {
  return async ({ world, want }) => {
    const dataset = world.datasets[index]
    if (dataset === undefined) throw new Error(`the crash test has no dataset ${index}`)
    const generation = ++dataset.sent
    await want(200, 'PUT', `/datasets/${dataset.id}/value`, dataset.body(generation))
    dataset.acknowledged = generation
  }
}

/** The writers that run at the same time, each over and over. */
export const WRITERS: readonly ((client: Client) => Promise<void>)[] = [
  createGroup,
  createGroup,
  createAndDeleteLink,
  createAttribute,
  createAttribute,
  writeDataset(0),
  writeDataset(1),
  writeDataset(2),
]

/** Compares all that the server shows with what it has acknowledged. */
export async function verify(client: Client): Promise<void> {
  expect((await client.want(200, 'GET', '/')).root).toBe(client.world.root)
  await verifyLinks(client)
  await verifyAttributes(client)
  for (const dataset of client.world.datasets) await verifyDataset(client, dataset)
  await verifyStatistics(client)
}

async function verifyLinks({ world, want, send }: Client): Promise<void> {
  const { links } = await want<{ links: { title: string; id?: string }[] }>(
    200,
    'GET',
    `/groups/${world.root}/links`,
  )
  const shown = new Map(links.map(link => [link.title, link.id]))
  for (const [title, id] of world.links) expect(shown.get(title), `link ${title}`).toBe(id)
  // A group and its link are made together: no link to nothing, no group without a link.
  const { groups } = await want<{ groups: string[] }>(200, 'GET', '/groups')
  const linked = links.flatMap(link => link.id ?? [])
  expect(linked.sort()).toEqual(groups.sort())
  expect((await want(200, 'GET', `/groups/${world.root}`)).linkCount).toBe(links.length)
  for (const path of [...world.deleted].slice(-20)) expect((await send('GET', path)).status, path).toBe(410)
  for (const path of world.deleted) expect(shown.has(path.slice(path.lastIndexOf('/') + 1)), path).toBe(false)
}

async function verifyAttributes({ world, want }: Client): Promise<void> {
  const path = `/groups/${world.root}/attributes`
  const { attributes } = await want<{ attributes: { name: string }[] }>(200, 'GET', path)
  const shown = new Set(attributes.map(attribute => attribute.name))
  for (const name of world.attributes.keys()) expect(shown.has(name), `attribute ${name}`).toBe(true)
  for (const [name, value] of [...world.attributes].slice(-20)) {
    expect((await want(200, 'GET', `${path}/${name}`)).value).toBe(value)
  }
  expect((await want(200, 'GET', `/groups/${world.root}`)).attributeCount).toBe(attributes.length)
}

/** The counts agree with the lists and with the values: no chunk goes beyond the extents. */
async function verifyStatistics({ world, want }: Client): Promise<void> {
  const { groups } = await want<{ groups: string[] }>(200, 'GET', '/groups')
  const counted = await want<{ allocated_bytes: number }>(200, 'GET', `/?domain=${PATH}&verbose=1`)
  expect(counted).toMatchObject({ num_groups: groups.length + 1, num_datasets: world.datasets.length })
  const written = world.datasets.filter(dataset => dataset.acknowledged > 0)
  const bytes = written.reduce((sum, { elements }) => sum + 4 * elements, 0)
  expect(counted.allocated_bytes).toBe(bytes)
}

async function verifyDataset({ send }: Client, dataset: NumberedDataset): Promise<void> {
  const reply = await send('GET', `/datasets/${dataset.id}/value`, undefined, 'application/octet-stream')
  expect(reply.status, reply.story).toBe(200)
  expect(reply.bytes).toHaveLength(4 * dataset.elements)
  const generations = new Set<number>()
  for (let at = 0; at < reply.bytes.length; at += 4) generations.add(reply.bytes.readInt32LE(at))
  expect([...generations], 'a torn write: elements of several generations').toHaveLength(1)
  const [generation = -1] = generations
  expect(generation).toBeGreaterThanOrEqual(dataset.acknowledged)
  expect(generation).toBeLessThanOrEqual(dataset.sent)
  // The next round starts from the current state.
  dataset.acknowledged = generation
}
