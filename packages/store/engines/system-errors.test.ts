import { constants } from 'node:os'
import { describe, expect, it } from 'vitest'
import { fileError } from './system-errors.ts'

const withCode = (code: string, errno = -1) =>
  Object.assign(new Error(`${code}: open '/secret/place'`), { code, errno })

describe('a failure of the system', () => {
  it.each([
    ['ENOSPC', 'storage-full'],
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

  it('of a used-up quota, which Node does not know by name, is a full disk', () => {
    const errno = -constants.errno.EDQUOT
    expect(fileError(withCode(`Unknown system error ${errno}`, errno))).toMatchObject({
      code: 'storage-full',
    })
  })

  it.each(['ENOENT', 'EEXIST', 'ENOTDIR'])('%s is a defect or damage, and stays what it is', code => {
    const error = withCode(code)
    expect(fileError(error)).toBe(error)
  })
})
