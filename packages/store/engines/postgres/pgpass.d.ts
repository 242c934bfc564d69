// The type of the package pgpass.

declare module 'pgpass' {
  /**
   * Calls `done` with the password of the first line that fits; undefined: there is none, or others may read the file.
   */
  function pgpass(
    connection: {
      readonly host: string
      readonly port: number
      readonly database: string | undefined
      readonly user: string | undefined
    },
    done: (password: string | undefined) => void,
  ): void
  namespace pgpass {
    /** Where warnings go; undefined: nowhere. */
    function warnTo(stream: NodeJS.WritableStream | undefined): void
  }
  export = pgpass
}
