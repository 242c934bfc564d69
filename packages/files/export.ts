// Door: what other packages use of files/export.

export { exportDomain } from './transfer/export-domain.ts'
export type { DomainFile, DomainFiles, FileForm, FileLoss } from './transfer/whole-files.ts'
