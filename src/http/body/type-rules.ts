// The rules of datatypes in which dialects differ; type-use.ts reads them.

/** Datatypes. */
export interface TypeRules {
  /** A predefined name that is the whole type needs its byte order (hsds-objects 14.2), or is little-endian without. */
  readonly namesNeedOrder: boolean
  /** Bitfields can be created, or only come with imported files (hsds-values 3.2). */
  readonly takesBitfields: boolean
  /** Type objects come back as they were sent (hsds-values 3.2), or in one form (classic 14.3). */
  readonly keepsSpelling: boolean
}
