// The end of a file of values: a CRC-32 of each part of the blob, and a last record with the end of the blob. It is
// written with the file and made durable with it, before a commit names the blob, so after a crash it is there and
// right, or no commit names the blob. It looks like this, numbers with the lowest byte first:
//   CRC-32 of each part 4 bytes each; the last part may be shorter
//   "hslbcrc1" 8 bytes
//   bytes of the blob 8 bytes
//   bytes of a part 4 bytes
//   CRC-32 4 bytes: of the name of the blob and of all this before it Files of earlier releases end with the blob.

import { crc32 } from 'node:zlib'

const MAGIC = Buffer.from('hslbcrc1')
/** The length of the last record. */
export const END_BYTES = 24
const SUM_BYTES = 4

/** Bytes of a part of a blob whose length is known when it is written, so that short reads find whole parts. */
export const PART_BYTES = 2 ** 16
/** Bytes of a part of a blob that may have any length. */
export const LARGE_PART_BYTES = 2 ** 20

/** Makes the end of a file from the pieces of its blob. */
export class ChecksumWriter {
  readonly #partBytes: number
  readonly #sums: number[] = []
  /** The checksum of the part that is not complete. */
  #sum = 0
  #length = 0

  constructor(partBytes: number) {
    this.#partBytes = partBytes
  }

  add(piece: Uint8Array): void {
    for (let offset = 0; offset < piece.length; ) {
      const inPart = this.#length % this.#partBytes
      const taken = Math.min(piece.length - offset, this.#partBytes - inPart)
      this.#sum = crc32(piece.subarray(offset, offset + taken), inPart === 0 ? 0 : this.#sum)
      this.#length += taken
      offset += taken
      if (inPart + taken === this.#partBytes) this.#sums.push(this.#sum)
    }
  }

  end(name: string): Uint8Array {
    const sums = this.#length % this.#partBytes === 0 ? this.#sums : [...this.#sums, this.#sum]
    const bytes = Buffer.alloc(SUM_BYTES * sums.length + END_BYTES)
    for (const [i, sum] of sums.entries()) bytes.writeUInt32LE(sum, SUM_BYTES * i)
    const record = bytes.subarray(SUM_BYTES * sums.length)
    MAGIC.copy(record)
    record.writeBigUInt64LE(BigInt(this.#length), 8)
    record.writeUInt32LE(this.#partBytes, 16)
    record.writeUInt32LE(sumOfEnd(name, bytes), 20)
    return bytes
  }
}

/** The contents of the end of a file. */
export interface BlobEnd {
  /** Bytes of the blob. */
  readonly length: number
  readonly partBytes: number
  /** Bytes of the checksums with the last record. */
  readonly endBytes: number
}

/** Undefined: the file, which has `size` bytes and ends with `tail`, has no checksums. */
export function decodeEnd(size: number, tail: Buffer): BlobEnd | undefined {
  if (tail.length < END_BYTES) return undefined
  const record = tail.subarray(tail.length - END_BYTES)
  if (!record.subarray(0, MAGIC.length).equals(MAGIC)) return undefined
  const length = Number(record.readBigUInt64LE(8))
  const partBytes = record.readUInt32LE(16)
  const endBytes = SUM_BYTES * Math.ceil(length / partBytes) + END_BYTES
  return length + endBytes === size ? { length, partBytes, endBytes } : undefined
}

export class Checksums {
  readonly #end: BlobEnd
  /** The checksums and the last record. */
  readonly #bytes: Buffer
  readonly #isIntact: boolean
  /** A byte for each part: 1 if it was compared. */
  readonly #compared: Uint8Array

  constructor(name: string, end: BlobEnd, bytes: Buffer) {
    this.#end = end
    this.#bytes = bytes
    this.#isIntact = bytes.readUInt32LE(bytes.length - SUM_BYTES) === sumOfEnd(name, bytes)
    this.#compared = new Uint8Array(Math.ceil(end.length / end.partBytes))
  }

  /**
   * Whether the parts within the bytes, which begin at `offset`, match their checksums. A part that is only partly in
   * the bytes cannot be compared, and one that was compared is not compared again.
   */
  areRight(offset: number, bytes: Uint8Array): boolean {
    if (!this.#isIntact) return false
    const { length, partBytes } = this.#end
    const end = offset + bytes.length
    for (let part = Math.ceil(offset / partBytes); part < this.#compared.length; part++) {
      const start = part * partBytes
      const partEnd = Math.min(start + partBytes, length)
      if (partEnd > end) break
      if (this.#compared[part] === 1) continue
      if (
        crc32(bytes.subarray(start - offset, partEnd - offset)) !== this.#bytes.readUInt32LE(SUM_BYTES * part)
      )
        return false
      this.#compared[part] = 1
    }
    return true
  }
}

function sumOfEnd(name: string, bytes: Buffer): number {
  return crc32(bytes.subarray(0, bytes.length - SUM_BYTES), crc32(name))
}
