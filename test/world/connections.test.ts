import { expect, test } from 'vitest'
import { inWorlds } from './world.ts'

test('a request is answered', () =>
  inWorlds(async world => {
    world.network.delay = () => 1 + world.below(50)
    world.start()
    expect((await world.ask('GET', '/about')).status).toBe(200)
    expect((await world.ask('PUT', '/?domain=/a.h5', undefined, { user: 'boss' })).status).toBe(201)
    expect((await world.ask('GET', '/?domain=/a.h5')).status).toBe(200)
  }))
