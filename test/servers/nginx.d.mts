export function hasNginx(): boolean

export interface RunningNginx {
  readonly pid: number
  end(): Promise<void>
}

/** `place`: the port on which it listens, or the path of a socket. `http`: what is within `http { ... }`. It listens then. */
export function startNginx(directory: string, place: number | string, http: string): Promise<RunningNginx>
