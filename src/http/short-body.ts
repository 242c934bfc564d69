// The length up to which a body is short, for all that treat short bodies in another way.

/**
 * Bytes of a body that is short: the request waits for all of it before anything else, so that no slot is held at the pace of
 * the client, and parses it as a whole.
 */
export const SHORT_BODY = 1 << 16
