import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { fileError, recordsError } from './storage-errors.ts'

const withCode = (code: string) => Object.assign(new Error(`${code}: open '/secret/place'`), { code })

describe('a failure of the system', () => {
  it.each([
    ['ENOSPC', 'storage-full'],
    ['EDQUOT', 'storage-full'],
    ['EIO', 'storage-failed'],
    ['EMFILE', 'storage-failed'],
    ['ENFILE', 'storage-failed'],
    ['EROFS', 'storage-failed'],
    ['ENOMEM', 'storage-failed'],
    ['EACCES', 'storage-failed'],
  ])('%s of a file is %s, and tells no path', (code, expected) => {
    const error = fileError(withCode(code))
    expect(error).toMatchObject({ code: expected, cause: { code } })
    expect(String(error)).not.toContain('secret')
  })

  it.each(['ENOENT', 'EEXIST', 'ENOTDIR'])('%s is a defect or damage, and stays what it is', code => {
    const error = withCode(code)
    expect(fileError(error)).toBe(error)
  })

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
    const error = new Error('MDB_CORRUPTED: Located page was wrong type')
    expect(await recordsError(error, tmpdir())).toBe(error)
  })
})
