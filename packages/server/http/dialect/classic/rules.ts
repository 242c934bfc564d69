// The rules of the classic dialect, where the two APIs differ.

import { HDF5_JSON } from '@hyperslab/model/dataset'
import type { Rules } from '../rules.ts'
import { classicReferences } from './values.ts'

export const classicRules: Rules = {
  requests: {
    exactPaths: false,
    exactPreflights: false,
    refusesUnknown: false,
    anyStringIsTrue: true,
    nullIsNoBody: false,
    writesNeedIdentity: false,
    lenientCredentials: true,
    challenges: true,
    reasonPhrase: false,
  },
  listings: {
    unknownMarker: 'empty',
    negativeLimit: 'none',
  },
  domains: {
    bulkAttributes: 'asked',
  },
  objects: {
    listsUnlinked: true,
    deleteRemovesLinks: true,
    createsSeveral: false,
    linksIntoRoot: false,
    creationOptions: false,
    checksReferences: true,
  },
  links: {
    samePut: 'conflict',
    twoForms: 'first',
  },
  attributes: {
    samePut: 'conflict',
    nullTakesValue: true,
    valueRequired: true,
    base64: false,
    emptyBatch: false,
    keepsText: false,
  },
  types: {
    namesNeedOrder: false,
    takesBitfields: true,
    keepsSpelling: false,
  },
  datasets: {
    creation: { ...HDF5_JSON, references: classicReferences },
    shrinks: false,
    extends: false,
    shapeChangedStatus: 200,
  },
  values: {
    selections: 'ranges',
    options: false,
    postReads: 'points',
    binaryMethods: 'get',
    binaryOfOne: false,
    binaryTypes: 'fixed',
    knownContentTypes: false,
    opaque: 'error',
    nonUtf8Text: 'escaped',
    nestedSequences: 'stored',
    countsOnly: false,
    writesNothing: true,
    null: 'null',
  },
  queries: {
    grammar: 'signs',
    searches: 'tables',
    binary: false,
    rows: 'index-beside',
    updated: 'indexes',
  },
  acls: {
    items: 'effective',
    inherited: false,
    flags: 'any',
    otherName: 'ignored',
    names: 'known',
    putManyStatus: 200,
  },
}
