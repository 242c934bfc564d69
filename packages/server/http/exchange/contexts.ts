// The contexts of operations that a request runs: each transaction has its own.

import type { AbortCheck } from '@hyperslab/base/bounded'
import type { Timestamp } from '@hyperslab/model/names'
import type { Reader, Store, Writer } from '@hyperslab/store/store'
import type { Caller, Context, ServiceSettings, WriteContext } from '../../service/context.ts'

/** The parts of a context that the request names. */
export type RequestNames = Pick<Context, 'meanings' | 'requiredState'>

/** The context of an operation that reads. */
export class RequestContext implements Context {
  readonly caller: Caller
  readonly settings: ServiceSettings
  readonly reader: Reader
  readonly signal: Context['signal']
  readonly meanings: Context['meanings']
  readonly requiredState: Context['requiredState']

  constructor(
    settings: ServiceSettings,
    caller: Caller,
    { meanings, requiredState }: RequestNames,
    signal: AbortCheck,
    reader: Reader,
  ) {
    this.caller = caller
    this.settings = settings
    this.reader = reader
    this.signal = signal
    this.meanings = meanings
    this.requiredState = requiredState
  }
}

/** The context of an operation that writes. */
export class RequestWriteContext extends RequestContext implements WriteContext {
  readonly writer: Writer
  readonly now: Timestamp
  readonly ids: WriteContext['ids']

  constructor(
    settings: ServiceSettings,
    caller: Caller,
    named: RequestNames,
    signal: AbortCheck,
    writer: Writer,
    store: Store,
  ) {
    super(settings, caller, named, signal, writer)
    this.writer = writer
    this.now = writer.time
    this.ids = store.ids
  }
}
