// Ends a service in order: the first signal lets requests in flight end, a second one ends the process at once.

import { SYSTEM_CLOCK } from '@hyperslab/base/clock'
import { endProcess } from '@hyperslab/store/engines'
import type { Logger } from 'pino'
import type { Server } from '../../http/server.ts'
import type { Settings } from '../settings/table.ts'
import type { InheritedSocket } from './inherited-socket.ts'
import type { SupervisedWorker } from './worker.ts'

const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

export interface ServiceToEnd {
  readonly server: Server
  readonly close: () => Promise<void>
  readonly settings: Settings
  readonly log: Logger
  readonly worker: SupervisedWorker | undefined
  /** Whether the file system of a mount does not answer. */
  readonly isHung: () => boolean
  /** Present: the socket stays open for the next process. */
  readonly inherited: InheritedSocket | undefined
}

/** Ends the process at once: `process.exit` would wait for threads that are blocked in the storage or in a mount. */
function endBySignal(signal: string): void {
  process.removeAllListeners(signal)
  process.kill(process.pid, signal)
}

/**
 * The first signal ends in order, a second one at once. A terminal sends SIGINT to a worker and to its supervisor,
 * which then instructs the worker.
 */
export function endOnSignal(service: ServiceToEnd): void {
  const { log, worker, isHung } = service
  let isEnding = false
  const endInOrder = (signal: string): void => {
    if (isEnding) return
    isEnding = true
    log.info({ signal }, 'stopping')
    end(service)
      .then(() => {
        log.info('stopped')
        if (isHung()) endBySignal(signal)
        process.exit(0)
      })
      .catch((error: unknown) => {
        process.stderr.write(`hyperslab: ${error instanceof Error ? error.message : String(error)}\n`)
        process.exit(1)
      })
  }
  if (worker) worker.end = endInOrder
  for (const [signal, exitCode] of Object.entries(SIGNAL_EXIT_CODES)) {
    process.on(signal, () => {
      if (worker && signal === 'SIGINT') return
      if (isEnding) {
        endBySignal(signal)
        process.exit(exitCode)
      }
      endInOrder(signal)
    })
  }
}

async function end({ server, close, settings, inherited }: ServiceToEnd): Promise<void> {
  const { shutdownDelay, shutdownGrace: graceSeconds } = settings
  // Load balancers see it at /ready, and send no more requests; clients see it in each answer, and connect anew.
  server.announceEnd()
  await SYSTEM_CLOCK.sleep(Math.max(shutdownDelay, inherited ? SECONDS_TO_LEAVE : 0) * 1000)
  const answered = server.close()
  const requests = server.requestsInFlight
  if (requests > 0) {
    const amount = requests === 1 ? '1 request' : `${requests} requests`
    process.stderr.write(
      `hyperslab: finishing ${amount} (at most ${graceSeconds} s); a second signal ends it at once\n`,
    )
  }
  const isAnswered = await isDoneWithin(graceSeconds, answered)
  if (!isAnswered) {
    process.stderr.write(
      `hyperslab: some requests were not answered within ${graceSeconds} s and are cut off\n`,
    )
    // The writes of these requests are not committed.
    server.cutOff()
  }
  // Requests of clients that have left end when they notice it.
  const isClosed = await isDoneWithin(CLOSE_SECONDS, answered.then(close))
  if (!isClosed) endProcess(`The data folder could not be closed in ${CLOSE_SECONDS} s`)
  if (!isAnswered) process.exit(1)
}

/**
 * The time in which clients that send one request after another learn that their next connection is the successor's.
 * Closed at once, their connections would often be closed just when a request is on its way.
 */
const SECONDS_TO_LEAVE = 1
/** The time to end requests of clients that have left, and to close the files. */
const CLOSE_SECONDS = 15

function isDoneWithin(seconds: number, work: Promise<void>): Promise<boolean> {
  return Promise.race([work.then(() => true), SYSTEM_CLOCK.sleep(seconds * 1000).then(() => false)])
}
