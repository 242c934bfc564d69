// Blobs whose length is not known before they are put: parts of 16 MiB, two of them in transfer at once. If the source
// or the store fails, the store is asked to remove the parts. Those of a process that ended meanwhile stay: a process
// that opens the store removes them when they are a week old.

import { inParallel } from '@hyperslab/base/bounded'
import { HyperslabError } from '@hyperslab/base/errors'
import { contentOf, elements } from '@hyperslab/base/outgoing'
import type { BlobPieces } from '../../interfaces/engine.ts'
import { CHECKSUM_HEADER, UNCHECKED } from './checksums.ts'
import type { S3Answer, S3Client } from './client.ts'
import { unusableAnswer } from './failures.ts'

/**
 * S3 takes 10,000 parts of an object; the first of them have one size, enough for 78 GiB, since some stores require
 * that.
 */
const SMALL_PARTS = 5000
/** Parts of an object of S3. @limit format, parts */
const MAX_PARTS = 10_000
const PART_BYTES = 16 * 2 ** 20
const LARGE_PART_BYTES = 64 * 2 ** 20
/** Parts of an upload that are in memory. @limit memory, parts */
const PARTS_AT_ONCE = 2
const FORGOTTEN_MILLISECONDS = 7 * 24 * 3600 * 1000

export interface Part {
  readonly number: number
  readonly bytes: Uint8Array
}

/**
 * Cuts the bytes of the pieces into parts, which are lent until `giveBack`. The length of a part depends on its number;
 * the last one may be shorter.
 */
export class Parts {
  readonly #pieces: BlobPieces
  readonly #free: Uint8Array[] = []

  constructor(pieces: BlobPieces) {
    this.#pieces = pieces
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Part> {
    let number = 1
    let memory = this.#take(number)
    let filled = 0
    for await (const piece of this.#pieces) {
      for (let done = 0; done < piece.length; ) {
        if (filled === memory.length) {
          yield { number, bytes: memory }
          memory = this.#take(++number)
          filled = 0
        }
        const taken = piece.subarray(done, done + memory.length - filled)
        memory.set(taken, filled)
        filled += taken.length
        done += taken.length
      }
    }
    yield { number, bytes: memory.subarray(0, filled) }
  }

  giveBack({ bytes }: Part): void {
    this.#free.push(new Uint8Array(bytes.buffer))
  }

  #take(number: number): Uint8Array {
    if (number > MAX_PARTS) {
      throw new HyperslabError('write-too-large', 'an object store takes files of up to 390 GiB')
    }
    const length = number <= SMALL_PARTS ? PART_BYTES : LARGE_PART_BYTES
    const free = this.#free.pop()
    return free?.length === length ? free : new Uint8Array(Buffer.allocUnsafeSlow(length).buffer)
  }
}

/** Puts a blob of several parts; `giveBack` is called with each that the store has. */
export async function putInParts(
  client: S3Client,
  name: string,
  parts: AsyncIterable<Part>,
  giveBack: (part: Part) => void,
): Promise<void> {
  const upload = await beginUpload(client, name)
  try {
    const etags: string[] = []
    let total = 0
    await inParallel(parts, PARTS_AT_ONCE, async part => {
      total += part.bytes.length
      etags[part.number - 1] = await putPart(client, name, upload, part)
      giveBack(part)
    })
    await completeUpload(client, name, upload, etags, total)
  } catch (error) {
    // If this fails, `abortForgottenUploads` removes the parts later.
    await abortUpload(client, name, upload).catch(() => undefined)
    throw error
  }
}

async function beginUpload(client: S3Client, name: string): Promise<string> {
  const { text } = await client.send({
    method: 'POST',
    key: name,
    query: { uploads: '' },
    headers: { [CHECKSUM_HEADER]: UNCHECKED },
    check: ({ text }) => {
      if (!contentOf(text, 'UploadId')) throw unusableAnswer('the S3 store did not begin an upload in parts')
    },
  })
  return contentOf(text, 'UploadId') ?? ''
}

async function putPart(client: S3Client, name: string, uploadId: string, part: Part): Promise<string> {
  const { headers, status } = await client.send({
    method: 'PUT',
    key: name,
    query: { partNumber: String(part.number), uploadId },
    body: part.bytes,
  })
  if (status === 404) throw lostUpload(name)
  return headers.etag ?? ''
}

/** When the answer to a first attempt was lost, the next one finds no upload, but the blob. */
async function completeUpload(
  client: S3Client,
  name: string,
  uploadId: string,
  etags: readonly string[],
  total: number,
): Promise<void> {
  const parts = etags.map(
    (etag, index) => `<Part><PartNumber>${index + 1}</PartNumber><ETag>${etag}</ETag></Part>`,
  )
  const namespace = 'http://s3.amazonaws.com/doc/2006-03-01/'
  const body = `<CompleteMultipartUpload xmlns="${namespace}">${parts.join('')}</CompleteMultipartUpload>`
  const { status } = await client.send({
    method: 'POST',
    key: name,
    query: { uploadId },
    body: Buffer.from(body),
    check: requireCompletion,
  })
  if (status !== 404) return
  const { headers, status: found } = await client.send({ method: 'HEAD', key: name })
  if (found !== 200 || Number(headers['content-length']) !== total) throw lostUpload(name)
}

/**
 * Throws if the answer is an error: it may begin with 200, since the call takes long, and report an error in its body.
 */
function requireCompletion({ text }: S3Answer): void {
  if (text.includes('<Error'))
    throw unusableAnswer(`the S3 store could not join the parts: ${contentOf(text, 'Code')}`)
}

function lostUpload(name: string): Error {
  return new Error(`the S3 store has lost parts of ${name} that it had acknowledged`)
}

async function abortUpload(client: S3Client, name: string, uploadId: string): Promise<void> {
  await client.send({ method: 'DELETE', key: name, query: { uploadId } })
}

/** Removes the parts of uploads that were begun a week ago, by the clock of the store. */
export async function abortForgottenUploads(client: S3Client): Promise<void> {
  let marker: Readonly<Record<string, string>> | undefined = {}
  while (marker) {
    const answer: S3Answer = await client.send({
      method: 'GET',
      query: { uploads: '', prefix: client.prefix, ...marker },
    })
    const before = Date.parse(answer.headers.date ?? '') - FORGOTTEN_MILLISECONDS
    for (const upload of elements(answer.text, 'Upload')) {
      const key = contentOf(upload, 'Key') ?? ''
      const begun = Date.parse(contentOf(upload, 'Initiated') ?? '')
      if (!key.startsWith(client.prefix) || !(begun < before)) continue
      await abortUpload(client, key.slice(client.prefix.length), contentOf(upload, 'UploadId') ?? '')
    }
    marker = nextPage(answer.text)
  }
}

function nextPage(text: string): Readonly<Record<string, string>> | undefined {
  const key = contentOf(text, 'NextKeyMarker')
  if (contentOf(text, 'IsTruncated') !== 'true' || !key) return undefined
  return { 'key-marker': key, 'upload-id-marker': contentOf(text, 'NextUploadIdMarker') ?? '' }
}
