// The part of Node's Buffer that the package seek-bzip uses: the bundle has it instead, so that it runs in browsers.

export class Buffer extends Uint8Array {
  toString(encoding) {
    if (encoding !== 'hex') return super.toString()
    return Array.from(this, byte => byte.toString(16).padStart(2, '0')).join('')
  }
}
