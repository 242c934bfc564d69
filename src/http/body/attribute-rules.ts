// The rules of attributes in which dialects differ; attribute-input.ts reads them.

/** Attributes. */
export interface AttributeRules {
  /** A second PUT of an identical attribute: rejected, or accepted with 200. */
  readonly samePut: 'conflict' | 'accept'
  /** A new attribute with a null dataspace may come with a value, which has no effect, or this is an error. */
  readonly nullTakesValue: boolean
  /** A new attribute needs a value (classic 9.3), or may come without (hsds-objects 12.2). */
  readonly valueRequired: boolean
  /** In bodies `encoding` may say that `value` is the Base64 of its bytes (hsds-objects 16.4). */
  readonly base64: boolean
  /** A request that writes several attributes may come without any (hsds-objects 18). */
  readonly emptyBatch: boolean
  /** A string that is too long for its type is kept whole, beside its bytes (hsds-objects 16.1), or cut (classic 9.3). */
  readonly keepsText: boolean
}
