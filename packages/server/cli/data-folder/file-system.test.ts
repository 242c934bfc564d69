import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { fileSystemOf, tryFolder } from './file-system.ts'

const MOUNTS = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw
40 27 0:40 / /home rw - nfs4 server:/home rw,vers=4.2
41 40 0:41 / /home/ann/local\\040disk rw - xfs /dev/vdb rw
42 27 0:42 / /home2 rw - fuse.sshfs host: rw
43 27 0:43 / /twice rw - ext4 /dev/vdc rw
44 27 0:44 / /twice rw - cifs //server/share rw
`

describe('the file system of a folder', () => {
  it.each([
    ['/srv/data', 'ext4'],
    ['/', 'ext4'],
    ['/home', 'nfs4'],
    ['/home/ann/data', 'nfs4'],
    ['/home/ann/local disk/data', 'xfs'],
    ['/home2/data', 'fuse.sshfs'],
    ['/homes', 'ext4'],
    ['/twice/data', 'cifs'],
  ])('of %s is %s', (path, kind) => {
    expect(fileSystemOf(path, MOUNTS)).toBe(kind)
  })

  it('is not known without a list of mounts', () => {
    expect(fileSystemOf('/data', '')).toBeUndefined()
  })
})

describe('a trial in a folder', () => {
  const tried = (program: string, seconds?: number) => {
    const folder = mkdtempSync(join(tmpdir(), 'hyperslab-trial-'))
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
    const script = join(folder, 'program.cjs')
    writeFileSync(script, program)
    vi.spyOn(process, 'argv', 'get').mockReturnValue(['node', script])
    onTestFinished(() => void vi.restoreAllMocks())
    return tryFolder(folder, folder, seconds)
  }

  it('that never comes back is ended', () => {
    expect(tried('setInterval(() => {}, 1000)', 0.2)).toBe('no answer within 0.2 s')
  })

  it('that fails gives the reason', () => {
    expect(tried("console.error('it cannot'); process.exit(1)")).toBe('it cannot')
    expect(tried("process.kill(process.pid, 'SIGKILL')")).toBe('SIGKILL')
    expect(tried('')).toBeUndefined()
  })
})
