// The rules of queries in which dialects differ; query-input.ts and query-output.ts read them.

import type { QueryGrammar } from '../../hdf5/query/parse.ts'

/** Queries. */
export interface QueryRules {
  readonly grammar: QueryGrammar
  /**
   * Only one-dimensional datasets of a compound type are searched, or all but scalars (classic 7.8; hsds-values 11.2).
   */
  readonly searches: 'tables' | 'all'
  /** What a query finds is sent as bytes when bytes are asked for. */
  readonly binary: boolean
  /** What a query finds comes with the indexes of the elements in a list beside them, or first in each row (hsds-objects 18). */
  readonly rows: 'index-beside' | 'index-first'
  /** Of elements that a query changes the indexes are sent, or the elements too, in rows that begin with their indexes (hsds-objects 18). */
  readonly updated: 'indexes' | 'elements'
}
