// The headers that every answer has, whatever it is and wherever it is made.

/**
 * Names and values alternately (hsds-objects 1.7). Values come with the media type that their creator chose, and a
 * browser must not take them for a page.
 */
export const FIXED_HEADERS = [
  ...['Server', 'Hyperslab'],
  ...['X-XSS-Protection', '1; mode=block'],
  ...['X-Content-Type-Options', 'nosniff'],
] as const
