// Mounts of files on other machines, from the strings of the setting: the address of one file, a list of addresses in a
// file of this machine, or a bucket of S3.

import { readFileSync, statSync } from 'node:fs'
import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { HyperslabError } from '@hyperslab/base/errors'
import { parseS3Address, s3Access } from '@hyperslab/base/outgoing'
import { type DomainPath, parentOf } from '@hyperslab/model/names'
import type { Mount } from '../mount.ts'
import { RemoteMount } from './remote-mount.ts'
import { RemoteRequests } from './remote-requests.ts'
import { S3Bucket } from './s3-bucket.ts'
import { parseAddress, parseUrlList, UrlList } from './url-list.ts'

/** Whether `source` names files on other machines: an address, or a file of this machine that lists them. */
export function isRemoteSource(source: string): boolean {
  return /^(https?|s3):\/\//.test(source) || (source.endsWith('.txt') && isFile(source))
}

export interface RemoteSourceOptions {
  /** Default: that of the process. */
  readonly environment?: NodeJS.ProcessEnv
  /** Milliseconds after which the state of a file is requested again. */
  readonly maxAge?: number
  /** Milliseconds without a byte after which a request has failed. */
  readonly timeout?: number
  /** Called when a listing leaves out a file, once for each reason. */
  readonly warn?: (message: string) => void
}

/**
 * The mount of `source` at `path`: the path of the domain for the address of one file, otherwise that of the folder.
 * Sends no request: a missing file is noticed when it is used. Throws `malformed-url` with the location and the rule,
 * and `file-unreadable` when the list cannot be read.
 */
export function openRemoteMount(source: string, path: DomainPath, options: RemoteSourceOptions = {}): Mount {
  const { environment = process.env, maxAge, timeout, warn } = options
  const now = SYSTEM_CLOCK.now() * 1000
  if (source.startsWith('s3://')) {
    const { endpoint, sign } = s3Access(environment)
    const { bucket, prefix } = parseS3Address(source)
    const requests = new RemoteRequests({ sign, timeout })
    const address = `${endpoint}/${bucket}`
    return new RemoteMount(new S3Bucket({ path, requests, address, prefix, lastModified: now }), {
      path,
      requests,
      maxAge,
      warn,
    })
  }
  const isAddress = /^https?:\/\//.test(source)
  const folder = isAddress ? parentOf(path) : path
  const list = isAddress
    ? new UrlList(folder, new Map([[path, parseAddress(source, `the mount ${path}`)]]), now)
    : readList(source, folder)
  return new RemoteMount(list, { path: folder, requests: new RemoteRequests({ timeout }), maxAge, warn })
}

function readList(file: string, folder: DomainPath): UrlList {
  try {
    const urls = parseUrlList(readFileSync(file, 'utf8'), folder)
    return new UrlList(folder, urls, Math.floor(statSync(file).mtimeMs) * 1000)
  } catch (error) {
    if (error instanceof HyperslabError) throw error.within(file)
    throw new HyperslabError('file-unreadable', `the list of addresses ${file} cannot be read`, {
      cause: error,
    })
  }
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === true
}
