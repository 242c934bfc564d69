// The line of the audit for a command that has changed a data folder; requests have those of `http/watch`.

import { userInfo } from 'node:os'
import { type AuditEntry, AuditLog } from '../http/watch/audit-log.ts'
import type { Settings } from './settings/table.ts'

/** Runs the command, and writes its line where the settings of the folder say so. */
export async function audited(
  settings: Settings,
  operation: string,
  what: AuditEntry,
  command: (settings: Settings) => Promise<void>,
): Promise<void> {
  await command(settings)
  const report = (error: unknown) => console.error(`The audit has no line of this command: ${String(error)}`)
  const audit = new AuditLog({ setting: settings.audit, report })
  audit.write({ outcome: process.exitCode ? 'failed' : 'done', operation, ...caller(), what })
  audit.close()
}

function caller() {
  return { login: 'command', systemUser: userInfo().username }
}
