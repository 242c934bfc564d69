// A query: a condition on the elements of a dataset, as it was written, before its fields are known.

export type Comparator = '==' | '!=' | '<' | '<=' | '>' | '>='

/** A name in the query, and its position in the text. */
export interface FieldName {
  readonly name: string
  readonly position: number
}

/** A value in the query, with its spelling and its position in the text. */
export type Literal = { readonly source: string; readonly position: number } & (
  | {
      readonly kind: 'number'
      /** A bigint for an integer beyond +-2^53, written without point and exponent. */
      readonly value: number | bigint
    }
  | { readonly kind: 'text'; readonly bytes: Uint8Array }
)

/** A condition on an element. */
export type Condition =
  | {
      readonly kind: 'comparison'
      readonly field: FieldName
      readonly comparator: Comparator
      readonly literal: Literal
    }
  /** A membership has at least one literal. */
  | { readonly kind: 'membership'; readonly field: FieldName; readonly literals: readonly Literal[] }
  | { readonly kind: 'not'; readonly operand: Condition }
  /** A combination has at least two operands. */
  | { readonly kind: 'and' | 'or' | 'xor'; readonly operands: readonly Condition[] }

export interface Query {
  /** The query as it was written, for messages. */
  readonly text: string
  readonly condition: Condition
}
