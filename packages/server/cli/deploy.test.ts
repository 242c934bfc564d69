// The files in deploy/: their settings exist and have valid values, paths and ports are those of the image, and the
// guide shows the same unit.

import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { parseSetting } from './settings/config.ts'
import { ALL_SETTINGS, variable } from './settings/table.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
const FILES = readdirSync(join(ROOT, 'deploy'))
const textOf = (file: string) => readFileSync(join(ROOT, file), 'utf8')

/** The settings of a file, with their values as they are without quotes and names of secrets. */
const settingsIn = (text: string) =>
  [...text.matchAll(/^\s*(HYPERSLAB_\w+): "?([^"\n]*)"?$/gm)].map(
    ([, name = '', value = '']) => [name, value.replace(/\$\{(\w+):\?is missing\}/g, '$1')] as const,
  )

describe.each(['compose.yaml', 'kubernetes.yaml'])('%s', file => {
  const text = textOf(`deploy/${file}`)

  it('has settings that exist, with valid values', () => {
    const settings = settingsIn(text)
    expect(settings.length).toBeGreaterThan(4)
    for (const [name, value] of settings) {
      const setting = ALL_SETTINGS.find(one => variable(one) === name)
      expect(setting, name).toBeDefined()
      if (setting) parseSetting(setting, value, `${file}, ${name}`)
    }
  })

  it('names no other setting, and is closed to callers without an account', () => {
    const names = [...text.matchAll(/HYPERSLAB_[A-Z_]+/g)].map(([name]) => name)
    expect(ALL_SETTINGS.map(variable)).toEqual(expect.arrayContaining(names))
    expect(Object.fromEntries(settingsIn(text))).toMatchObject({
      HYPERSLAB_DEFAULT_ACL: 'none',
      HYPERSLAB_NEW_DOMAINS: 'authenticated',
    })
  })

  it('has the folder and the port of the image', () => {
    const image = textOf('Containerfile')
    const [, port] = /EXPOSE (\d+)/.exec(image) ?? []
    expect(image).toContain(`CMD ["serve", "/data", "--host", "::", "--port", "${port}"]`)
    expect(text).toMatch(/cache1:\/data|mountPath: \/data /)
    expect(text).toContain(String(port))
  })
})

it('the balancer of compose.yaml asks /ready of each of its nodes', () => {
  const nodes = [...textOf('deploy/compose.yaml').matchAll(/^ {2}(node\d):$/gm)].map(([, name]) => name)
  const servers = [...textOf('deploy/haproxy.cfg').matchAll(/^ +server (\S+) \1:5101$/gm)].map(
    ([, name]) => name,
  )
  expect(servers).toEqual(nodes)
  expect(textOf('deploy/haproxy.cfg')).toContain('option httpchk GET /ready')
})

it('a node of Kubernetes that is busy is not ended, and one that is not ready gets no requests', () => {
  const text = textOf('deploy/kubernetes.yaml')
  const probe = (name: string) =>
    new RegExp(
      `${name}:\\s+httpGet: \\{ path: (\\S+), port: http \\}\\s+periodSeconds: (\\d+)\\s+.*\\s+failureThreshold: (\\d+)`,
    )
      .exec(text)
      ?.slice(1)
  const [path, period, failures] = probe('livenessProbe') ?? []
  expect([path, Number(period) * Number(failures)]).toEqual(['/health', 120])
  expect(probe('readinessProbe')?.[0]).toBe('/ready')
})

it.each([
  ['hyperslab.service', 'ini unit'],
  ['hyperslab.socket', 'ini socket'],
  ['nginx.conf', 'nginx'],
])('the guide has %s', (file, language) => {
  expect(FILES).toContain(file)
  expect(textOf('docs/guide/deploying.md')).toContain(`\`\`\`${language}\n${textOf(`deploy/${file}`)}\`\`\``)
})

describe.each(FILES.filter(name => name.endsWith('.yaml')))('%s', file => {
  it('is YAML, without a key that comes twice', () => {
    const documents = parseAllDocuments(textOf(`deploy/${file}`), { merge: true })
    expect(documents).not.toHaveLength(0)
    for (const { errors, warnings } of documents) expect([...errors, ...warnings]).toEqual([])
  })
})

it('each service of compose.yaml has an image, and waits for services that are there', () => {
  const { services, volumes } = parse(textOf('deploy/compose.yaml'), { merge: true }) as {
    services: Record<string, { image?: string; depends_on?: object; volumes?: string[] }>
    volumes: object
  }
  for (const [name, { image, depends_on: others = {}, volumes: mounted = [] }] of Object.entries(services)) {
    expect(image, name).toMatch(/^[\w.-]+(\/[\w.-]+)+(:[\w.-]+)?$/)
    const names = Array.isArray(others) ? others : Object.keys(others)
    expect(Object.keys(services)).toEqual(expect.arrayContaining(names))
    const named = mounted.flatMap(place => /^(\w+):/.exec(place)?.slice(1) ?? [])
    expect(Object.keys(volumes)).toEqual(expect.arrayContaining(named))
  }
})
