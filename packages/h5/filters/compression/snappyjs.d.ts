// The part of the package snappyjs that is used; it has no types of its own.

declare module 'snappyjs' {
  export function compress(bytes: Uint8Array): Uint8Array
  /** Throws for damaged bytes. Makes memory of the length that they claim. */
  export function uncompress(bytes: Uint8Array): Uint8Array
}
