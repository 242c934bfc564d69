// The headers of every answer of the service, and of every answer to a share.

/** The headers of answers below the address of a share: its secret stays with the client, and out of search engines. */
export const SHARE_HEADERS = ['Referrer-Policy', 'no-referrer', 'X-Robots-Tag', 'noindex'] as const

/**
 * Names and values alternately (hsds-objects 1.7). Values have the media type that their creator chose, and a browser
 * must not show them as a page.
 */
export const FIXED_HEADERS = [
  ...['Server', 'Hyperslab'],
  ...['X-XSS-Protection', '1; mode=block'],
  ...['X-Content-Type-Options', 'nosniff'],
] as const
