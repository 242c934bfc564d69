// Files into a running server, with the client of the package: the server imports a file wholly or not at all. A file
// whose values are in other files is first converted to one file, in a temporary data folder.

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Hyperslab, RequestError } from '@hyperslab/client'
import { exportDomain } from '@hyperslab/files/export'
import { openStoreTarget } from '@hyperslab/files/import'
import type { FileWarning } from '@hyperslab/h5/reader'
import { groupByFolder, type LinkedFiles } from '@hyperslab/model/dataset'
import { type DomainPath, isTopLevel, parentOf, parseDomainPath } from '@hyperslab/model/names'
import type { FilterRunner } from '@hyperslab/store/chunks'
import { inFolder } from '@hyperslab/store/engines'
import type { ImportedFile } from '@hyperslab/store/store'
import { accessWithin } from '../../service/access/folder-access.ts'
import { openEngineToUse, openStoreOn } from '../data-folder/open.ts'
import { endpointError, loginHint } from '../endpoint.ts'
import type { Settings } from '../settings/table.ts'
import { UsageError } from '../usage-error.ts'
import type { Destination, ImportedDomain } from './destination.ts'
import { findOtherFiles, importLocal, type LocalFile, type LocalImportOptions } from './import-local.ts'
import { formatBytes } from './import-report.ts'

/** Bytes of the parameter `linked_files`: proxies take lines of 8 KiB. @limit safety, bytes */
const MAX_LINKED_FILES = 6 << 10

export interface ServerOptions {
  readonly endpoint: string
  /** The header of requests; undefined: the command has no account. */
  readonly authorization: string | undefined
  /** True: an existing domain is replaced. */
  readonly replace: boolean
  readonly settings: Settings
  readonly filterRunner: FilterRunner
}

/** Bytes to be sent. */
interface SentFile {
  readonly length: number
  /** The bytes; the memory of a piece may be reused when the next one is requested. */
  readonly pieces: AsyncIterable<Uint8Array>
  /** The losses, which are complete when the pieces have been read. */
  readonly losses: () => Promise<readonly FileWarning[]>
}

export class ServerDestination implements Destination {
  readonly #options: ServerOptions
  readonly #client: Hyperslab
  readonly #folders = new Map<DomainPath, Promise<void>>()

  constructor(options: ServerOptions) {
    const { endpoint, authorization } = options
    this.#options = options
    this.#client = new Hyperslab(endpoint, authorization === undefined ? {} : { authorization })
  }

  async import(file: LocalFile, options: LocalImportOptions): Promise<ImportedDomain> {
    const { source, path, isReadOnly } = file
    const change = isReadOnly
      ? ' (requests can change the domain: over HTTP it cannot be made read-only)'
      : ''
    // A file that is not HDF5 is an error before anything is changed.
    const { haveValues, linked } = await findOtherFiles(file, this.#options.filterRunner, options.signal)
    const linkedFiles = formatLinkedFiles(linked)
    const newFolders: DomainPath[] = []
    await this.#makeFolder(parentOf(path), newFolders)
    const replaced = this.#options.replace && (await this.#describe(path)) !== undefined
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield* source.pieces(options.signal)
      // The server imports the file when this ends.
      source.requireUnchanged()
    }
    const send = async (whole: SentFile) => ({
      contents: formatBytes(whole.length) + change,
      warnings: await this.#send(path, { ...whole, linkedFiles }, options),
      newFolders,
      replaced,
    })
    return haveValues
      ? this.#asOneFile(file, options, send)
      : send({ length: source.size, pieces: pieces(), losses: async () => [] })
  }

  async importedFile(
    path: DomainPath,
    file: ImportedFile,
  ): Promise<{ readonly inPart?: boolean } | undefined> {
    const domain = await this.#describe(path)
    return domain && 'root' in domain && file.lastModified < domain.created * 1e6 ? {} : undefined
  }

  /** Base domain and rules of names are the server's own, so there is no name in the classic dialect. */
  async describe(path: DomainPath): Promise<string> {
    return path
  }

  /** Sends the bytes as the file of a new domain; returns the losses. */
  async #send(
    path: DomainPath,
    { length, pieces, losses, linkedFiles }: SentFile & { readonly linkedFiles: string | undefined },
    { signal, progress, strict }: LocalImportOptions,
  ): Promise<readonly FileWarning[]> {
    const { replace } = this.#options
    const parameters = {
      domain: path,
      ...(replace && { replace: 1 }),
      ...(strict && { strict: 1 }),
      ...(linkedFiles !== undefined && { linked_files: linkedFiles }),
    }
    const headers = { 'content-type': 'application/x-hdf5' }
    const body = new StreamedBody(pieces, sent => progress(sent / length))
    const created = await this.#answer(`PUT ${path}`, () =>
      this.#client.request('PUT /', parameters, { body: body.stream, headers, signal }),
    ).catch((error: unknown) => {
      throw body.failure ?? error
    })
    const warnings = created && 'warnings' in created ? created.warnings : []
    return [...(await losses()), ...(warnings ?? [])]
  }

  /** Makes one file of a file and those that it names, and removes it after `work`. */
  async #asOneFile<T>(
    file: LocalFile,
    options: LocalImportOptions,
    work: (file: SentFile) => Promise<T>,
  ): Promise<T> {
    const { settings, filterRunner } = this.#options
    const folder = await mkdtemp(join(tmpdir(), 'hyperslab-import-'))
    try {
      const store = openStoreOn(await openEngineToUse(inFolder(folder)), {
        filterRunner,
        maxSnapshotAgeSeconds: Infinity,
      })
      try {
        const path = parseDomainPath('/file')
        const access = { ...settings, isAdmin: () => false }
        const openTarget = () =>
          openStoreTarget(store, {
            path,
            file: file.source,
            readOnly: false,
            replace: false,
            accessWithin: (reader, folder) => accessWithin(reader, folder, access),
          })
        const { warnings } = await importLocal(file, openTarget, filterRunner, {
          ...options,
          progress: () => {},
        })
        return await store.read(async reader => {
          const exported = await exportDomain(reader, path, { signal: options.signal, skipUnreadable: true })
          // A loss of the one file is reported instead of the reason why its values were missing before.
          const losses = async () => {
            const all = [...warnings, ...(await exported.losses())].map(loss => [loss.path, loss] as const)
            return [...new Map(all).values()]
          }
          return work({ length: exported.length, pieces: exported.pieces(), losses })
        })
      } finally {
        await store.close()
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  }

  /**
   * Creates missing folders and adds them to `created`, the outermost first. Files of one folder are imported at once.
   */
  #makeFolder(folder: DomainPath, created: DomainPath[]): Promise<void> {
    if (isTopLevel(folder)) return Promise.resolve()
    const known = this.#folders.get(folder)
    if (known) return known
    const making = this.#makeMissing(folder, created)
    this.#folders.set(folder, making)
    return making
  }

  async #makeMissing(folder: DomainPath, created: DomainPath[]): Promise<void> {
    if (await this.#describe(folder)) return
    await this.#makeFolder(parentOf(folder), created)
    const make = () => this.#client.request('PUT /', { domain: folder }, { body: { folder: true } })
    await this.#answer(`PUT ${folder}`, make, 409)
    created.push(folder)
  }

  /** Undefined: there is no such domain or folder. */
  async #describe(path: DomainPath) {
    return this.#answer(`GET ${path}`, () => this.#client.domain(path).describe(), 404, 410)
  }

  #hintFor(status: number | undefined): string {
    const { authorization, replace } = this.#options
    return status === 409 && !replace ? ': --replace replaces it' : loginHint(status, authorization)
  }

  /**
   * The answer of the server; undefined for the statuses that are expected. Other errors are ones that the user can
   * correct.
   */
  async #answer<T>(
    subject: string,
    ask: () => Promise<T>,
    ...expected: readonly number[]
  ): Promise<T | undefined> {
    const { endpoint } = this.#client
    try {
      return await ask()
    } catch (error) {
      const status = error instanceof RequestError ? error.status : undefined
      if (status !== undefined && expected.includes(status)) return undefined
      throw endpointError(error, { endpoint, subject, hint: this.#hintFor(status) })
    }
  }
}

/** The parameter `linked_files`; undefined: there are none. */
function formatLinkedFiles(files: LinkedFiles): string | undefined {
  if (files.size === 0) return undefined
  const text = JSON.stringify(Object.fromEntries(groupByFolder(files)))
  if (encodeURIComponent(text).length <= MAX_LINKED_FILES) return text
  const rule = `where they are takes more than ${MAX_LINKED_FILES} bytes, the most that a request says`
  throw new UsageError(
    `its external links lead to files in too many folders: ${rule}; import into a data folder`,
    1,
  )
}

/** Pieces as the body of a request. */
class StreamedBody {
  readonly stream: ReadableStream<Uint8Array>
  /** The reason why it ended early, which the error of the request does not have. */
  failure: unknown

  constructor(pieces: AsyncIterable<Uint8Array>, onSent: (bytes: number) => void) {
    const iterator = pieces[Symbol.asyncIterator]()
    let sent = 0
    this.stream = new ReadableStream({
      pull: async controller => {
        try {
          const { value, done } = await iterator.next()
          if (done) return controller.close()
          sent += value.length
          onSent(sent)
          controller.enqueue(value.slice())
        } catch (error) {
          this.failure = error
          throw error
        }
      },
      async cancel() {
        await iterator.return?.()
      },
    })
  }
}
