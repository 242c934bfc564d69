// The error class of the project and the table of its codes. A code names the failure in the words of the model;
// each dialect gives every kind a status. Nothing here knows HTTP. `docs/errors.md` has a heading per code.

/** The kind of a failure. Dialects map kinds to statuses, with exceptions by code. */
export type ErrorKind =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'missing'
  | 'method'
  | 'conflict'
  | 'gone'
  | 'too-large'
  | 'unsupported'
  | 'limited'
  | 'busy'
  | 'timeout'

/** Every code with its kind. Adding a code needs a heading in `docs/errors.md`; a test compares both ways. */
export const ERROR_KINDS = {
  // Requests
  'route-not-found': 'missing',
  'method-not-allowed': 'method',
  'preflight-refused': 'forbidden',
  'origin-not-allowed': 'forbidden',
  'host-not-allowed': 'forbidden',
  'header-required': 'forbidden',
  'malformed-request': 'invalid',
  'head-too-large': 'too-large',
  'malformed-url': 'invalid',
  'malformed-json': 'invalid',
  'malformed-body': 'invalid',
  'malformed-id': 'invalid',
  'malformed-parameter': 'invalid',
  'event-unknown': 'invalid',
  'malformed-pattern': 'invalid',
  'body-too-large': 'too-large',
  'unsupported-media-type': 'invalid',
  'malformed-precondition': 'invalid',
  'precondition-failed': 'invalid',
  'state-changed': 'invalid',
  'range-not-satisfiable': 'invalid',
  'option-unsupported': 'unsupported',
  // Callers
  'malformed-credentials': 'invalid',
  'wrong-credentials': 'unauthenticated',
  'credentials-required': 'unauthenticated',
  'not-authenticated': 'unauthenticated',
  'session-ended': 'unauthenticated',
  'token-ended': 'unauthenticated',
  'permission-denied': 'forbidden',
  'scope-exceeded': 'forbidden',
  'session-not-found': 'missing',
  'token-not-found': 'missing',
  'too-many-tokens': 'conflict',
  'share-not-found': 'missing',
  'too-many-shares': 'conflict',
  'user-not-found': 'missing',
  'user-exists': 'conflict',
  'accounts-exist': 'conflict',
  'last-administrator': 'conflict',
  'audit-not-kept': 'missing',
  'wrong-code': 'forbidden',
  'wrong-password': 'forbidden',
  'password-elsewhere': 'conflict',
  'provider-not-found': 'missing',
  'login-unknown': 'invalid',
  'login-failed': 'forbidden',
  'provider-unavailable': 'busy',
  'provider-misconfigured': 'unsupported',
  'token-keys-unavailable': 'busy',
  'accounts-unavailable': 'busy',
  'too-many-logins': 'busy',
  // Domains
  'malformed-domain': 'invalid',
  'bucket-not-found': 'missing',
  'foreign-domain': 'forbidden',
  'domain-not-named': 'invalid',
  'domain-not-found': 'missing',
  'domain-deleted': 'gone',
  'domain-changed': 'gone',
  'domain-exists': 'conflict',
  'files-differ': 'conflict',
  'domain-is-folder': 'invalid',
  'last-domain-name': 'conflict',
  'domain-read-only': 'forbidden',
  'domain-unreadable': 'unsupported',
  'domain-open-for-writing': 'conflict',
  'folder-not-found': 'missing',
  'parent-is-domain': 'invalid',
  'folder-not-empty': 'conflict',
  'folder-too-large': 'too-large',
  'folder-protected': 'forbidden',
  // Objects
  'object-not-found': 'missing',
  'object-deleted': 'gone',
  'object-not-in-domain': 'invalid',
  'id-not-free': 'invalid',
  'id-repeated': 'conflict',
  'malformed-path': 'invalid',
  'root-group-protected': 'forbidden',
  // Links
  'malformed-link': 'invalid',
  'malformed-name': 'invalid',
  'link-not-found': 'missing',
  'link-deleted': 'gone',
  'link-exists': 'conflict',
  'link-protected': 'forbidden',
  // Attributes
  'attribute-not-found': 'missing',
  'attribute-deleted': 'gone',
  'attribute-exists': 'conflict',
  // Datatypes, dataspaces, creation properties
  'malformed-type': 'invalid',
  'malformed-shape': 'invalid',
  'malformed-creation-properties': 'invalid',
  'not-extensible': 'invalid',
  'extent-out-of-bounds': 'invalid',
  // Values and selections
  'malformed-selection': 'invalid',
  'selection-out-of-bounds': 'invalid',
  'selection-too-large': 'too-large',
  'write-too-large': 'too-large',
  'element-too-large': 'too-large',
  'too-many-references': 'too-large',
  'malformed-fields': 'invalid',
  'malformed-value': 'invalid',
  'value-count-mismatch': 'invalid',
  'value-out-of-range': 'invalid',
  'type-mismatch': 'invalid',
  'null-dataspace': 'invalid',
  'text-not-utf8': 'invalid',
  'values-unreadable': 'unsupported',
  'values-elsewhere': 'invalid',
  'reference-not-found': 'missing',
  'malformed-query': 'invalid',
  'not-queryable': 'invalid',
  'type-unsupported': 'unsupported',
  'format-unsupported': 'unsupported',
  // Access control lists
  'acl-not-found': 'missing',
  'malformed-acl': 'invalid',
  'acl-user-unknown': 'invalid',
  'acl-of-owner': 'conflict',
  // Files
  'not-hdf5': 'invalid',
  'file-not-found': 'missing',
  'file-unreadable': 'invalid',
  'file-damaged': 'invalid',
  'file-open-for-writing': 'invalid',
  'file-changed': 'busy',
  'file-unavailable': 'busy',
  // The service itself
  'request-not-found': 'missing',
  'quota-not-found': 'missing',
  'budget-exceeded': 'limited',
  'too-busy': 'busy',
  'not-ready': 'busy',
  'client-too-slow': 'timeout',
  'storage-conflict': 'busy',
  'storage-full': 'busy',
  'quota-exceeded': 'busy',
  'storage-failed': 'busy',
  'storage-locked': 'busy',
  'values-damaged': 'busy',
  'records-damaged': 'busy',
  'too-many-snapshots': 'busy',
  'snapshot-too-old': 'busy',
  'still-deleting': 'busy',
} as const satisfies Record<string, ErrorKind>

export type ErrorCode = keyof typeof ERROR_KINDS

/**
 * An error that a caller can act on. `message` names the requested thing, the rule, and the remedy, never a secret or
 * an internal path. Any other thrown value is a defect of the service.
 */
export class HyperslabError extends Error {
  readonly code: ErrorCode
  /** The id, name or path that the error is about, if there is one. */
  readonly subject: string | undefined
  /** Seconds after which the same request may succeed, if known. */
  readonly retryAfter: number | undefined
  /** Bytes of the whole answer, if the requested range is outside of it. */
  readonly wholeLength: number | undefined

  constructor(
    code: ErrorCode,
    message: string,
    options: { subject?: string; cause?: unknown; retryAfter?: number; wholeLength?: number } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'HyperslabError'
    this.code = code
    this.subject = options.subject
    this.retryAfter = options.retryAfter
    this.wholeLength = options.wholeLength
  }

  /** The same error, with the part of the request that it is about before its message. */
  within(part: string): HyperslabError {
    const { subject, retryAfter } = this
    const options = {
      cause: this,
      ...(subject !== undefined && { subject }),
      ...(retryAfter !== undefined && { retryAfter }),
    }
    return new HyperslabError(this.code, `${part}: ${this.message}`, options)
  }

  get kind(): ErrorKind {
    return ERROR_KINDS[this.code]
  }
}
