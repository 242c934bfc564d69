// `hyperslab doctor`: says in a line each what is right and what is wrong with a service that would be served with
// these settings, or is. It changes nothing.

import type { Settings } from '../settings/table.ts'
import { checkPort, checkProxies, checkPublicUrl } from './addresses.ts'
import { type Finding, lineOf, reasonOf, wrong } from './finding.ts'
import { checkFileSystem, checkNode, checkOpenFiles, checkPermissions, checkRoom } from './machine.ts'
import { checkMounts } from './mounts.ts'
import { checkAccess, checkStore } from './storage.ts'

type Check = (settings: Settings) => readonly Finding[] | Promise<readonly Finding[]>

/** The checks in their order: what may take long comes last. A check that throws is a finding of its subject. */
const CHECKS: readonly (readonly [subject: string, check: Check])[] = [
  ['Node', () => [checkNode()]],
  ['data folder', checkPermissions],
  ['file system', settings => [checkFileSystem(settings)]],
  ['disk', settings => [checkRoom(settings)]],
  ['open files', settings => [checkOpenFiles(settings)]],
  ['port', async settings => [await checkPort(settings)]],
  ['public_url', async settings => [await checkPublicUrl(settings)]],
  ['proxies', settings => checkProxies(settings, process.env)],
  ['store', checkStoreAndAccess],
  ['mounts', checkMounts],
]

/** Prints the findings; resolves with the exit code, 1 if something is wrong. */
export async function runDoctor(settings: Settings): Promise<number> {
  let failures = 0
  for (const [subject, check] of CHECKS) {
    for (const finding of await findingsOf(subject, check, settings)) {
      console.log(lineOf(finding))
      if (finding.state === 'wrong') failures++
    }
  }
  console.log(failures === 0 ? 'Nothing is wrong.' : `Wrong: ${failures}.`)
  return failures === 0 ? 0 : 1
}

async function findingsOf(subject: string, check: Check, settings: Settings): Promise<readonly Finding[]> {
  try {
    return await check(settings)
  } catch (error) {
    return [wrong(subject, reasonOf(error))]
  }
}

async function checkStoreAndAccess(settings: Settings): Promise<readonly Finding[]> {
  const { findings, accounts } = await checkStore(settings)
  return [...findings, checkAccess(settings, accounts)]
}
