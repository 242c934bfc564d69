import { type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { sendFile } from './send-file.ts'
import type { Upload } from './upload.ts'

const error = (status: number) => new RequestError(`status ${status}`, status, 'x')

interface Service {
  readonly domains?: readonly string[]
  readonly folders?: readonly string[]
  /** What an upload leads to. */
  readonly upload?: unknown
  readonly describe?: unknown
}

/** Sends a file to `/home/` as a user, unless the session says otherwise. */
async function sent(path: string, service: Service = {}, session: object = { user: { name: 'ann' } }) {
  const domains = new Set(service.domains)
  const folders = new Set(['/home', ...(service.folders ?? [])])
  const log: string[] = []
  const client = {
    domain: (at: string) => ({
      describe: async () => {
        if (service.describe instanceof Error) throw service.describe
        if (!domains.has(at)) throw error(404)
        return { root: 'g' }
      },
      upload: async (file: File) => {
        log.push(`upload ${at} ${file.size}`)
        if (service.upload === 'faster') domains.add(at)
        if (service.upload instanceof Error) throw service.upload
        if (service.upload === 'faster') throw error(409)
        return service.upload
      },
    }),
    request: async (_: string, { domain }: { domain: string }) => {
      log.push(`folder ${domain}`)
      if (domain === '/home/closed') throw error(403)
      if (folders.has(domain)) throw error(409)
      folders.add(domain)
    },
  } as unknown as Hyperslab
  const file = new File(['abc'], 'a.h5')
  const upload: Upload = { id: 1, folder: '/home/', path: `/home/${path}`, file, state: 'sending' }
  const sender = { session: { client, user: undefined, isOpen: false, ...session }, connect: () => client }
  const losses = await sendFile(sender as never, upload, () => {}).catch(String)
  return { losses, log }
}

describe('a file that is uploaded', () => {
  test('becomes a domain', async () => {
    expect(await sent('a.h5')).toEqual({ losses: [], log: ['upload /home/a.h5 3'] })
  })

  test('has losses where not all of it could be read', async () => {
    const warnings = [{ path: '/x', message: 'cut off' }]
    expect((await sent('a.h5', { upload: { warnings } })).losses).toEqual(warnings)
  })

  test('gets the folders that were dropped with it, those that are missing', async () => {
    expect(await sent('b/c/a.h5', { folders: ['/home/b'] })).toEqual({
      losses: [],
      log: ['folder /home/b', 'folder /home/b/c', 'upload /home/b/c/a.h5 3'],
    })
    expect((await sent('closed/a.h5')).losses).toContain('status 403')
  })

  test('is not sent where a domain of its name is, also when another request was faster', async () => {
    expect(await sent('a.h5', { domains: ['/home/a.h5'] })).toEqual({ losses: undefined, log: [] })
    expect((await sent('a.h5', { upload: 'faster' })).losses).toBeUndefined()
  })

  test('says why it failed', async () => {
    expect((await sent('a.h5', { upload: error(400) })).losses).toContain('status 400')
    expect((await sent('a.h5', { upload: error(409) })).losses).toContain('status 409')
    expect((await sent('a.h5', { describe: new TypeError('cut off') })).losses).toContain('cut off')
  })

  test('needs a login, but not where everybody may do everything', async () => {
    expect(await sent('a.h5', {}, {})).toEqual({ losses: 'Error: log in to upload files', log: [] })
    expect((await sent('a.h5', {}, { isOpen: true })).losses).toEqual([])
  })
})
