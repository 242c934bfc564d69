// One file that is uploaded, and how far it is.

export interface Loss {
  readonly path: string
  readonly message: string
}

export interface Upload {
  readonly id: number
  /** The folder that it was dropped on; it ends with a slash. */
  readonly folder: string
  /** The path of the new domain. */
  readonly path: string
  readonly file: File
  /** The state; `there` means that a domain of that name existed already, so the file was not sent. */
  readonly state: 'waiting' | 'sending' | 'done' | 'there' | 'failed'
  /** Bytes. */
  readonly sent?: number | undefined
  readonly error?: string | undefined
  /** Losses of a file that is done. */
  readonly losses?: readonly Loss[]
}

export function isBusy({ state }: Upload): boolean {
  return state === 'waiting' || state === 'sending'
}
