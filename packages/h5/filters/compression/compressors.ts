// The interface of the compressors for which a system may have fast native code: deflate, LZ4, Snappy and
// Zstandard. Each reads the streams of all others; the streams that they make may differ.

type Bytes = Uint8Array

export interface Compressors {
  /** A zlib stream. */
  deflate(bytes: Bytes, level: number): Bytes | Promise<Bytes>
  /** The content of a zlib stream. Throws for a damaged one, and for content of more than `maxLength` bytes. */
  inflate(bytes: Bytes, maxLength: number): Bytes | Promise<Bytes>
  /** The content of a zlib stream in pieces. Throws for a damaged one. */
  inflatePieces(bytes: Bytes): AsyncIterable<Bytes>
  compressLz4(bytes: Bytes): Bytes | Promise<Bytes>
  /** The `length` bytes that a block holds; `dictionary`: bytes to which it refers as if they were before them. */
  decompressLz4(block: Bytes, length: number, dictionary?: Bytes): Bytes | Promise<Bytes>
  compressSnappy(bytes: Bytes): Bytes | Promise<Bytes>
  /** A frame that contains the length of its content. */
  compressZstd(bytes: Bytes, level: number): Bytes | Promise<Bytes>
  /** The content of a frame, `length` bytes. Throws for most damage. */
  decompressZstd(frame: Bytes, length: number): Bytes | Promise<Bytes>
  /** Makes as many bytes as the content claims in its first bytes, which the caller has checked. */
  decompressSnappy(bytes: Bytes): Bytes | Promise<Bytes>
}
