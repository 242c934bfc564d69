// Door: what other packages use of store/check.

export { checkStore } from './check/check-store.ts'
export type { Totals } from './check/finding.ts'
export type { LocatedFinding } from './check/locate-findings.ts'
