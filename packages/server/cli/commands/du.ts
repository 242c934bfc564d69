// `hyperslab du`: the bytes of each domain and folder in a folder, with all below it, or of each dataset of a domain.

import { type Container, containerAt, containerOf, entriesOf } from './entries.ts'
import { shownName } from './output.ts'
import { type Service, type ServiceOptions, withService } from './service.ts'

export interface SizeOptions extends ServiceOptions {
  readonly json: boolean
}

/** Folders: the largest first; datasets: in the order of their paths. The sum is last. */
export async function runDu(path = '/', options: SizeOptions): Promise<void> {
  await withService(options, false, async service => {
    const container = await containerAt(service, path, undefined)
    const print = (bytes: number, name: string) =>
      service.print(
        options.json ? JSON.stringify({ bytes, name }) : `${`${bytes}`.padEnd(14)}  ${shownName(name)}`,
      )
    const total =
      'folder' in container
        ? await printFolder(service, container.folder, print)
        : await printDatasets(service, container, print)
    await print(total, path)
  })
}

type PrintSize = (bytes: number, name: string) => Promise<void>

async function printFolder({ client, signal }: Service, folder: string, print: PrintSize): Promise<number> {
  const { items, total } = await client.request('GET /usage', { folder, by: 'folder' }, { signal })
  for (const { bytes, name = '', class: kind } of items)
    await print(bytes, kind === 'folder' ? `${name}/` : name)
  return total.bytes
}

/** A dataset with several names has a line once. */
async function printDatasets(service: Service, container: Container, print: PrintSize): Promise<number> {
  const { client, signal } = service
  const met = new Set<string>()
  async function* datasets(group: Container): AsyncGenerator<{ readonly id: string; readonly path: string }> {
    for await (const entry of entriesOf(service, group, false)) {
      const { id, path, isFolder } = entry
      if (id === undefined || met.has(id)) continue
      met.add(id)
      if (isFolder) yield* datasets(containerOf(group, entry))
      else if (id.startsWith('d-')) yield { id, path }
    }
  }
  if (!('domain' in container)) throw new Error('a folder has no datasets')
  const { domain } = container
  for await (const { id, path } of datasets(container)) {
    const parameters = { id, domain: domain.path, verbose: 1 }
    const answer = await client.request('GET /datasets/{id}', parameters, { signal })
    await print('allocated_size' in answer ? Number(answer.allocated_size) : 0, path)
  }
  const whole = await client.request('GET /', { domain: domain.path, verbose: 1 }, { signal })
  return 'total_size' in whole ? whole.total_size : 0
}
