// A socket that the parent of this process has opened and that listens already, as systemd hands one over
// (sd_listen_fds(3)). It stays open while the service restarts, so connections wait for the next process.
// docs/decisions/137.

import cluster from 'node:cluster'
import { type AddressInfo, Socket } from 'node:net'
import { SETTINGS, type Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'
import { inAddress } from './listen.ts'

/** The first descriptor that is handed over to the process that LISTEN_PID names. */
export const FIRST_DESCRIPTOR = 3
/** A worker has the channel to its supervisor at the first one, and the socket behind it. */
const DESCRIPTOR_OF_WORKER = 4

export interface InheritedSocket {
  readonly socket: Socket
  readonly host: string
  readonly port: number
}

/** Undefined: none was handed over to this process, or to its supervisor. */
export function inheritedSocket(): InheritedSocket | undefined {
  const { LISTEN_PID: owner, LISTEN_FDS: count = '0' } = process.env
  const ownId = cluster.isWorker ? process.ppid : process.pid
  if (owner !== String(ownId) || count === '0') return undefined
  if (count !== '1')
    throw new UsageError(
      `LISTEN_FDS=${count} must be 1: the service listens on one socket (one ListenStream)`,
    )
  const socket = openDescriptor(cluster.isWorker ? DESCRIPTOR_OF_WORKER : FIRST_DESCRIPTOR)
  const { address: host, port }: Partial<AddressInfo> = socket?.address() ?? {}
  if (!socket || host === undefined || port === undefined)
    throw new UsageError(
      'the socket that LISTEN_FDS hands over must be one of TCP (ListenStream=ADDRESS:PORT)',
    )
  return { socket, host, port }
}

/** Undefined: it is no stream. */
function openDescriptor(fd: number): Socket | undefined {
  try {
    return new Socket({ fd, readable: false, writable: false })
  } catch {
    return undefined
  }
}

/** A warning, if the settings name another address than that of the socket. */
export function addressWarning({ host, port }: Settings, inherited: InheritedSocket): string | undefined {
  const others = [
    ...(host !== SETTINGS.host.default && host !== inherited.host ? [`host=${host}`] : []),
    ...(port !== Number(SETTINGS.port.default) && port !== inherited.port ? [`port=${port}`] : []),
  ]
  if (others.length === 0) return undefined
  const address = `${inAddress(inherited.host)}:${inherited.port}`
  return (
    `${others.join(' and ')} cannot be followed: the service was given a socket that listens on ${address}; ` +
    'change its address where it is opened (ListenStream in hyperslab.socket)'
  )
}
