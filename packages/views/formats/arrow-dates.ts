// Columns of dates and durations of NumPy in Arrow, which has seconds and their thousandths, down to nanoseconds. NaT
// is null.

import { HyperslabError } from '@hyperslab/base/errors'
import { NOT_A_TIME, type NumpyDates, wholeSeconds } from '@hyperslab/meaning/meaning'
import type { Source } from '@hyperslab/model/json'
import { GrowingBytes } from '@hyperslab/model/values'
import {
  type Data,
  type DataType,
  DurationMicrosecond,
  DurationMillisecond,
  DurationNanosecond,
  DurationSecond,
  makeData,
  TimestampMicrosecond,
  TimestampMillisecond,
  TimestampNanosecond,
  TimestampSecond,
} from 'apache-arrow'

const TYPES = {
  date: {
    ms: () => new TimestampMillisecond(),
    us: () => new TimestampMicrosecond(),
    ns: () => new TimestampNanosecond(),
    s: () => new TimestampSecond(),
  },
  duration: {
    ms: () => new DurationMillisecond(),
    us: () => new DurationMicrosecond(),
    ns: () => new DurationNanosecond(),
    s: () => new DurationSecond(),
  },
} as const

/** Whether Arrow has the unit, or seconds instead of it. */
export function isInArrow({ kind, unit }: NumpyDates): boolean {
  if (unit === 'ps' || unit === 'fs' || unit === 'as') return false
  return kind === 'date' || (unit !== 'Y' && unit !== 'M')
}

export class DatesColumn {
  readonly type: DataType
  readonly #dates: NumpyDates
  readonly #isWhole: boolean
  readonly #out = new GrowingBytes()
  readonly #present = new GrowingBytes()
  #length = 0
  #nullCount = 0

  constructor(dates: NumpyDates) {
    const { kind, unit } = dates
    this.#dates = dates
    this.#isWhole = unit !== 'ms' && unit !== 'us' && unit !== 'ns'
    this.type = TYPES[kind][unit === 'ms' || unit === 'us' || unit === 'ns' ? unit : 's']()
  }

  get bytes(): number {
    return this.#out.length
  }

  append({ view }: Source, offset: number, stride: number, count: number): void {
    for (let i = 0; i < count; i++) {
      const stored = view.getBigInt64(offset + i * stride, this.#dates.isLittleEndian)
      const isPresent = stored !== NOT_A_TIME
      if (this.#length % 8 === 0) this.#present.appendByte(0)
      if (isPresent) this.#present.bytes[this.#length >> 3] |= 1 << (this.#length & 7)
      else this.#nullCount++
      const to = this.#out.reserve(8)
      this.#out.view.setBigInt64(to, isPresent ? this.#numberOf(stored) : 0n, true)
      this.#length++
    }
  }

  #numberOf(stored: bigint): bigint {
    const number = this.#isWhole ? wholeSeconds(this.#dates, stored) : stored * BigInt(this.#dates.count)
    if (number !== undefined && BigInt.asIntN(64, number) === number) return number
    const message = `Arrow cannot hold ${stored} of ${this.#dates.dtype}: ask for format=csv or format=npy`
    throw new HyperslabError('format-unsupported', message)
  }

  take(): Data {
    const [length, nullCount] = [this.#length, this.#nullCount]
    this.#length = 0
    this.#nullCount = 0
    // The buffers of both kinds of types are the same.
    const type = this.type as TimestampSecond
    return makeData({
      type,
      length,
      nullCount,
      nullBitmap: this.#present.take(),
      data: new BigInt64Array(this.#out.take().slice().buffer),
    })
  }
}
