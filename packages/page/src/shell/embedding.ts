// The address of a view for frames of other pages.

/** The last part of its path. */
export const EMBEDDED_NAME = 'embed'

export function isEmbedded(): boolean {
  return window.location.pathname.endsWith(`/ui/${EMBEDDED_NAME}`)
}
