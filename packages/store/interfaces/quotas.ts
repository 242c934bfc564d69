// Quotas, as the service sets and reads them.

import type { DomainPath } from '@hyperslab/model/names'

/** Domains that a quota covers: the domains below a folder at any depth, or those that belong to an owner. */
export type QuotaScope = { readonly folder: DomainPath } | { readonly owner: string }

export interface QuotaLimits {
  /** Stored bytes of values and of the records of objects, links and attributes; absent: any. */
  readonly bytes?: number
  /** Groups, datasets and committed datatypes; absent: any. */
  readonly objects?: number
}

export type NewQuota = QuotaScope & QuotaLimits

export type Quota = NewQuota & {
  /** The use of the contents that are charged. Contents with several names are charged once. */
  readonly used: Required<QuotaLimits>
  /** False: the contents that were there before are still being counted, and the quota is not enforced yet. */
  readonly isEnforced: boolean
}
