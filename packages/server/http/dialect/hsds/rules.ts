// The rules of the hsds dialect, where the two APIs differ.

import type { Rules } from '../rules.ts'
import type { LevelRules } from './levels.ts'

/** The rules that all levels of the API have. */
const COMMON_RULES = {
  requests: {
    exactPaths: true,
    exactPreflights: true,
    refusesUnknown: true,
    anyStringIsTrue: false,
    nullIsNoBody: true,
    writesNeedIdentity: true,
    lenientCredentials: false,
    challenges: false,
    reasonPhrase: true,
  },
  listings: {
    unknownMarker: 'missing',
    negativeLimit: 'error',
  },
  objects: {
    listsUnlinked: false,
    deleteRemovesLinks: false,
    createsSeveral: true,
    linksIntoRoot: true,
    creationOptions: true,
    checksReferences: false,
  },
  links: {
    samePut: 'accept',
    twoForms: 'error',
  },
  attributes: {
    samePut: 'accept',
    nullTakesValue: false,
    valueRequired: false,
    base64: true,
    keepsText: true,
  },
  types: {
    namesNeedOrder: true,
    takesBitfields: false,
    keepsSpelling: true,
  },
  datasets: {
    shrinks: true,
    extends: true,
    shapeChangedStatus: 201,
  },
  values: {
    selections: 'lists',
    options: true,
    postReads: 'any',
    binaryMethods: 'all',
    binaryOfOne: true,
    binaryTypes: 'any',
    knownContentTypes: true,
    opaque: 'base64',
    nonUtf8Text: 'error',
    nestedSequences: 'error',
    countsOnly: true,
    writesNothing: false,
    null: 'error',
  },
  queries: {
    grammar: 'words',
    searches: 'all',
    binary: true,
  },
  acls: {
    items: 'stored',
    inherited: true,
    flags: 'boolean',
    otherName: 'error',
    names: 'any',
    putManyStatus: 201,
  },
} satisfies { readonly [Resource in keyof Rules]?: Partial<Rules[Resource]> }

export function hsdsRules({ bulkAttributes, emptyBatch, creation, rows, updated }: LevelRules): Rules {
  const { attributes, datasets, queries } = COMMON_RULES
  return {
    ...COMMON_RULES,
    domains: { bulkAttributes },
    attributes: { ...attributes, emptyBatch },
    datasets: { ...datasets, creation },
    queries: { ...queries, rows, updated },
  }
}
