// The audit of a service: its failures are in the log, and its file is opened again after SIGHUP, as logrotate wants.

import type { Logger } from 'pino'
import { AuditLog } from '../../http/watch/audit-log.ts'
import type { Settings } from '../settings/table.ts'
import type { SupervisedWorker } from './worker.ts'

/** Without a file, SIGHUP ends the process, as when its terminal is closed. */
export function auditsToFile({ audit }: Pick<Settings, 'audit'>): boolean {
  return audit !== 'off' && audit !== 'stderr'
}

export function openAudit(settings: Settings, log: Logger, worker: SupervisedWorker | undefined): AuditLog {
  const report = (error: unknown, lost: number) =>
    log.error({ err: error, lost }, 'the audit cannot be written')
  const audit = new AuditLog({ setting: settings.audit, report })
  audit.open()
  const reopen = () => audit.reopen()
  if (worker) worker.reopen = reopen
  if (auditsToFile(settings)) process.on('SIGHUP', reopen)
  return audit
}
