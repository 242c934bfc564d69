// The key of S3 in the file that the tools of AWS read, which AWS_SHARED_CREDENTIALS_FILE names. It is read again every
// few seconds, so a key can be changed while the service runs.

import { readFileSync } from 'node:fs'
import { HyperslabError } from '../errors.ts'

export interface S3Key {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken: string | undefined
}

const HOLDS_MILLISECONDS = 5000

/**
 * Gives the key of a profile. Throws `malformed-url` at once when the file lacks it; if it is missing later, the
 * previous key is used.
 */
export function followCredentialsFile(path: string, profile: string, now: () => number): () => S3Key {
  let readAt = now()
  let key = readKey(path, profile)
  return () => {
    if (now() - readAt < HOLDS_MILLISECONDS) return key
    readAt = now()
    try {
      key = readKey(path, profile)
    } catch (error) {
      // The file may be half written.
      if (!(error instanceof HyperslabError)) throw error
    }
    return key
  }
}

function readKey(path: string, profile: string): S3Key {
  const values = profileIn(readText(path), profile)
  const [accessKeyId, secretAccessKey] = ['aws_access_key_id', 'aws_secret_access_key'].map(name =>
    values.get(name),
  )
  if (!accessKeyId || !secretAccessKey) {
    const rule = `must have aws_access_key_id and aws_secret_access_key below [${profile}]`
    throw new HyperslabError('malformed-url', `AWS_SHARED_CREDENTIALS_FILE: ${path} ${rule}`)
  }
  return { accessKeyId, secretAccessKey, sessionToken: values.get('aws_session_token') }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (cause) {
    const reason = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
    const rule = `AWS_SHARED_CREDENTIALS_FILE: ${path} cannot be read (${reason})`
    throw new HyperslabError('malformed-url', rule, { cause })
  }
}

/** The lines `name = value` below `[profile]`. */
function profileIn(text: string, profile: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  let isInside = false
  for (const line of text.split(/\r?\n/)) {
    const [, section] = /^\s*\[\s*(.*?)\s*\]/.exec(line) ?? []
    if (section !== undefined) isInside = section === profile
    const [, name, value] = /^\s*([a-z_]+)\s*=\s*(.*?)\s*$/i.exec(line) ?? []
    if (isInside && name !== undefined && value !== undefined) values.set(name.toLowerCase(), value)
  }
  return values
}
