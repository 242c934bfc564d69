// The paths of a domain (common 29): their kinds, each group once, and links that are not followed.

import { beforeAll, expect, test } from 'vitest'
import { type Domain as ClassicDomain, newDomain as newClassicDomain } from './classic/domain.ts'
import { type Domain, makeHome, newDomain } from './hsds/domain.ts'

beforeAll(makeHome)

test.each<[string, () => Promise<Domain | ClassicDomain>]>([
  ['classic', newClassicDomain],
  ['hsds', newDomain],
])('are listed with their kinds in the %s dialect', async (_, newDomain) => {
  const domain = await newDomain()
  const type = 'H5T_STD_I8LE'
  const { id: group } = await domain.want(201, 'POST', '/groups', { link: { id: domain.root, name: 'g' } })
  await domain.want(201, 'POST', '/datasets', { type, shape: [2], link: { id: group, name: 'd' } })
  await domain.want(201, 'POST', '/datatypes', { type, link: { id: group, name: 'a "type"' } })
  await domain.want(201, 'PUT', `/groups/${group}/links/up`, { id: domain.root })
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/soft`, { h5path: '/g' })
  await domain.want(201, 'PUT', `/groups/${domain.root}/links/z`, { id: group })
  const reply = await domain.send('GET', '/paths')
  expect([reply.status, JSON.parse(reply.text)]).toEqual([
    200,
    [
      ['/', 'group', domain.root],
      ['/g', 'group', group],
      ['/soft', 'link'],
      ['/z', 'group', group],
      ['/g/a "type"', 'datatype'],
      ['/g/d', 'dataset'],
      ['/g/up', 'group', domain.root],
    ],
  ])
  expect(reply.text.split('\n')).toHaveLength(9)
})
