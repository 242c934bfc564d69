// Domains as HDF5 files and HDF5 files as domains, for the service: what `DomainFiles` promises.

import { planFile } from '../h5file/writer/file-plan.ts'
import type { DomainFiles } from '../service/domains/domain-files.ts'

export const domainFiles: DomainFiles = {
  plan: planFile,
}
