// Whether a store is sound, as `hyperslab check --values` tells it.

import { checkStore } from '@hyperslab/store/check'
import { IN_THIS_THREAD } from '@hyperslab/store/chunks'
import type { Engine } from '@hyperslab/store/engines'
import { expect } from 'vitest'
import { type Finding, type FindingKind, severityOf } from '../../packages/store/check/finding.ts'

export async function findingsIn(engine: Engine): Promise<Finding[]> {
  const findings: Finding[] = []
  for await (const finding of checkStore(engine, { filterRunner: IN_THIS_THREAD }).findings)
    findings.push(finding)
  return findings
}

/** Findings that are expected in tests of the store that need no root group. */
const ROOTLESS: readonly FindingKind[] = ['domain-without-root', 'contents-without-root']
/** The number of findings that are printed of a store with many errors. */
const SHOWN = 5

/** Nothing is wrong with it; what the API or an interruption may leave behind is not wrong. */
export async function expectSound(engine: Engine): Promise<void> {
  const errors = (await findingsIn(engine)).filter(
    ({ kind }) => severityOf(kind) === 'error' && !ROOTLESS.includes(kind),
  )
  expect(errors.slice(0, SHOWN)).toEqual([])
}
