import { type Hyperslab, RequestError } from '@hyperslab/client'
import { describe, expect, test } from 'vitest'
import { sendAgain } from '../shell/relogin.ts'
import { authorizationIn, type BrowserLogin, LoginModel, loginOf, providerOffer, type Tabs } from './login.ts'

const ANN = { name: 'ann', isAdmin: false }
const NOBODY: BrowserLogin = { hasAccounts: true, isOpen: false }
/** All that follows from answers has happened. */
const settled = () => new Promise(resolve => setImmediate(resolve))

describe('the login that the browser has', () => {
  const answered = (answer: object) => ({ request: async () => answer }) as unknown as Hyperslab

  test.each<[string, object, BrowserLogin]>([
    ['none', { login: 'none', isadmin: false }, NOBODY],
    [
      'of a user',
      { login: 'session', isadmin: true, username: 'ann', displayName: 'Ann' },
      { ...NOBODY, user: { name: 'ann', isAdmin: true, displayName: 'Ann' } },
    ],
    [
      'of a share',
      { login: 'share', isadmin: false, scope: { within: '/a' }, view: 'domain=/a/b', end: '2027' },
      { ...NOBODY, share: { within: '/a', view: 'domain=/a/b', end: '2027' } },
    ],
    [
      'of everybody on this machine',
      { login: 'none', isadmin: true, accounts: false },
      { hasAccounts: false, isOpen: true },
    ],
    [
      'of nobody yet',
      { login: 'none', isadmin: false, accounts: false },
      { hasAccounts: false, isOpen: false },
    ],
  ])('%s', async (_, answer, login) => {
    expect(await loginOf(answered(answer))).toEqual(login)
  })

  test('is none while the service cannot say', async () => {
    const request = () => Promise.reject(new RequestError('away', 503, 'x'))
    expect(await loginOf({ request } as unknown as Hyperslab)).toEqual(NOBODY)
  })
})

/** The tabs of a browser, which has one login. */
function newBrowser(login: BrowserLogin = NOBODY) {
  const browser = { login }
  const open = new Set<Tabs>()
  const newTab = () => {
    const openTabs = () => {
      const tabs: Tabs = {
        onmessage: null,
        postMessage: message => {
          for (const other of open) if (other !== tabs) void other.onmessage?.(message as never)
        },
        close: () => open.delete(tabs),
      }
      open.add(tabs)
      return tabs
    }
    const model = new LoginModel(async () => browser.login, openTabs)
    return { model, close: model.followTabs() }
  }
  return { browser, newTab }
}

describe('the login of the page', () => {
  test('is not known until the service has said it', async () => {
    const { newTab } = newBrowser()
    const { model } = newTab()
    expect(model.state()).toEqual({ ...NOBODY, isKnown: false, isEnded: false })
    await model.begin(Promise.resolve({ ...NOBODY, user: ANN }))
    expect(model.state()).toEqual({ ...NOBODY, user: ANN, isKnown: true, isEnded: false })
  })

  test('is of a service with accounts, also where there were none before', async () => {
    const { model } = newBrowser().newTab()
    await model.begin(Promise.resolve({ hasAccounts: false, isOpen: true }))
    model.change(ANN)
    expect(model.state()).toMatchObject({ user: ANN, hasAccounts: true, isOpen: false })
    model.change(undefined)
    expect(model.state()).toMatchObject({ hasAccounts: true, isOpen: false })
  })

  test('begins and ends in all tabs', async () => {
    const { browser, newTab } = newBrowser()
    const [one, other] = [newTab(), newTab()]
    for (const { model } of [one, other]) await model.begin(Promise.resolve(NOBODY))
    browser.login = { ...NOBODY, user: ANN }
    one.model.change(ANN)
    await settled()
    expect([one.model.state().user, other.model.state().user]).toEqual([ANN, ANN])
    browser.login = NOBODY
    other.model.change(undefined)
    await settled()
    expect([one.model.state().user, other.model.state().user]).toEqual([undefined, undefined])
    one.close()
    browser.login = { ...NOBODY, user: ANN }
    other.model.change(ANN)
    await settled()
    expect(one.model.state().user).toBeUndefined()
  })

  test('stays that of a share', async () => {
    const share = { within: '/a', view: '', end: '' }
    const { newTab } = newBrowser({ ...NOBODY, share })
    const [one, other] = [newTab(), newTab()]
    await one.model.begin(Promise.resolve({ ...NOBODY, share }))
    other.model.change(ANN)
    await settled()
    expect(one.model.state()).toMatchObject({ share })
    expect(one.model.state().user).toBeUndefined()
  })

  test('is asked for again when the session has ended, and the same user goes on with what the page shows', async () => {
    const { newTab } = newBrowser()
    const { model } = newTab()
    let changes = 0
    const leave = model.subscribe(() => changes++)
    await model.begin(Promise.resolve({ ...NOBODY, user: ANN }))
    const { user } = model.state()
    const waiting = model.relogin.ask()
    expect(model.state()).toMatchObject({ user: ANN, isEnded: true })
    model.change({ ...ANN })
    await waiting
    expect(model.state().isEnded).toBe(false)
    expect(model.state().user).toBe(user)
    void model.relogin.ask()
    model.change(undefined)
    expect(model.state()).toEqual({ ...NOBODY, isKnown: true, isEnded: false })
    leave()
    const before = changes
    model.change(ANN)
    expect([before > 0, changes]).toEqual([true, before])
  })
})

describe('requests when the session has ended', () => {
  const ended = () => new Response('{"code":"session-ended"}', { status: 401 })

  /** A service in which the session ends and begins. */
  function newService() {
    const sent: string[] = []
    const state = { hasSession: true }
    const send = async (input: unknown) => {
      sent.push(String(input))
      return state.hasSession ? new Response('ok') : ended()
    }
    return { sent, state, send: send as typeof fetch }
  }

  async function newPage() {
    const service = newService()
    const { model } = newBrowser().newTab()
    await model.begin(Promise.resolve({ ...NOBODY, user: ANN }))
    return { service, model, fetch: sendAgain(service.send, model.relogin) }
  }

  test('wait for the login, and go on: what was sent, and what is sent meanwhile', async () => {
    const { service, model, fetch } = await newPage()
    await fetch('a')
    service.state.hasSession = false
    const answers = [fetch('b'), fetch('c')]
    await settled()
    expect(model.state().isEnded).toBe(true)
    answers.push(fetch('d'))
    await settled()
    expect(service.sent).toEqual(['a', 'b', 'c'])
    service.state.hasSession = true
    model.change(ANN)
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(service.sent.slice(3).sort()).toEqual(['b', 'c', 'd'])
  })

  test('fail when the user does not log in again', async () => {
    const { service, model, fetch } = await newPage()
    service.state.hasSession = false
    const answer = fetch('b')
    await settled()
    model.change(undefined)
    expect((await answer).status).toBe(401)
    expect(model.state().user).toBeUndefined()
  })

  test('do not ask for a login while the user logs out, nor afterwards', async () => {
    const { service, model, fetch } = await newPage()
    let end = () => {}
    const isEnded = new Promise<void>(resolve => {
      end = resolve
    })
    // The answer to what was sent before comes last.
    const late = async (input: unknown) => {
      service.sent.push(String(input))
      if (service.sent.filter(sent => sent === 'late').length > 1) return new Response('of nobody')
      await isEnded
      await settled()
      return ended()
    }
    const fetchLate = sendAgain(late as typeof globalThis.fetch, model.relogin)
    const answers = [fetchLate('late')]
    service.state.hasSession = false
    answers.push(fetch('refused'))
    const asked: boolean[] = []
    model.subscribe(() => asked.push(model.state().isEnded))
    // The session ends before its end is known here.
    const client = {
      request: async () => {
        await isEnded
        return { logout: 'https://lab.example.org/logout' }
      },
    } as unknown as Hyperslab
    const logout = model.logOut(client)
    answers.push(fetch('held'))
    await settled()
    expect(service.sent).toEqual(['late', 'refused'])
    service.state.hasSession = true
    end()
    expect(await logout).toBe('https://lab.example.org/logout')
    expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
    expect(model.state()).toEqual({ ...NOBODY, isKnown: true, isEnded: false })
    expect(asked).not.toContain(true)
  })

  test('go on when the user could not log out', async () => {
    const { model, fetch } = await newPage()
    const client = { request: () => Promise.reject(new Error('away')) } as unknown as Hyperslab
    await expect(model.logOut(client)).rejects.toThrow('away')
    expect((await fetch('a')).status).toBe(200)
    expect(model.state().user).toEqual(ANN)
  })

  test('are those of an ended session only', async () => {
    const { model } = await newPage()
    const send = (async () => new Response('{"code":"wrong-password"}', { status: 401 })) as typeof fetch
    expect((await sendAgain(send, model.relogin)('a')).status).toBe(401)
    expect(model.state().isEnded).toBe(false)
  })
})

test('the form sends a password, or a token', () => {
  const fields = (values: object) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(values)) form.set(name, value)
    return form
  }
  expect(authorizationIn(fields({ name: 'ann', password: 'x' }))).toBe(`Basic ${btoa('ann:x')}`)
  expect(authorizationIn(fields({ token: 'hyperslab_x' }))).toBe('Bearer hyperslab_x')
})

describe('a login at an identity provider', () => {
  const lab = { title: 'The lab', login: 'login/lab', available: true }
  const place = { pathname: '/ui', search: '?folder=/data' }

  test('leads back to this place, if its address is not too long', () => {
    expect(providerOffer(lab, place)).toEqual({
      text: 'Log in with The lab',
      address: 'login/lab?next=%2Fui%3Ffolder%3D%2Fdata',
    })
    const { address } = providerOffer(lab, { ...place, search: `?${'x'.repeat(2000)}` })
    expect(address).toBe('login/lab?next=%2Fui')
  })

  test('is not offered while the provider is away, which is said', () => {
    const { text, address } = providerOffer({ ...lab, available: false }, place)
    expect([text, address]).toEqual([
      expect.stringContaining('The lab does not answer at present'),
      undefined,
    ])
  })
})
