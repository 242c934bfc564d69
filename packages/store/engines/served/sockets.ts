// The sockets of a data folder, by which commands reach the services that have it open: a folder that only the owner
// can enter, with a socket for each process and an empty file for each command that is connected. The name of the file
// is that of the socket, a hyphen and a number. The next process that finds what a killed one has left removes it.

import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, type FileHandle, mkdir, open, readdir, rm } from 'node:fs/promises'
import { createConnection, type Socket } from 'node:net'
import { join } from 'node:path'
import { hasCode } from '../files/blobs.ts'

/** In the folder of the records. */
const SOCKETS = 'commands'
const SOCKET = /^[0-9a-f]{16}$/
const NAME_BYTES = 8
/** The addresses of sockets have 104 bytes at most on some systems, and 108 on Linux; 5 more are for a new name. */
const LONGEST_ADDRESS = 98

export function socketsFolder(records: string): string {
  return join(records, SOCKETS)
}

export async function makeSocketsFolder(records: string): Promise<string> {
  const folder = socketsFolder(records)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // The folder above keeps others away, if this one belongs to the user of an earlier process.
  await chmod(folder, 0o700).catch(error => {
    if (!hasCode(error, 'EPERM')) throw error
  })
  return folder
}

export function newSocketName(): string {
  return randomBytes(NAME_BYTES).toString('hex')
}

/** Whether the command is connected to a service, or its service was killed. */
export function isConnected(records: string, command: string): boolean {
  return existsSync(join(records, SOCKETS, command))
}

/** The paths of the sockets, as addresses that are short enough. */
export interface Addresses {
  of(name: string): string
  close(): Promise<void>
}

/** Undefined: the path of the folder is too long for sockets on this system. */
export async function openAddresses(folder: string): Promise<Addresses | undefined> {
  if (Buffer.byteLength(folder) + 1 + 2 * NAME_BYTES <= LONGEST_ADDRESS)
    return { of: name => join(folder, name), close: async () => undefined }
  if (process.platform !== 'linux') return undefined
  const handle: FileHandle = await open(folder, 'r')
  return { of: name => `/proc/self/fd/${handle.fd}/${name}`, close: () => handle.close() }
}

/** Connections to all processes that listen in the folder. Sockets of killed ones are removed. */
export async function connectToAll(records: string): Promise<readonly Socket[]> {
  const folder = socketsFolder(records)
  const names = (await namesIn(folder)).filter(name => SOCKET.test(name))
  if (names.length === 0) return []
  const addresses = await openAddresses(folder)
  if (addresses === undefined) return []
  try {
    const found = await Promise.all(names.map(name => connect(addresses.of(name))))
    const isRefused = (_: string, index: number) => found[index] === 'refused'
    await Promise.all(names.filter(isRefused).map(name => removeLeft(folder, name)))
    return found.filter(socket => typeof socket === 'object')
  } finally {
    await addresses.close()
  }
}

/** Removes what killed processes have left. */
export async function removeStale(records: string): Promise<void> {
  for (const socket of await connectToAll(records)) socket.destroy()
}

/** Removes the socket, and the files of the commands that were connected to it. */
export async function removeLeft(folder: string, name: string): Promise<void> {
  const left = (await namesIn(folder)).filter(other => other === name || other.startsWith(`${name}-`))
  await Promise.all(left.map(other => rm(join(folder, other), { force: true })))
}

async function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch(() => [])
}

/** A connection, or `refused` if no process listens any more. Undefined: it fails for another reason. */
function connect(address: string): Promise<Socket | 'refused' | undefined> {
  return new Promise(resolve => {
    const socket = createConnection(address)
    socket.once('connect', () => resolve(socket))
    // Later errors end the iteration of the messages.
    socket.on('error', error => resolve(hasCode(error, 'ECONNREFUSED') ? 'refused' : undefined))
  })
}
