// Door: what other packages use of store/check.

export { checkStore } from './check/check-store.ts'
export { describeKind, severityOf, type Totals } from './check/finding.ts'
export { type LocatedFinding, withDomains } from './check/locate-findings.ts'
