// A store of S3 in memory, with what the blobs need: signed PUT with the SHA-256 of the body, GET of ranges, HEAD,
// DELETE, lists in pages, and uploads of parts. It fails by a plan.

import { createHash } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { SECRET, signatureOf } from './s3-signature.ts'

export interface StoredObject {
  readonly bytes: Buffer
  /** Its headers `x-amz-meta-`. */
  readonly metadata: Readonly<Record<string, string>>
}

/** The fault of one request, in the place of its answer or in its answer. */
export type Fault =
  | { readonly status: number; readonly code?: string; readonly headers?: Readonly<Record<string, string>> }
  /** Nothing is answered, and the connection stays. */
  | 'stall'
  /** The connection ends before the request is done, or after it, without an answer. */
  | 'reset'
  | 'lose'
  /** The connection ends in the middle of the body. */
  | 'cut'
  /** The body is shorter, or has another byte, or is that of another range, and nothing else says so. */
  | 'truncate'
  | 'alter'
  | 'shift'

export interface S3Server {
  readonly address: string
  /** Objects by bucket and key: `bucket/key`. */
  readonly objects: Map<string, StoredObject>
  readonly uploads: Map<string, Upload>
  /** The keys that are valid, with their secrets. */
  readonly keys: Map<string, string>
  /** The method, path, query and range of each request. */
  readonly requests: string[]
  /** The keys that signed them, one after the other. */
  readonly signers: string[]
  /** Requests that were answered, or are, at the same time. */
  readonly mostAtOnce: number
  /** The fault of a request, by what `requests` has of it; undefined: there is none. */
  plan: (request: string) => Fault | undefined
  pageSize: number
  close(): Promise<void>
}

export interface Upload {
  readonly path: string
  readonly metadata: Readonly<Record<string, string>>
  readonly parts: Map<number, Buffer>
  begun: Date
}

/** A store with the bucket `bucket`. */
export async function startS3Server(): Promise<S3Server> {
  const http = createServer((request, response) => void handle(request, response))
  await new Promise<void>(resolve => http.listen(0, '127.0.0.1', resolve))
  // A listening TCP server has a port.
  const { port } = http.address() as AddressInfo
  let atOnce = 0
  const server = {
    address: `http://127.0.0.1:${port}`,
    objects: new Map<string, StoredObject>(),
    uploads: new Map<string, Upload>(),
    keys: new Map([['AKIDEXAMPLE', SECRET]]),
    requests: [] as string[],
    signers: [] as string[],
    mostAtOnce: 0,
    plan: (): Fault | undefined => undefined,
    pageSize: 7,
    close: () =>
      new Promise<void>(resolve => {
        http.close(() => resolve())
        http.closeAllConnections()
      }),
  } satisfies S3Server

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    server.mostAtOnce = Math.max(server.mostAtOnce, ++atOnce)
    response.on('close', () => atOnce--)
    const { method, url = '', headers } = request
    const asked = [method, decodeURIComponent(url), headers.range].filter(Boolean).join(' ')
    server.requests.push(asked)
    server.signers.push(signerOf(headers))
    const fault = (server as S3Server).plan(asked)
    if (fault === 'stall') return
    if (fault === 'reset') return void request.socket.destroy()
    const pieces: Buffer[] = []
    try {
      for await (const piece of request) pieces.push(piece)
    } catch {
      return
    }
    if (typeof fault === 'object') {
      return sendError(response, fault.status, fault.code, fault.headers)
    }
    const answer = answerTo(server, request, Buffer.concat(pieces))
    if (fault === 'lose') return void request.socket.destroy()
    send(response, method === 'HEAD', answer, fault)
  }
  return server
}

/** The environment of a process that uses the store. */
export function environmentOf({ address }: { readonly address: string }): NodeJS.ProcessEnv {
  return { AWS_ENDPOINT_URL: address, AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE', AWS_SECRET_ACCESS_KEY: SECRET }
}

interface Answer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string | number>>
  readonly body?: Buffer
}

function answerTo(server: S3Server, request: IncomingMessage, body: Buffer): Answer {
  const refusal = refusalOf(server, request, body)
  if (refusal) return refusal
  const { pathname, searchParams: query } = new URL(request.url ?? '', 'http://s3')
  const [bucket = '', ...rest] = decodeURIComponent(pathname).slice(1).split('/')
  if (bucket !== 'bucket') return failed(404, 'NoSuchBucket')
  const key = rest.join('/')
  const path = `${bucket}/${key}`
  if (key === '') return query.has('uploads') ? listUploads(server) : list(server, query)
  const upload = uploadAnswer(server, request, path, query, body)
  if (upload) return upload
  switch (request.method) {
    case 'PUT':
      server.objects.set(path, { bytes: body, metadata: metadataOf(request) })
      return { status: 200, headers: { etag: etagOf(body) } }
    case 'DELETE':
      server.objects.delete(path)
      return { status: 204 }
    default:
      return getObject(server.objects.get(path), request.headers.range)
  }
}

/** The key that signed the request; empty where none did. */
function signerOf({ authorization = '' }: IncomingMessage['headers']): string {
  return /Credential=([^/]+)\//.exec(authorization)?.[1] ?? ''
}

function refusalOf(
  { keys }: S3Server,
  { method = '', url = '', headers }: IncomingMessage,
  body: Buffer,
): Answer | undefined {
  if (headers.authorization === undefined) return failed(403, 'AccessDenied')
  const secret = keys.get(signerOf(headers))
  if (secret === undefined) return failed(403, 'InvalidAccessKeyId')
  const isSigned = headers.authorization.endsWith(
    `Signature=${signatureOf({ method, target: url, headers }, secret)}`,
  )
  if (!isSigned) return failed(403, 'SignatureDoesNotMatch')
  const hash = createHash('sha256').update(body).digest('hex')
  if (headers['x-amz-content-sha256'] !== hash) return failed(400, 'XAmzContentSHA256Mismatch')
  return undefined
}

function getObject(object: StoredObject | undefined, range: string | undefined): Answer {
  if (!object) return failed(404, 'NoSuchKey')
  const { bytes, metadata } = object
  if (range === undefined) return { status: 200, headers: metadata, body: bytes }
  const [, first = '', last = ''] = /^bytes=(\d+)-(\d+)$/.exec(range) ?? []
  const [start, end] = [Number(first), Math.min(Number(last) + 1, bytes.length)]
  if (start >= bytes.length) return failed(416, 'InvalidRange')
  const headers = { ...metadata, 'content-range': `bytes ${start}-${end - 1}/${bytes.length}` }
  return { status: 206, headers, body: bytes.subarray(start, end) }
}

function uploadAnswer(
  { uploads, objects }: S3Server,
  request: IncomingMessage,
  path: string,
  query: URLSearchParams,
  body: Buffer,
): Answer | undefined {
  if (query.has('uploads')) {
    const id = `upload-${uploads.size + 1}`
    uploads.set(id, { path, metadata: metadataOf(request), parts: new Map(), begun: new Date() })
    return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
  }
  const id = query.get('uploadId')
  if (id === null) return undefined
  const upload = uploads.get(id)
  if (!upload || upload.path !== path) return failed(404, 'NoSuchUpload')
  if (request.method === 'PUT') {
    upload.parts.set(Number(query.get('partNumber')), body)
    return { status: 200, headers: { etag: etagOf(body) } }
  }
  uploads.delete(id)
  if (request.method === 'DELETE') return { status: 204 }
  const parts = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]*)<\/ETag>/g)].map(
    ([, number, etag]) => ({ bytes: upload.parts.get(Number(number)), etag }),
  )
  const isComplete = parts.every(({ bytes, etag }) => bytes && etagOf(bytes) === etag)
  const isLarge = parts.slice(0, -1).every(({ bytes }) => bytes && bytes.length >= 5 * 2 ** 20)
  if (!isComplete || !isLarge) return failed(400, isComplete ? 'EntityTooSmall' : 'InvalidPart')
  const bytes = Buffer.concat(parts.flatMap(part => part.bytes ?? []))
  objects.set(path, { bytes, metadata: upload.metadata })
  return xml('<CompleteMultipartUploadResult></CompleteMultipartUploadResult>')
}

function list({ objects, pageSize }: S3Server, query: URLSearchParams): Answer {
  const prefix = `bucket/${query.get('prefix') ?? ''}`
  const after = query.get('continuation-token') ?? ''
  const keys = [...objects.keys()].filter(path => path.startsWith(prefix) && path > after).sort()
  const count = Math.min(Number(query.get('max-keys') ?? 1000), pageSize)
  const page = keys.slice(0, count)
  const contents = page.map(
    path =>
      `<Contents><Key>${encodeURIComponent(path.slice('bucket/'.length))}</Key><Size>${objects.get(path)?.bytes.length}</Size></Contents>`,
  )
  const next = keys.length > count ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
  return xml(
    `<ListBucketResult><EncodingType>url</EncodingType><IsTruncated>${keys.length > count}</IsTruncated>${next}${contents.join('')}</ListBucketResult>`,
  )
}

function listUploads({ uploads }: S3Server): Answer {
  const listed = [...uploads].map(
    ([id, { path, begun }]) =>
      `<Upload><Key>${path.slice('bucket/'.length)}</Key><UploadId>${id}</UploadId><Initiated>${begun.toISOString()}</Initiated></Upload>`,
  )
  return xml(
    `<ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`,
  )
}

function send(response: ServerResponse, isHead: boolean, answer: Answer, fault: Fault | undefined): void {
  const { status, headers, body = Buffer.alloc(0) } = answer
  const sent = faulty(body, fault)
  response.writeHead(status, { ...headers, 'content-length': fault === 'cut' ? body.length : sent.length })
  if (isHead) response.end()
  else if (fault === 'cut')
    response.write(body.subarray(0, body.length / 2), () => response.socket?.destroy())
  else response.end(sent)
}

function faulty(body: Buffer, fault: Fault | undefined): Buffer {
  if (fault === 'truncate') return body.subarray(0, body.length - 1)
  if (fault === 'shift') return Buffer.concat([body.subarray(1), body.subarray(0, 1)])
  if (fault !== 'alter') return body
  const altered = Buffer.from(body)
  altered[altered.length >> 1] ^= 1
  return altered
}

function failed(status: number, code: string): Answer {
  return { status, body: errorBody(code) }
}

function sendError(
  response: ServerResponse,
  status: number,
  code: string | undefined,
  headers: Readonly<Record<string, string>> = {},
): void {
  const body = code === undefined ? Buffer.alloc(0) : errorBody(code)
  response.writeHead(status, { ...headers, 'content-length': body.length }).end(body)
}

function errorBody(code: string): Buffer {
  return Buffer.from(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`)
}

function xml(content: string): Answer {
  return { status: 200, body: Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${content}`) }
}

function etagOf(body: Buffer): string {
  return `"${createHash('md5').update(body).digest('hex')}"`
}

function metadataOf({ headers }: IncomingMessage): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) =>
      name.startsWith('x-amz-meta-') && typeof value === 'string' ? [[name, value]] : [],
    ),
  )
}
