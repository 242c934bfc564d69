import { describe, expect, it } from 'vitest'
import { fileSystemOf } from './file-system.ts'

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
