// The HDF5 library inside h5wasm, one per process: its low-level functions, and its message when one fails. They
// address objects by their paths, return raw memory, and report failures on standard error only, which is caught here.

import type { Metadata } from 'h5wasm/node'
import { HyperslabError } from '../../src/errors.ts'

/** Bytes of memory of the library, where its functions put values. */
export type Pointer = number

/** The functions of h5wasm's module that we use; its own declarations leave some of them inexact. */
interface Functions {
  readonly HEAPU8: Uint8Array
  _malloc(size: number): Pointer
  _free(pointer: Pointer): void
  open(path: string, mode: 0, trackOrder: boolean, lowVersion: -1, highVersion: -1): bigint
  close_file(file: bigint): number
  get_names(file: bigint, path: string, recursive: boolean): string[]
  get_type(file: bigint, path: string): number
  get_symbolic_link(file: bigint, path: string): string | null
  get_external_link(file: bigint, path: string): { filename?: string; obj_path?: string }
  create_object_reference(file: bigint, path: string): ArrayLike<number>
  get_attribute_names(file: bigint, path: string): string[]
  get_attribute_metadata(file: bigint, path: string, name: string): Metadata
  get_attribute_data(file: bigint, path: string, name: string, into: bigint): number
  get_dataset_metadata(file: bigint, path: string): Metadata
  get_dataset_filters(file: bigint, path: string): { id: number; name: string; cd_values: number[] }[]
  get_dataset_data(
    file: bigint,
    path: string,
    count: readonly bigint[] | null,
    offset: readonly bigint[] | null,
    strides: readonly bigint[] | null,
    into: bigint,
  ): number
  get_datatype_metadata(file: bigint, path: string): Metadata
  reclaim_vlen_memory(file: bigint, path: string, attribute: string, at: bigint): number
  reclaim_vlen_memory_count(
    file: bigint,
    path: string,
    attribute: string,
    at: bigint,
    count: readonly bigint[],
  ): number
}

/** What a function of the library gave, and what it reported as an error meanwhile, in one line; or why it failed. */
export type Attempt<T> =
  | { readonly value: T; readonly complaint: string | undefined }
  | { readonly failure: string }

export interface Hdf5Library {
  readonly functions: Functions
  attempt<T>(work: () => T): Attempt<T>
  /** True once the library has aborted, which damaged files can make it do: it must not be called again. */
  readonly isBroken: boolean
}

type Write = (
  stream: { readonly fd: number },
  buffer: Uint8Array,
  offset: number,
  length: number,
  ...rest: unknown[]
) => number

const STANDARD_ERROR = 2

let loading: Promise<Hdf5Library> | undefined

/** Loads the library when it is first needed: a quarter of a second and 4 MB. */
export async function loadLibrary(): Promise<Hdf5Library> {
  loading ??= load()
  const library = await loading
  if (!library.isBroken) return library
  throw new HyperslabError(
    'file-damaged',
    'the HDF5 library crashed on an earlier file: run the command again without that file',
  )
}

/** The functions that only loading needs. */
interface LoadFunctions {
  readonly FS: { write: Write }
  get_plugin_search_paths(): string[]
  remove_plugin_search_path(index: number): number
}

/** Settings of HDF5 in the environment are meant for the native library: plugins, connectors and drivers of this machine. */
const ENVIRONMENT_PREFIX = 'HDF5_'

async function load(): Promise<Hdf5Library> {
  // h5wasm gives the environment of the process to the library, which a name that it cannot load breaks for good.
  for (const name of Object.keys(process.env)) {
    if (name.startsWith(ENVIRONMENT_PREFIX)) delete process.env[name]
  }
  const { ready } = await import('h5wasm/node')
  // The declarations of h5wasm differ from what it exports in the arguments of some functions and in FS.
  const module = (await ready) as unknown as Functions & LoadFunctions
  // Native plugins in the default folders too: the library tries them all on a file that it cannot open.
  while (module.get_plugin_search_paths().length > 0) module.remove_plugin_search_path(0)
  let reported = ''
  let isBroken = false
  const write = module.FS.write
  module.FS.write = (stream, buffer, offset, length, ...rest) => {
    if (stream.fd !== STANDARD_ERROR) return write(stream, buffer, offset, length, ...rest)
    reported += new TextDecoder().decode(buffer.subarray(offset, offset + length))
    return length
  }
  const complaint = () => (reported === '' ? undefined : innermostError(reported))
  return {
    functions: module,
    get isBroken() {
      return isBroken
    },
    attempt(work) {
      reported = ''
      try {
        const value = work()
        return { value, complaint: complaint() }
      } catch (error) {
        // What WebAssembly throws when it cannot go on.
        if (error instanceof Error && error.name === 'RuntimeError') isBroken = true
        return { failure: complaint() ?? String(error) }
      }
    },
  }
}

/** The last line of the library's error stack: `  #003: file.c line 12 in H5X(): what happened`. */
function innermostError(stack: string): string {
  const errors = [...stack.matchAll(/#\d+: .*?\(\): (.*)/g)]
  return errors.at(-1)?.[1] ?? stack.trim()
}
