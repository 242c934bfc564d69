// Access to S3: the address and the key from the environment, or the key from a file, signed requests (Signature
// Version 4), and addresses `s3://bucket/prefix`.

import { AwsV4Signer } from 'aws4fetch'
import { SYSTEM_CLOCK } from '../clock.ts'
import { HyperslabError } from '../errors.ts'
import type { SignRequest } from '../outgoing/http-client.ts'
import { followCredentialsFile, type S3Key } from './credentials-file.ts'

/** The settings of the machine for S3, in the variables that the tools of AWS use. */
export interface S3Access {
  /** The address without a slash at the end. */
  readonly endpoint: string
  /** Undefined: there is no key, and requests are anonymous. */
  readonly sign: SignRequest | undefined
}

/** `now`: milliseconds, of which only differences count. */
export function s3Access(environment: NodeJS.ProcessEnv, now: () => number = SYSTEM_CLOCK.elapsed): S3Access {
  const region = environment.AWS_REGION ?? environment.AWS_DEFAULT_REGION ?? 'us-east-1'
  const given = environment.AWS_ENDPOINT_URL_S3 ?? environment.AWS_ENDPOINT_URL
  const endpoint = given ?? `https://s3.${region}.amazonaws.com`
  if (!/^https?:\/\//.test(endpoint) || !URL.canParse(endpoint)) {
    throw malformedSetting('AWS_ENDPOINT_URL must be an address that begins with http:// or https://')
  }
  const key = keySource(environment, now)
  return { endpoint: endpoint.replace(/\/+$/, ''), sign: key && signer(region, key) }
}

/** Gives the key of a request; undefined: there is none. */
function keySource(environment: NodeJS.ProcessEnv, now: () => number): (() => S3Key) | undefined {
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = environment
  if (!accessKeyId !== !secretAccessKey) {
    throw malformedSetting('AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY must be set together, or neither')
  }
  if (accessKeyId && secretAccessKey) {
    const key = { accessKeyId, secretAccessKey, sessionToken: environment.AWS_SESSION_TOKEN }
    return () => key
  }
  const { AWS_SHARED_CREDENTIALS_FILE: file, AWS_PROFILE: profile } = environment
  return file ? followCredentialsFile(file, profile || 'default', now) : undefined
}

function signer(region: string, keyOf: () => S3Key): SignRequest {
  /** The signing keys of the day. */
  const cache = new Map<string, ArrayBuffer>()
  return async (url, headers, method) => {
    const { sessionToken, ...key } = keyOf()
    const request = { method, url: url.href, headers, service: 's3', region, cache, ...key }
    const signed = await new AwsV4Signer({ ...request, ...(sessionToken && { sessionToken }) }).sign()
    return Object.fromEntries(signed.headers)
  }
}

/** The bucket of an address, and the prefix of keys below it: empty, or it ends with a slash. */
export interface S3Location {
  readonly bucket: string
  readonly prefix: string
}

/** The location of `s3://bucket` or `s3://bucket/prefix`. */
export function parseS3Address(source: string): S3Location {
  const [, rest = ''] = source.split(/^s3:\/\//)
  const [bucket = '', ...parts] = rest.replace(/\/+$/, '').split('/')
  if (!/^[a-z0-9][\w.-]{1,61}[a-z0-9]$/i.test(bucket)) {
    throw malformedSetting(
      `${source} must be s3:// and the name of a bucket, and may go on with / and a prefix`,
    )
  }
  return { bucket, prefix: parts.map(part => `${part}/`).join('') }
}

function malformedSetting(rule: string): HyperslabError {
  return new HyperslabError('malformed-url', rule)
}
