export function hasNginx(): boolean

export interface RunningNginx {
  readonly pid: number
  end(): Promise<void>
}

/** `http`: what is within `http { ... }` and listens on the port of 127.0.0.1. Resolves when it listens. */
export function startNginx(directory: string, port: number, http: string): Promise<RunningNginx>
