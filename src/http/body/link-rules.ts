// The rules of links in which dialects differ.

/** Links. */
export interface LinkRules {
  /** A second PUT of an identical link: rejected, or accepted with 200. */
  readonly samePut: 'conflict' | 'accept'
  /** A body with the members of two forms is an error (hsds-objects 11.1), or the first form counts (classic 6.7). */
  readonly twoForms: 'error' | 'first'
}
