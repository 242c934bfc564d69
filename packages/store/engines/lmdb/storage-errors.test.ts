import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { recordsError } from './storage-errors.ts'

describe('a failure of the system', () => {
  it.each([
    ['Input/output error', 'storage-failed', 'EIO'],
    ['Too many open files', 'storage-failed', 'EMFILE'],
    ['Read-only file system', 'storage-failed', 'EROFS'],
    ['Cannot allocate memory', 'storage-failed', 'ENOMEM'],
    ['No space left on device', 'storage-full', 'full'],
  ])('%j of LMDB is %s', async (message, code, told) => {
    const error = await recordsError(new Error(message), tmpdir())
    expect(error).toMatchObject({ code, message: expect.stringContaining(told) })
  })

  it('another error of LMDB stays what it is', async () => {
    const error = new Error('MDB_MAP_FULL: Environment mapsize limit reached')
    expect(await recordsError(error, tmpdir())).toBe(error)
  })

  it('damage that LMDB has found is named, with what to do', async () => {
    const error = new Error('MDB_CORRUPTED: Located page was wrong type')
    expect(await recordsError(error, tmpdir())).toMatchObject({
      code: 'records-damaged',
      message: expect.stringMatching(/MDB_CORRUPTED: Located page was wrong type.*: restore the data folder/),
      cause: error,
    })
  })
})
