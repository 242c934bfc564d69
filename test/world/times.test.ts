// Times of objects: each change of an object moves its time, and that of no other (classic 3.6).

import { expect, test } from 'vitest'
import { inWorlds, type RequestOptions } from './world.ts'

const HOST: RequestOptions = { headers: { host: 'd.example.org' } }

test('lastModified of an object moves with its attributes, links, values and shape, created never', () =>
  inWorlds(async world => {
    world.start()
    const want = async (status: number, method: string, target: string, body?: unknown) => {
      const reply = await world.ask(method, target, body, HOST)
      expect(reply.status, reply.text).toBe(status)
      return reply.json<{ id: string; root: string; created: string; lastModified: string }>()
    }
    const { root } = await want(201, 'PUT', '/')
    const path: Record<string, string> = {}
    for (const name of ['attribute made', 'attribute deleted', 'link made', 'link deleted', 'nothing'])
      path[name] = `/groups/${(await want(201, 'POST', '/groups', { link: { id: root, name } })).id}`
    for (const name of ['value', 'points', 'shape']) {
      const body = { type: 'H5T_STD_I8LE', shape: [2], maxdims: [0] }
      path[name] = `/datasets/${(await want(201, 'POST', '/datasets', body)).id}`
    }
    const attribute = { type: 'H5T_STD_I8LE', value: 1 }
    await want(201, 'PUT', `${path['attribute deleted']}/attributes/a`, attribute)
    await want(201, 'PUT', `${path['link deleted']}/links/l`, { h5path: '/x' })
    const times = async () => {
      const found: Record<string, { created: string; lastModified: string }> = {}
      for (const [name, at] of Object.entries(path)) found[name] = await want(200, 'GET', at)
      return found
    }
    const before = await times()
    // Times have seconds.
    await world.pass(1000)
    await want(201, 'PUT', `${path['attribute made']}/attributes/a`, attribute)
    await want(200, 'DELETE', `${path['attribute deleted']}/attributes/a`)
    await want(201, 'PUT', `${path['link made']}/links/l`, { h5path: '/x' })
    await want(200, 'DELETE', `${path['link deleted']}/links/l`)
    await want(200, 'PUT', `${path.value}/value`, { value: [1, 2] })
    await want(200, 'PUT', `${path.points}/value`, { points: [1], value: [2] })
    await want(200, 'PUT', `${path.shape}/shape`, { shape: [3] })
    const after = await times()
    for (const name of Object.keys(path)) {
      expect(after[name].created, name).toBe(before[name].created)
      const hasMoved = after[name].lastModified > before[name].lastModified
      expect(hasMoved, `lastModified after ${name}`).toBe(name !== 'nothing')
    }
  }, 1))
