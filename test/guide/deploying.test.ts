// The files that the guide gives to operators: systemd accepts the unit, and through nginx with the block requests
// arrive as they were sent. Each test runs where the program is installed.

import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:https'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { freePort } from '../servers/free-port.mjs'
import { startNginx } from '../servers/nginx.mjs'
import { newWorkingDirectory, startServer } from '../wire/server.ts'

const PAGE = readFileSync(fileURLToPath(new URL('../../docs/guide/deploying.md', import.meta.url)), 'utf8')

function block(language: string): string {
  const start = PAGE.indexOf(`\`\`\`${language}\n`) + language.length + 4
  return PAGE.slice(start, PAGE.indexOf('```', start))
}

/** True if all commands are installed; prints the missing ones. */
function has(...commands: readonly string[]): boolean {
  const absent = commands.filter(command => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0)
  if (absent.length > 0) console.warn(`SKIPPED: there is no ${absent.join(' and no ')} on the path`)
  return absent.length === 0
}

let directory: string

beforeAll(async () => {
  directory = await newWorkingDirectory()
})

afterAll(() => rm(directory, { recursive: true, force: true }))

it.skipIf(!has('systemd-analyze'))('systemd understands the units', async () => {
  const units = [join(directory, 'hyperslab.service'), join(directory, 'hyperslab.socket')]
  for (const unit of units)
    await writeFile(unit, block(`ini ${unit.endsWith('.socket') ? 'socket' : 'unit'}`))
  const { status, stdout, stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', ...units], {
    encoding: 'utf8',
  })
  // It looks at the units of the machine as well.
  const about = `${stdout}${stderr}`.split('\n').filter(line => line.includes('hyperslab.s'))
  expect({ status, about }).toEqual({ status: 0, about: [] })
})

it.skipIf(!has('systemd-analyze'))('systemd finds the service well confined', async () => {
  const unit = join(directory, 'hyperslab.service')
  await writeFile(unit, block('ini unit'))
  const options = ['security', '--offline=true', '--no-pager', '--threshold=30', unit]
  const { status, stdout } = spawnSync('systemd-analyze', options, { encoding: 'utf8' })
  expect({ status, level: /exposure level .*/.exec(stdout)?.[0] }).toMatchObject({
    status: 0,
    level: expect.stringMatching(/: [0-2]\.\d/),
  })
})

it.skipIf(!has('haproxy'))('HAProxy accepts the file of the compose file', () => {
  const file = fileURLToPath(new URL('../../deploy/haproxy.cfg', import.meta.url))
  const { status, stdout, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', file], { encoding: 'utf8' })
  expect({ status, about: `${stdout}${stderr}` }).toEqual({ status: 0, about: '' })
})

it.skipIf(!has('nginx', 'openssl'))(
  'nginx hands on what it gets',
  async () => {
    const port = await freePort()
    const server = await startServer(directory)
    const [certificate, key] = [join(directory, 'tls.pem'), join(directory, 'tls.key')]
    const subject = ['-subj', '/CN=data.example.org', '-keyout', key, '-out', certificate]
    spawnSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject])
    const site = block('nginx')
      .replace('listen 443', `listen 127.0.0.1:${port}`)
      .replace('/etc/ssl/data.example.org.pem', certificate)
      .replace('/etc/ssl/data.example.org.key', key)
      .replace('http://127.0.0.1:5101', server.address)
      .replaceAll('/var/log/nginx/', `${directory}/`)
    const nginx = await startNginx(directory, port, site)

    async function ask(
      method: string,
      path: string,
      body?: Buffer,
    ): Promise<{ status: number; text: string }> {
      const headers = { host: 'sample.hdfgroup.org', 'x-forwarded-host': 'other.hdfgroup.org' }
      const sent = request({
        port,
        host: '127.0.0.1',
        method,
        path,
        headers: {
          ...headers,
          'content-type': body?.[0] === 0x7b ? 'application/json' : 'application/octet-stream',
        },
        rejectUnauthorized: false,
        agent: false,
      })
      sent.end(body)
      const [response] = await once(sent, 'response')
      let text = ''
      for await (const piece of response) text += piece
      return { status: response.statusCode, text }
    }

    try {
      const domain = await ask('GET', '/')
      expect(domain.text).toContain('"href":"https://sample.hdfgroup.org/"')
      const create = Buffer.from('{"type": "H5T_STD_U8LE", "shape": [3000000]}')
      const { id } = JSON.parse((await ask('POST', '/datasets', create)).text)
      expect((await ask('PUT', `/datasets/${id}/value`, Buffer.alloc(3_000_000, 7))).status).toBe(200)
      const read = await ask('GET', `/datasets/${id}/value?select=[2999998:3000000]`)
      expect(JSON.parse(read.text).value).toEqual([7, 7])
      // Escapes mean something in names.
      const links = `/groups/${JSON.parse(domain.text).root}/links`
      expect((await ask('PUT', `${links}/%2E%2Ea%25%20[b]%3F`, Buffer.from(`{"id": "${id}"}`))).status).toBe(
        201,
      )
      expect((await ask('GET', `${links}/%2E%2Ea%25%20[b]%3F`)).text).toContain('"title":"..a% [b]?"')
      const metrics = await ask('GET', '/metrics')
      expect(metrics).toEqual({ status: 403, text: expect.stringContaining('nginx') })
      const secrets = [
        '/s/SECRET/ui',
        '/h5/s/SECRET/x',
        '/%73/SECRET/',
        '/login/lab/callback?code=SECRET',
        '/?x=/s/SECRET',
      ]
      for (const path of secrets) await ask('GET', path)
      const logs = ['hyperslab.log', 'hyperslab-errors.log'].map(name =>
        readFileSync(join(directory, name), 'utf8'),
      )
      expect(logs.join()).toContain('"GET /login/lab/callback" ')
      expect(logs.join()).not.toContain('SECRET')
    } finally {
      await nginx.end()
      await server.end('SIGTERM')
    }
  },
  60_000,
)
