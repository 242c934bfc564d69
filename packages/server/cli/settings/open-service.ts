// The settings of a service that is open until its first account is made (docs/decisions/098).

import { PERMISSIONS } from '@hyperslab/model/names'
import { isLoopbackHost } from '../../http/auth/hosts.ts'
import type { Settings } from './table.ts'

type UserSettings = Pick<Settings, 'passwordFile' | 'groupsFile' | 'tokenKeys' | 'loginProviders'>
type OpeningSettings = Pick<
  Settings,
  'host' | 'defaultAcl' | 'newDomains' | 'allowNoauth' | 'noauthWrites' | 'publicUrl'
>

/** Whether users come from elsewhere than the accounts of the store. */
export function namesUsers({ passwordFile, groupsFile, tokenKeys, loginProviders }: UserSettings): boolean {
  return [passwordFile, groupsFile, tokenKeys, loginProviders].some(setting => setting !== '')
}

/**
 * Whether callers may do everything until the first account is made: no setting takes anything from others, or says
 * that they come from elsewhere.
 */
export function isOpenUntilAccounts(settings: OpeningSettings): boolean {
  const { host, defaultAcl, newDomains, allowNoauth, noauthWrites, publicUrl } = settings
  const allowsAll = PERMISSIONS.every(permission => defaultAcl[permission]) && newDomains === 'anyone'
  return isLoopbackHost(host) && allowsAll && allowNoauth && noauthWrites && publicUrl === ''
}
