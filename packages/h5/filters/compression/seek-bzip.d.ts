// The part of the package seek-bzip that is used; it has no types of its own.

declare module 'seek-bzip' {
  interface SeekBzip {
    /** Decodes the first stream. Throws for damaged bytes: each block has a checksum. */
    decode(input: Uint8Array, output: { writeByte(byte: number): void }): void
  }
  const seekBzip: SeekBzip
  export = seekBzip
}
