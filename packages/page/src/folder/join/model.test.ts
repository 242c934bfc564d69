import { type Api, type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { newFolderFor } from './home.ts'
import {
  conflictGroups,
  faultOf,
  isReview,
  type JoinFields,
  NO_RULES,
  offersOf,
  requestOf,
  reviewText,
  warningGroups,
} from './model.ts'

const FIELDS: JoinFields = {
  sources: '/lab/day_*.nc',
  along: 'time',
  isNew: false,
  coordinate: '',
  datasets: '',
  ...NO_RULES,
  to: '/home/ann/all.nc',
}

describe('the request for a definition', () => {
  test.each<[Partial<JoinFields>, object]>([
    [{}, { sources: '/lab/day_*.nc', along: 'time' }],
    [{ sources: ' /a.nc \n\n/b.nc\n' }, { sources: ['/a.nc', '/b.nc'], along: 'time' }],
    [{ along: ' /data#0 ' }, { sources: '/lab/day_*.nc', along: '/data#0' }],
    [{ along: '/a,b#0, /c#1' }, { sources: '/lab/day_*.nc', along: ['/a,b#0', '/c#1'] }],
    // A name may have any signs.
    [{ along: 'time, or not' }, { sources: '/lab/day_*.nc', along: 'time, or not' }],
    [
      { keep: 'last', unpack: true, fillsMissing: true },
      { sources: '/lab/day_*.nc', along: 'time', keep: 'last', unpack: true, missing: 'fill' },
    ],
    [
      { isNew: true, along: ' run ' },
      { sources: '/lab/day_*.nc', along: { new: 'run' } },
    ],
    [
      { isNew: true, along: 'run', coordinate: ' run_{n:d}.h5 ', datasets: '/a,b, /c', keep: 'last' },
      {
        sources: '/lab/day_*.nc',
        along: { new: 'run', coordinate: 'run_{n:d}.h5', datasets: ['/a,b', '/c'] },
      },
    ],
    [
      { coordinate: 'x', datasets: '/c' },
      { sources: '/lab/day_*.nc', along: 'time' },
    ],
  ])('of %j', (parts, join) => {
    expect(requestOf({ ...FIELDS, ...parts })).toEqual({ join, to: '/home/ann/all.nc' })
  })

  test.each([{ sources: ' \n' }, { along: ' ' }, { along: '', isNew: true }, { to: '' }])(
    'is none with %j',
    parts => {
      expect(requestOf({ ...FIELDS, ...parts })).toBeUndefined()
    },
  )
})

test.each<[RequestError | Error, string | undefined]>([
  [new RequestError('join.sources "a" must be a path', 400, 'malformed-body'), 'sources'],
  [new RequestError('the pattern "[": …', 400, 'malformed-pattern'), 'sources'],
  [new RequestError('join.along must be a string', 400, 'malformed-body'), 'along'],
  [new RequestError('join.along.new must be the name', 400, 'malformed-body'), 'along'],
  [new RequestError('join.along.coordinate "x": …', 400, 'malformed-body'), 'coordinate'],
  [new RequestError('join.along.datasets must be a string', 400, 'malformed-body'), 'datasets'],
  [new RequestError('ann has no permission "read" on files', 403, 'permission-denied'), 'sources'],
  [new RequestError('ann has no permission "create" on /home', 403, 'permission-denied'), 'to'],
  [new RequestError('/all.nc already exists', 409, 'domain-exists'), 'to'],
  [new RequestError('there is no folder /a', 404, 'folder-not-found'), 'to'],
  [new RequestError('the coordinates overlap', 409, 'files-differ'), undefined],
  [new RequestError('busy', 503, 'busy'), undefined],
  [new Error('other'), undefined],
])('an error is at the field that it is about: %s', (error, field) => {
  expect(faultOf(error)).toEqual({ field, message: error.message })
})

describe('a review', () => {
  const review = (parts: Partial<Api.JoinReview>): Api.JoinReview => ({
    files: 2,
    names: ['/lab/day_1.nc', '/lab/day_2.nc'],
    length: 48,
    datasets: [],
    conflicts: [],
    warnings: [],
    ...parts,
  })

  test.each<[Partial<Api.JoinReview>, string]>([
    [{}, '2 files, from day_1.nc to day_2.nc: time has 48 elements.'],
    [{ files: 1, names: ['/lab/day_1.nc'], length: 1 }, '1 file, day_1.nc: time has 1 element.'],
    [{ files: 4400, length: 105_600 }, '4,400 files, day_1.nc and so on: time has 105,600 elements.'],
    [{ conflicts: [{ files: [], reason: 'x' }] }, 'These files cannot be joined:'],
  ])('says what the files are together: %#', (parts, text) => {
    expect(reviewText(review(parts), 'time', '/lab/')).toBe(text)
    expect(isReview(review(parts))).toBe(true)
  })

  test('is not the answer to the request that makes the domain', () => {
    expect(isReview({ root: 'g-1' })).toBe(false)
  })

  test('offers the changes that solve its conflicts', () => {
    const conflict = { files: [], reason: 'x' }
    expect(offersOf([conflict])).toEqual([])
    const texts = offersOf([{ ...conflict, option: 'keep' }, conflict, { ...conflict, option: 'keep' }])
    expect(texts.map(({ text }) => text)).toEqual(['Keep the later file', 'Keep the earlier file'])
    const [unpack] = offersOf([{ ...conflict, option: 'unpack' }])
    expect(requestOf({ ...FIELDS, ...unpack?.change })?.join.unpack).toBe(true)
  })

  test('has the warnings of one kind together', () => {
    const left = ['/lab/b.nc', '/lab/a.nc'].map(path => ({ path, message: 'it is left out' }))
    expect(warningGroups([...left, { path: '/lba/*', message: 'nothing' }], '/lab/')).toEqual([
      { reason: 'it is left out', files: 'a.nc, b.nc' },
      { reason: 'nothing', files: '/lba/*' },
    ])
  })

  test('has each reason once, with the files that it does not name', () => {
    const lacks = (n: number) => ({
      files: [`/lab/day_${n}.nc`],
      reason: `/lab/day_${n}.nc: no dataset has the dimension tim`,
    })
    const overlap = 'the coordinates time of /lab/day_1.nc and /lab/day_2.nc overlap'
    const conflicts = [
      ...[10, 9, 1, 2].map(lacks),
      { files: ['/lab/day_1.nc', '/lab/day_2.nc'], reason: overlap },
      { files: ['/lab/day_1.nc'], object: '/temp', reason: 'it has another type' },
      { files: [], reason: 'the files cannot be joined: there is no HDF5 file where it searches' },
    ]
    expect(conflictGroups(conflicts, '/lab/')).toEqual([
      { reason: 'no dataset has the dimension tim', files: 'day_1.nc, day_2.nc, day_9.nc and 1 more' },
      { reason: 'the coordinates time of day_1.nc and day_2.nc overlap', files: '' },
      { reason: '/temp: it has another type', files: 'day_1.nc' },
      { reason: 'there is no HDF5 file where it searches', files: '' },
    ])
  })
})

test.each<[string, { name: string; isAdmin: boolean } | undefined, boolean, boolean, string | undefined]>([
  ['the home', { name: 'ann', isAdmin: false }, false, true, '/home/ann/'],
  ['none without one', { name: 'ann', isAdmin: false }, false, false, undefined],
  ['the top level for administrators', { name: 'root', isAdmin: true }, false, false, '/'],
  ['the top level of a service without accounts', undefined, true, false, '/'],
  ['none for others', undefined, false, false, undefined],
])('a new domain is at first in %s', async (_, user, isOpen, create, folder) => {
  const client = { request: async () => ({ acl: { create } }) } as unknown as Hyperslab
  const session = { client, user, isOpen }
  expect(await newFolderFor(session, new AbortController().signal)).toBe(folder)
})
