// JSON as this project needs it: integers exact to 64 bits, objects whose members keep their order whatever their
// names, and the bare words NaN, Infinity and -Infinity that Python writes and reads (contract 00, decision 7).

/** An integer beyond +-2^53 is a bigint; every other number is a number. */
export type JsonValue = null | boolean | number | bigint | string | readonly JsonValue[] | JsonObject

/** A Map, because a plain object reorders integer-like names and mishandles `__proto__`. */
export type JsonObject = ReadonlyMap<string, JsonValue>

/** What can be written: parsed values, and plain objects whose undefined members are left out. */
export type JsonOutput =
  | null
  | boolean
  | number
  | bigint
  | string
  | readonly JsonOutput[]
  | ReadonlyMap<string, JsonOutput>
  | { readonly [name: string]: JsonOutput | undefined }

/** How numbers that JSON has no words for are written: bare words, the words as texts, or null. */
export type NonFinite = 'bare' | 'text' | 'null'
