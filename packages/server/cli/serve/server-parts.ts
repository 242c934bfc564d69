// The parts and settings of the HTTP server, from those of the command.

import { getHeapStatistics } from 'node:v8'
import { openDomainFiles } from '@hyperslab/files/import'
import type { FilterRunner } from '@hyperslab/store/chunks'
import type { Store } from '@hyperslab/store/store'
import type { Logger } from 'pino'
import { readAssets } from '../../http/assets/assets.ts'
import type { ServerSettings } from '../../http/server.ts'
import { folderFigures } from '../data-folder/folder-notes.ts'
import { builtCommit, packageVersion } from '../package-version.ts'
import { bucketsOf } from '../settings/config.ts'
import { connectionLimit } from '../settings/connection-limit.ts'
import { isOpenUntilAccounts } from '../settings/open-service.ts'
import { requestMemory } from '../settings/request-memory.ts'
import type { Settings } from '../settings/table.ts'
import type { Callers } from './callers.ts'

export function serverParts(
  settings: Settings,
  store: Store,
  filterRunner: FilterRunner,
  log: Logger,
  callers: Callers,
  pages = builtPages(settings),
): ServerSettings {
  const { publicUrl, accelRedirect } = settings
  return {
    store,
    files: openDomainFiles(store, { ...settings, filterRunner }),
    pages,
    ...callers,
    log,
    dataFolder: folderFigures(settings.dataFolder),
    limits: {
      requests: settings.maxRequests,
      // JSON bodies and the values parsed from them are on the heap.
      bytes: Math.min(requestMemory(settings.maxRequestMemory), getHeapStatistics().heap_size_limit / 2),
      waitSeconds: settings.maxWait,
    },
    clientTimeoutSeconds: settings.clientTimeout,
    keepAliveSeconds: settings.keepAliveTimeout,
    minClientRate: settings.minClientRate,
    maxConnections: connectionLimit(settings.maxConnections),
    maxListeners: settings.maxListeners,
    budgets: settings.budget,
    trustedProxies: settings.trustedProxies,
    service: {
      defaultAcl: settings.defaultAcl,
      defaultPublic: settings.defaultPublic,
      newDomains: settings.newDomains,
      isKnownUser: name => callers.accounts.isKnownUser(name),
      hasAccounts: () => callers.accounts.exist(),
      isAdmin: name => callers.accounts.find(name).admin,
      groupsOf: name => callers.accounts.find(name).groups,
    },
    http: {
      baseDomain: settings.baseDomain,
      homeFolder: settings.home,
      ...(publicUrl !== '' && { publicUrl }),
      ...(accelRedirect !== '' && { accelRedirect }),
      corsOrigins: settings.corsOrigins,
      allowAnonymous: settings.allowNoauth,
      anonymousWrites: settings.noauthWrites,
      openUntilAccounts: isOpenUntilAccounts(settings),
      maxJsonBody: settings.maxJsonBody,
      hsdsLevel: settings.hsdsLevel,
      buckets: bucketsOf(settings),
      version: packageVersion(),
      commit: builtCommit(),
      metrics: settings.metrics,
      traces: settings.trace,
    },
  }
}

/** The build puts them beside the command (scripts/pages.mjs). */
function builtPages({ frameAncestors, robots }: Settings): NonNullable<ServerSettings['pages']> {
  return {
    docs: readAssets(new URL('./docs/', import.meta.url)),
    ui: readAssets(new URL('./ui/', import.meta.url)),
    frameAncestors,
    robots,
  }
}
