import { type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { type Place, parsePlace } from './address.ts'
import {
  domainOf,
  hasActions,
  headBadges,
  isProblem,
  nextPlace,
  type PlaceFacts,
  placeFacts,
  problemText,
  titleOf,
  upFrom,
  wayTo,
} from './model.ts'

const FOLDER: Place = { kind: 'folder', path: '/home/ann/' }
const DOMAIN: Place = { kind: 'domain', path: '/home/ann/a.h5', object: '/' }
const OBJECT: Place = { ...DOMAIN, object: '/entry/data' }
const ACCOUNT: Place = { kind: 'account', part: 'tokens' }
const TOP: Place = { kind: 'folder', path: '/' }

test.each<[Place, string, Place]>([
  [TOP, 'Hyperslab', TOP],
  [FOLDER, 'ann – Hyperslab', { kind: 'folder', path: '/home/' }],
  [DOMAIN, 'a.h5 – Hyperslab', { kind: 'folder', path: '/home/ann/' }],
  [OBJECT, 'data – a.h5 – Hyperslab', { kind: 'folder', path: '/home/ann/' }],
  [ACCOUNT, 'Account – Hyperslab', TOP],
])('%j has the title %s, and the folder above %j', (place, title, above) => {
  expect([titleOf(place), upFrom(place)]).toEqual([title, above])
})

describe('the facts of a place', () => {
  const { signal } = new AbortController()
  const of = (answer: object | Error, path = '/a') => {
    const asked: unknown[] = []
    const request = async (...parts: unknown[]) => {
      asked.push(parts.slice(0, 2))
      if (answer instanceof Error) throw answer
      return answer
    }
    return placeFacts({ request } as unknown as Hyperslab, path, signal).then(facts => ({ ...facts, asked }))
  }

  test.each<[string, object | Error, PlaceFacts]>([
    ['a domain', { root: 'g' }, { kind: 'domain', isMounted: false }],
    ['a file', { root: 'g', mounted: true }, { kind: 'domain', isMounted: true }],
    [
      'a damaged file',
      { root: 'g', mounted: true, damage: 'cut off' },
      { kind: 'domain', isMounted: true, damage: 'cut off' },
    ],
    [
      'a domain of many files',
      { root: 'g', joined: true, num_files: 3 },
      { kind: 'domain', isMounted: true, isJoined: true },
    ],
    [
      'a document in a mounted folder that joins files',
      { root: 'g', mounted: true, num_files: 3 },
      { kind: 'domain', isMounted: true, isJoined: true },
    ],
    [
      'a domain whose files cannot be joined',
      { root: 'g', joined: true, damage: 'they overlap' },
      { kind: 'domain', isMounted: true, isJoined: true, damage: 'they overlap' },
    ],
    ['a folder', {}, { kind: 'folder', isMounted: false }],
    ['a folder of files', { mounted: true }, { kind: 'folder', isMounted: true }],
    ['what may not be seen', new RequestError('no', 403, 'x'), { kind: 'forbidden', isMounted: false }],
    ['what is missing', new RequestError('no', 404, 'x'), { kind: 'missing', isMounted: false }],
    ['what is gone', new RequestError('no', 410, 'x'), { kind: 'missing', isMounted: false }],
  ])('%s', async (_, answer, facts) => {
    expect(await of(answer)).toEqual({ ...facts, asked: [['GET /', { domain: '/a' }]] })
    expect(isProblem(facts)).toBe(answer instanceof Error)
  })

  test('at the top are those of its entries', async () => {
    const mounted = { class: 'domain', mounted: true }
    expect(await of({ domains: [{ class: 'folder' }, mounted] }, '/')).toEqual({
      kind: 'folder',
      isMounted: true,
      asked: [['GET /', { domain: '/', Limit: 100 }]],
    })
    expect(await of({ domains: [{ class: 'folder', mounted: true }] }, '/')).toMatchObject({
      isMounted: false,
    })
  })

  test('are not known while the service is away', async () => {
    await expect(of(new RequestError('busy', 503, 'x'))).rejects.toThrow('busy')
    // Credentials that are no longer accepted say nothing of the place: the error is shown.
    await expect(of(new RequestError('token rejected', 401, 'x'))).rejects.toThrow('token rejected')
    expect(isProblem(undefined)).toBe(false)
  })

  test('say whether code and a file are offered: of a domain that is there and may be read', () => {
    const facts = (kind: PlaceFacts['kind']) => ({ kind, isMounted: false })
    expect(
      (['domain', 'folder', 'forbidden', 'missing'] as const).map(kind => hasActions(DOMAIN, facts(kind))),
    ).toEqual([true, false, false, false])
    expect([hasActions(DOMAIN, undefined), hasActions(FOLDER, facts('folder'))]).toEqual([false, false])
  })

  test('are asked for by the path of requests', () => {
    expect([FOLDER, DOMAIN, TOP, ACCOUNT].map(domainOf)).toEqual([
      '/home/ann',
      '/home/ann/a.h5',
      '/',
      undefined,
    ])
  })
})

describe('the page goes on', () => {
  const share = { within: '/home/ann', view: 'domain=/home/ann/a.h5&path=/x', end: '' }
  const state = (place: Place, parts: object = {}) => ({
    place,
    search: '?x',
    share: undefined,
    facts: undefined,
    ...parts,
  })

  test('from the address of a folder as a domain to the folder', () => {
    const facts = { kind: 'folder', isMounted: false } as const
    expect(nextPlace(state({ ...DOMAIN, path: '/home/ann' }, { facts }))).toEqual({
      place: FOLDER,
      isElsewhere: false,
    })
    expect(nextPlace(state(DOMAIN, { facts: { ...facts, kind: 'domain' } }))).toBeUndefined()
    expect(nextPlace(state(FOLDER, { facts }))).toBeUndefined()
  })

  test('from the address of a share without a place to the view that it opens', () => {
    const next = { place: parsePlace(`?${share.view}`), isElsewhere: true }
    expect(nextPlace(state(TOP, { share, search: '' }))).toEqual(next)
    // An address that was typed stays, and the service says what is there.
    expect(nextPlace(state(TOP, { share }))).toBeUndefined()
    expect(nextPlace(state(ACCOUNT, { share, search: '' }))).toEqual(next)
    expect(nextPlace(state(FOLDER, { share, search: '' }))).toBeUndefined()
  })
})

describe('the head of the page', () => {
  const share = { within: '/home/ann', view: '', end: '' }
  const badges = (isReadOnly: boolean, hasAccounts: boolean, isOpen: boolean) =>
    headBadges({ isReadOnly, isJoined: false, share: undefined, hasAccounts, isOpen })

  test('says that files are read only, and that there are no accounts', () => {
    expect(badges(false, true, false)).toEqual([])
    expect(badges(true, true, false)).toMatchObject([
      { text: 'Read only', note: expect.stringContaining('cannot change them'), page: 'mounting' },
    ])
    expect(badges(true, false, true)).toMatchObject([
      { text: 'Read only' },
      { text: 'No accounts', note: expect.stringContaining('The first account ends that'), page: 'access' },
    ])
    const joined = { isReadOnly: true, isJoined: true, share: undefined, hasAccounts: true, isOpen: false }
    expect(headBadges(joined)).toMatchObject([{ text: 'Read only', page: 'joined-files' }])
    expect(badges(false, false, false)[0]?.note).toContain('Nobody can log in to this service yet')
  })

  test('of a share has nothing of the service, and no folder above it', () => {
    expect(
      headBadges({ isReadOnly: true, isJoined: false, share, hasAccounts: false, isOpen: false }),
    ).toEqual([])
    const names = (of?: typeof share) => wayTo('/home/ann/sub/a.h5', of).map(({ name }) => name)
    expect(names()).toEqual(['home', 'ann', 'sub', 'a.h5'])
    expect(names(share)).toEqual(['ann', 'sub', 'a.h5'])
  })
})

test.each([
  ['missing', undefined, true, 'There is nothing at /home/ann/a.h5', 'up'],
  ['missing', 'eve', true, 'There is nothing at /home/ann/a.h5', 'up'],
  ['forbidden', undefined, true, 'a.h5 is not public', 'login'],
  ['forbidden', undefined, false, 'a.h5 is not public', undefined],
  ['forbidden', 'eve', true, 'eve may not see a.h5', 'up'],
] as const)('an address that is %s says to %s, accounts %s: %s', (kind, name, hasAccounts, title, help) => {
  const user = name && { name, isAdmin: false }
  expect(problemText('/home/ann/a.h5', kind, { user, hasAccounts })).toMatchObject({ title, help })
})
