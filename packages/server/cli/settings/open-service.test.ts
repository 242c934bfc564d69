import { expect, it } from 'vitest'
import { ALL_PERMISSIONS, READ_ONLY_PERMISSIONS } from '../../service/access/access.ts'
import { isOpenUntilAccounts } from './open-service.ts'

const OPEN = {
  host: '127.0.0.1',
  defaultAcl: ALL_PERMISSIONS,
  newDomains: 'anyone',
  allowNoauth: true,
  noauthWrites: true,
  publicUrl: '',
} as const

it.each([{}, { host: 'localhost' }, { host: '::1' }, { host: '127.0.0.2' }])(
  'a service with %j is open',
  more => {
    expect(isOpenUntilAccounts({ ...OPEN, ...more })).toBe(true)
  },
)

it.each([
  { host: '0.0.0.0' },
  { host: '::' },
  { host: '192.168.1.7' },
  { host: 'lab.example' },
  { defaultAcl: READ_ONLY_PERMISSIONS },
  { newDomains: 'authenticated' },
  { newDomains: 'nobody' },
  { allowNoauth: false },
  { noauthWrites: false },
  { publicUrl: 'https://data.example.org' },
] as const)('one with %j is not', more => {
  expect(isOpenUntilAccounts({ ...OPEN, ...more })).toBe(false)
})
