// The parts of a multipart body (RFC 2046, 5.1), which share its memory.

export interface Part {
  readonly contentType: string
  readonly bytes: Uint8Array<ArrayBuffer>
}

/** `contentType`: of the whole body. */
export function partsOf(contentType: string, body: Uint8Array<ArrayBuffer>): readonly Part[] {
  const boundary = /boundary="?([^";]+)"?/.exec(contentType)?.[1]
  if (boundary === undefined) throw new Error(`the answer is no multipart body: ${contentType}`)
  const delimiter = bytesOf(`\r\n--${boundary}`)
  const parts: Part[] = []
  // The first delimiter has no line before it.
  for (let at = delimiter.length - 2; body[at] !== HYPHEN; ) {
    const end = requireFound(find(body, HEAD_END, at))
    const head = new TextDecoder('latin1').decode(body.subarray(at, end))
    const start = end + HEAD_END.length
    const length = /^content-length: *(\d+)\r?$/im.exec(head)?.[1]
    const next = length === undefined ? requireFound(find(body, delimiter, start)) : start + Number(length)
    const type = /^content-type: *([^\r\n]*)/im.exec(head)?.[1] ?? ''
    parts.push({ contentType: type, bytes: body.subarray(start, next) })
    at = next + delimiter.length
    if (at >= body.length) throw cutOff()
  }
  return parts
}

const HYPHEN = 0x2d
const HEAD_END = bytesOf('\r\n\r\n')

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

/** The position of `wanted` from `from` on; -1: it is not there. */
function find(bytes: Uint8Array, wanted: Uint8Array, from: number): number {
  for (let at = bytes.indexOf(wanted[0] ?? 0, from); at !== -1; at = bytes.indexOf(wanted[0] ?? 0, at + 1)) {
    if (wanted.every((byte, i) => bytes[at + i] === byte)) return at
  }
  return -1
}

function requireFound(position: number): number {
  if (position === -1) throw cutOff()
  return position
}

function cutOff(): Error {
  return new Error('the answer ends in the middle of a multipart body')
}
