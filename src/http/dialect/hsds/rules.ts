// The rules of the hsds dialect, where the two APIs differ.

import type { Rules } from '../rules.ts'
import type { LevelRules } from './levels.ts'

export function hsdsRules({ bulkAttributes, emptyBatch, creation, rows }: LevelRules): Rules {
  return {
    requests: {
      exactPaths: true,
      exactPreflights: true,
      anyStringIsTrue: false,
      strictBodies: true,
      writesNeedIdentity: true,
      lenientCredentials: false,
      challenges: false,
      reasonPhrase: true,
    },
    listings: {
      unknownMarker: 'missing',
      negativeLimit: 'error',
    },
    domains: {
      bulkAttributes,
    },
    objects: {
      listsUnlinked: false,
      deleteRemovesLinks: false,
      creationOptions: true,
      checksReferences: false,
    },
    links: {
      samePut: 'accept',
    },
    attributes: {
      emptyBatch,
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
      creation,
      shrinks: true,
      extends: true,
      shapeChangedStatus: 201,
    },
    values: {
      selections: 'lists',
      options: true,
      binaryReads: 'all',
      binaryTypes: 'any',
      knownContentTypes: true,
      opaque: 'base64',
      nonUtf8Text: 'refused',
      nestedSequences: 'refused',
      countsOnly: true,
      writesNothing: false,
      null: 'refused',
    },
    queries: {
      rows,
      grammar: 'hsds',
      searches: 'all',
      binary: true,
    },
    acls: {
      items: 'stored',
      inherited: true,
      names: 'any',
      putManyStatus: 201,
    },
  }
}
