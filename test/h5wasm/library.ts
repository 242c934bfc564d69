// The functions of h5wasm that describe.ts uses. They address objects by their paths and give raw memory.

import type { Metadata } from 'h5wasm/node'

export type { Metadata }

/** Declared here because h5wasm's own declarations leave some of them inexact. */
export interface H5Module {
  readonly HEAPU8: Uint8Array
  _malloc(size: number): number
  _free(pointer: number): void
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
  get_dataset_filters(file: bigint, path: string): { id: number }[]
  get_dataset_data(file: bigint, path: string, count: null, offset: null, strides: null, into: bigint): number
  get_datatype_metadata(file: bigint, path: string): Metadata
}

export async function ready(): Promise<H5Module> {
  const library = await import('h5wasm/node')
  // The declarations of h5wasm differ from what it exports in the arguments of some functions.
  return (await library.ready) as unknown as H5Module
}
