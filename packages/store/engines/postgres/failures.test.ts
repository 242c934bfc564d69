import { HyperslabError } from '@hyperslab/base/errors'
import { describe, expect, it } from 'vitest'
import { databaseError, isConnectionLost, isOutcomeUnknown, isStatementMissing } from './failures.ts'

function failure(code: string, message = ''): Error {
  return Object.assign(new Error(message), code === '' ? {} : { code })
}

describe('a failure of the database', () => {
  it.each([
    ['no room on its disk', failure('53100'), 'storage-full', undefined],
    ['no more connections', failure('53300'), 'storage-failed', 2],
    ['it is shutting down', failure('57P01'), 'storage-failed', 2],
    ['it is starting', failure('57P03'), 'storage-failed', 2],
    ['a standby, which cannot be written', failure('25006'), 'storage-failed', 2],
    ['the password is wrong', failure('28P01'), 'storage-failed', 2],
    ['an error of its disk', failure('58030'), 'storage-failed', 2],
    ['a damaged index', failure('XX002'), 'storage-failed', 2],
    ['a deadlock', failure('40P01'), 'storage-failed', 2],
    ['nothing listens', failure('ECONNREFUSED'), 'storage-failed', 2],
    ['no such host', failure('ENOTFOUND'), 'storage-failed', 2],
    ['a connection that ended', failure('', 'Connection terminated unexpectedly'), 'storage-failed', 2],
    ['no answer in time', failure('', 'Query read timeout'), 'storage-failed', 2],
  ])('%s', (_name, error, code, retryAfter) => {
    const found = databaseError(error)
    expect(found).toBeInstanceOf(HyperslabError)
    expect(found).toMatchObject({ code, retryAfter, cause: error })
  })

  it('that is a defect of ours stays what it is', () => {
    for (const error of [failure('42601'), failure('22P02'), failure('HS001'), new TypeError('x')])
      expect(databaseError(error)).toBe(error)
  })
})

it.each([
  ['a connection that ended', failure('', 'Connection terminated unexpectedly'), true, true],
  ['a backend that was ended', failure('57P01'), true, true],
  ['a reset', failure('ECONNRESET'), true, true],
  ['no answer in time', failure('', 'Query read timeout'), false, true],
  // A connection that is not made in time is not tried again at once: the time limit is used up.
  ['no connection in time', failure('', 'Connection terminated due to connection timeout'), false, true],
  ['a rule that was broken', failure('HS001'), false, false],
])('after %s the statement is sent again, or its outcome is not known', (_name, error, isLost, isUnknown) => {
  expect([isConnectionLost(error), isOutcomeUnknown(error)]).toEqual([isLost, isUnknown])
})

it.each([
  ['there is no prepared statement of that name', failure('26000'), true],
  ['another one has the name', failure('42P05'), true],
  ['a column is missing', failure('42703'), false],
  ['the connection ended', failure('ECONNRESET'), false],
])('%s: the statement was not begun: %s', (_name, error, isMissing) => {
  expect(isStatementMissing(error)).toBe(isMissing)
})
