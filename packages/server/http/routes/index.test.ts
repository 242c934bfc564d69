// docs/routes.md is made from the list of routes: after a change of routes, run vitest with -u.

import { expect, test } from 'vitest'
import { routes } from '../../../../test/fixtures/routes.ts'
import type { Route } from '../route/route.ts'

test('docs/routes.md lists every route', async () => {
  const order = (route: Route) => `${key(route)} ${route.only ?? ''}`
  const rows = [...routes].sort((a, b) => order(a).localeCompare(order(b))).map(row)
  const text = [
    '# Routes',
    '',
    'Made from `packages/server/http/routes`; a test keeps the two equal. `:collection` is `groups`, `datasets` or',
    '`datatypes`, `*` the rest of the path, which is a name. The permission is that of the object in the path, of the root',
    'group where there is none. Paths about the service, those whose permission is none, have HEAD too, and every path has',
    'OPTIONS. PUT and DELETE take `If-Match` and `If-None-Match` with the tags that GET of the same path gives',
    '([guide](guide/many-at-once.md)).',
    '',
    '| method | path | operation | permission | dialect | parameters | what it does |',
    '|---|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../../../docs/routes.md')
})

test('no method and path has two routes in a dialect', () => {
  for (const dialect of ['classic', 'hsds']) {
    const known = routes.filter(route => route.only === undefined || route.only === dialect).map(key)
    expect(new Set(known).size).toBe(known.length)
  }
})

function key({ path, method }: Route): string {
  return `${path} ${method}`
}

function row({ method, path, name, access, only, parameters, summary }: Route): string {
  const inQuery = Object.values(parameters).filter(({ in: place }) => place === 'query')
  const names = inQuery.map(
    parameter => `\`${parameter.name}\`${parameter.only && only === undefined ? ` (${parameter.only})` : ''}`,
  )
  return `| ${method} | \`${path}\` | ${name} | ${access} | ${only ?? 'both'} | ${names.join(', ')} | ${summary} |`
}
