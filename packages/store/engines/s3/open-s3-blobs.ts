// The blobs half of an engine in a bucket of any S3 store, with a cache on the local disk if one is given.

import { mkdir } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Clock } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { parseS3Address, s3Access } from '@hyperslab/base/outgoing'
import type { BlobsEngine } from '../../interfaces/engine.ts'
import { hasCode } from '../files/blobs.ts'
import { keepFromOthers } from '../files/private-folder.ts'
import { FULL } from '../system-errors.ts'
import { listPage, S3Blobs } from './blobs.ts'
import { CachedBlobs } from './cached-blobs.ts'
import { S3Client, type S3Limits } from './client.ts'
import { DiskCache } from './disk-cache.ts'
import { failureBehind, type S3Failure } from './failures.ts'
import { claim, type StoreIdentity } from './mark.ts'
import { abortForgottenUploads } from './multipart.ts'

/** The limits of the first request: wrong settings are reported within 10 seconds. */
const START_LIMITS = { timeout: 3000, deadline: 4000 }
const SETTLE_MILLISECONDS = 1000

export interface S3BlobsOptions extends S3Limits {
  /** The source of the key, the region and the address of the store. Default: the environment of the process. */
  readonly environment?: NodeJS.ProcessEnv
  readonly cache?: {
    readonly folder: string
    readonly maxBytes: number
    /** Called with warnings for the operator. Default: nothing is called. */
    readonly warn?: (message: string) => void
  }
  /** Milliseconds that `claim` waits until it reads its mark again. Default: a second. */
  readonly settle?: number
  /** Waits for that time. Default: the clock of the system. */
  readonly clock?: Pick<Clock, 'sleep'>
}

export interface S3BlobsEngine extends BlobsEngine {
  /**
   * Marks the location as that of the store, or throws an `Error` of one line if it belongs to another one; then
   * removes the parts of uploads that ended a week ago. Returns the id of the location. Must be called once before
   * blobs are put or deleted; until then nothing is changed.
   */
  claim(store: StoreIdentity): Promise<string>
}

/**
 * Opens `s3://bucket` or `s3://bucket/prefix`. Throws within 10 seconds, with a message of one line, when the store
 * cannot be used: it does not answer, refuses the key, or has no such bucket.
 */
export async function openS3Blobs(address: string, options: S3BlobsOptions = {}): Promise<S3BlobsEngine> {
  const { access, location } = readAddress(address, options.environment ?? process.env)
  const { endpoint } = access
  const at = { address, endpoint: hostOf(endpoint), hasKey: access.sign !== undefined }
  await requireBucket(new S3Client(access, location, { ...START_LIMITS, ...limitsOf(options) }), at)
  const client = new S3Client(access, location, options)
  const cache = options.cache && (await openCache(options.cache, `${endpoint}/${address}`))
  const bare = new S3Blobs(client)
  return {
    blobs: cache ? new CachedBlobs(bare, cache) : bare,
    bucketFigures: () => ({ calls: client.figures, ...(cache && { cache: cache.figures }) }),
    async claim(store) {
      const { settle = SETTLE_MILLISECONDS, clock } = options
      const id = await claim(client, store, { address, settle, ...(clock && { clock }) })
      // Without the permission to do so, a rule of the bucket may remove them.
      abortForgottenUploads(client).catch(() => undefined)
      return id
    },
    async close() {
      await cache?.close()
      client.close()
    },
  }
}

function limitsOf({ timeout, deadline }: S3Limits): S3Limits {
  return { ...(timeout !== undefined && { timeout }), ...(deadline !== undefined && { deadline }) }
}

function readAddress(address: string, environment: NodeJS.ProcessEnv) {
  try {
    return { location: parseS3Address(address), access: s3Access(environment) }
  } catch (error) {
    throw error instanceof HyperslabError ? error.within('blobs') : error
  }
}

/** The host of the endpoint, without a user and a password. */
function hostOf(endpoint: string): string {
  return new URL(endpoint).origin
}

interface BucketAddress {
  readonly address: string
  readonly endpoint: string
  readonly hasKey: boolean
}

async function requireBucket(client: S3Client, location: BucketAddress): Promise<void> {
  try {
    await listPage(client, '', { 'max-keys': '1' })
  } catch (error) {
    const failure = failureBehind(error)
    if (!failure) throw error
    throw new Error(`blobs: ${location.address} cannot be used: ${ruleOf(failure, location)}`, {
      cause: error,
    })
  } finally {
    client.close()
  }
}

const WHERE_KEYS_ARE = 'AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_SHARED_CREDENTIALS_FILE'

/** The fault of the settings, and the remedy. */
function ruleOf({ code, region, message }: S3Failure, { endpoint, hasKey }: BucketAddress): string {
  if (region !== undefined) return `its bucket is in the region ${region}: set AWS_REGION to it`
  switch (code) {
    case 'NoSuchBucket':
      return `there is no such bucket at ${endpoint}: create it`
    case 'InvalidAccessKeyId':
    case 'SignatureDoesNotMatch':
      return `${endpoint} refuses the key (${code}): check ${WHERE_KEYS_ARE}`
    case 'AccessDenied':
      return hasKey
        ? `the key may not list the bucket (AccessDenied): allow s3:ListBucket, GetObject, PutObject and DeleteObject`
        : `${endpoint} wants a key (AccessDenied): set ${WHERE_KEYS_ARE}`
    default:
      return `${endpoint} did not list it (${message}): check AWS_ENDPOINT_URL`
  }
}

async function openCache(
  { folder, maxBytes, warn = () => {} }: NonNullable<S3BlobsOptions['cache']>,
  store: string,
): Promise<DiskCache> {
  const path = resolve(folder)
  try {
    await mkdir(path, { recursive: true })
    await keepFromOthers(path, warn)
  } catch (error) {
    // A disk that is full now may have space later.
    if (!hasCode(error, ...FULL)) throw new Error(`blobs: the folder of the cache cannot be used: ${error}`)
  }
  return new DiskCache({ folder: path, maxBytes, store })
}
