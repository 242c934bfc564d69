// An engine as a command has it beside a service: its records are those of another engine of this process, over the
// socket in the data folder.

import type { Engine } from '@hyperslab/store/engines'
import { inFolder, openEngine, serveFolderRecords } from '@hyperslab/store/engines'
import { ServedKeyValue } from '../../packages/store/engines/served/served-key-value.ts'

/** Closing it also closes the engine behind the socket. */
export async function openServedEngine(folder: string): Promise<Engine> {
  const service = await openEngine(inFolder(folder))
  const served = await serveFolderRecords(folder, service.keyValue)
  const command = await openEngine(inFolder(folder), { throughService: true })
  if (!(command.keyValue instanceof ServedKeyValue))
    throw new Error('The folder was opened without the service')
  return {
    ...command,
    async close() {
      await command.close()
      await served?.close()
      await service.close()
    },
  }
}
