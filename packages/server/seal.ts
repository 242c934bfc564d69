// Sealed text: encrypted, and authentic, for keeping at clients and in the store. Only the holder of the secret can
// open it, and nobody can change it.

import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

export class Seal {
  readonly #key: Buffer

  /** `purpose`: what is sealed for one purpose cannot be opened for another. */
  constructor(secret: Uint8Array | string, purpose: string) {
    this.#key = Buffer.from(hkdfSync('sha256', secret, '', `hyperslab ${purpose}`, 32))
  }

  /** The sealed text, in letters, digits, "_" and "-". */
  close(text: string): string {
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, iv)
    const sealed = [iv, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
    return Buffer.concat(sealed).toString('base64url')
  }

  /** The text; undefined: it was sealed with another secret or for another purpose, or has been changed. */
  open(sealed: string): string | undefined {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
    const end = bytes.length - TAG_BYTES
    const decipher = createDecipheriv(CIPHER, this.#key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(end))
    try {
      return Buffer.concat([decipher.update(bytes.subarray(IV_BYTES, end)), decipher.final()]).toString(
        'utf8',
      )
    } catch {
      return undefined
    }
  }
}
