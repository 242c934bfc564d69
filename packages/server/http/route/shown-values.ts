// The parameters of an answer with the values of attributes: which values come, and in which form (hsds-objects 12.6).

import { HyperslabError } from '@hyperslab/base/errors'
import type { ShownValues } from '../dialect/dialect.ts'
import { word } from '../message/schema.ts'
import { optionalQuery, type Parameter, type ParameterValues } from './parameter.ts'

/** The parameter `encoding`, which has one value. */
export const ENCODING: Parameter<'base64' | undefined> = optionalQuery({
  name: 'encoding',
  description: 'base64: values of fixed size come as the Base64 of their bytes.',
  schema: word('base64'),
  only: 'hsds',
  parse(text) {
    if (text === 'base64') return text
    throw new HyperslabError('malformed-parameter', `encoding=${text} must be base64`)
  },
})

export const SHOWN_VALUES = {
  maxDataSize: optionalQuery({
    name: 'max_data_size',
    description: 'Values of more bytes are left out; an element of variable size counts 512. 0 is no bound.',
    schema: { type: 'string', pattern: '^\\s*[0-9]{0,15}\\s*$', examples: ['1024'] },
    only: 'hsds',
    parse(text) {
      if (!/^\s*\d{0,15}\s*$/.test(text)) {
        throw new HyperslabError(
          'malformed-parameter',
          `max_data_size=${text} must be a whole number of bytes`,
        )
      }
      return Number(text)
    },
  }),
  encoding: ENCODING,
}

/** `values`: attributes come with their values at all. */
export function shownValues({
  maxDataSize = 0,
  values = true,
  encoding,
}: ParameterValues<typeof SHOWN_VALUES> & { readonly values?: boolean }): ShownValues {
  const shown = { values, base64: encoding !== undefined }
  return maxDataSize > 0 ? { ...shown, maxDataSize } : shown
}
