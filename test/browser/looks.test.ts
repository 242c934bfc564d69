// Each view of the page, as a table: axe-core has no serious finding, in light and dark, on a desk and on a phone.
// There nothing scrolls sideways, the main controls are large enough for a thumb, and nothing moves while it is loaded.

import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { describe, expect, inject, test } from 'vitest'
import type { Domain } from '../../packages/client/index.ts'
import { ADMIN, USER1 } from '../wire/client.ts'
import { HOME } from '../wire/hsds/domain.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  addressOf,
  choose,
  clientOfUser,
  entry,
  holdUp,
  logIn,
  newDataset,
  newDomain,
  newFolder,
  placeOfPoints,
  plotText,
  putAttribute,
  REGIONS,
  ramp,
  regionOf,
  SEQUENCES,
  STRING,
  serveFiles,
  viewAddress,
} from './ui.ts'

const DESK = { width: 1280, height: 800 }
const PHONE = { width: 390, height: 844 }

/** Controls that a phone needs all the time. */
const MAIN_CONTROLS =
  'header button, .tools button, .search input, [role=menuitem], dialog button, [role=tab]'
/** Pixels that a thumb needs. */
const THUMB = 40

interface View {
  readonly name: string
  readonly user?: string
  readonly address: string
  /** Opens what the address does not, and waits until all is there. */
  readonly show: (page: Page) => Promise<unknown>
}

interface Places {
  readonly domain: Domain
  readonly folder: string
  readonly emptyFolder: string
  readonly ownDomain: string
  readonly files: string
}

/** The parts of the page for administrators, each with words that it shows. */
const ADMINISTRATION = [
  ['users', 'First password'],
  ['logins', 'made just now'],
  ['use', 'Set a quota'],
  ['requests', 'The list follows by itself'],
  ['changes', 'keeps no log of changes'],
  ['health', 'The service is ready'],
] as const

const isDrawn = (page: Page) => page.locator('.plot-note').filter({ hasText: /./ }).waitFor()
const isMeasured = (text: string) => (page: Page) => page.locator('.measure-note').getByText(text).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()

const edited = async (page: Page) => {
  await press(page, 'Edit')
  await page.locator('.cell-edit').first().waitFor()
}

/** In groups, each of which is a test. */
function viewsOf({ domain, folder, emptyFolder, ownDomain, files }: Places) {
  const guest = (name: string, address: string, show: View['show']) => ({ name, address, show })
  const user = (name: string, address: string, show: View['show']) => ({
    ...guest(name, address, show),
    user: USER1,
  })
  const at = (path: string, view = {}) => viewAddress(domain, { path, ...view })
  const list = addressOf({ folder })
  const part = (part: string, text: string) =>
    user(`the account: ${part}`, addressOf({ account: part }), page => page.getByText(text).first().waitFor())
  const chosen = (action: string) =>
    user(`the dialog ${action}`, list, async page => {
      await choose(page, 'run.h5', action)
      await page.getByRole('dialog').getByRole('button').nth(1).waitFor()
    })
  const visits: readonly View[] = [
    guest('the root', addressOf({}), page => entry(page, 'home').waitFor()),
    guest('a domain that is not public', addressOf({ domain: ownDomain }), page =>
      page.getByText('is not public').waitFor(),
    ),
    guest('a domain that is not there', addressOf({ domain: `${ownDomain}x` }), page =>
      page.getByText('There is nothing at').waitFor(),
    ),
    guest('an object that is not there', at('/nowhere'), page => page.getByRole('alert').first().waitFor()),
    guest('an address that is not there', `${inject('address')}/nowhere.html`, page =>
      page.getByRole('heading').first().waitFor(),
    ),
    guest('recent and favourite files', at('/line'), async page => {
      await press(page, `Favourite: ${domain.path.split('/').at(-1)}`)
      await page.goto(addressOf({}))
      await page.getByRole('region', { name: 'Favourites' }).waitFor()
      await entry(page, 'home').waitFor()
    }),
    guest('the login', addressOf({}), async page => {
      await press(page, 'Log in')
      await page.getByRole('dialog').getByLabel('Password').waitFor()
    }),
    guest('the help', addressOf({}), page => press(page, 'Help')),
    guest('mounted files', files, page => entry(page, 'a.h5').waitFor()),
    guest('the words on mounted files', files, async page => {
      await press(page, 'Read only')
      await page.getByText('cannot change them').waitFor()
    }),
    guest('a view in another page', viewAddress(domain, { path: '/image' }, 'ui/embed'), isDrawn),
    guest('the guide', `${inject('address')}/docs/guide`, page =>
      page.getByRole('heading').first().waitFor(),
    ),
  ]
  const folders: readonly View[] = [
    user('a folder', list, page => entry(page, 'run.h5').waitFor()),
    user('an empty folder', addressOf({ folder: emptyFolder }), page =>
      page.getByText('There is nothing').waitFor(),
    ),
    user('a folder with pictures', list, async page => {
      await press(page, 'Pictures')
      await page.locator('.thumbnail .icon-domain').first().waitFor()
    }),
    user('a filter without rows', list, async page => {
      await page.getByLabel('Filter by name').fill('?')
      await page.getByText('No name has').waitFor()
    }),
    user('selected rows', list, async page => {
      await page.getByLabel('Select run.h5').check()
      await page.getByText('1 selected').waitFor()
    }),
    user('the menu of a row', list, async page => {
      await press(page, 'Actions for run.h5')
      await page.getByRole('menu').waitFor()
    }),
    ...['Share', 'Access', 'Rename', 'Move', 'Delete'].map(chosen),
    user('the dialog New folder', list, page => press(page, 'New folder')),
    user('the menu of the account', list, async page => {
      await account(page).click()
      await page.getByRole('menu').waitFor()
    }),
    user('uploads', list, async page => {
      // Neither is an HDF5 file.
      const file = (name: string) => ({
        name,
        mimeType: 'application/x-hdf5',
        buffer: Buffer.from('no file'),
      })
      await page.locator('input[type=file]').setInputFiles([file('bad1.h5'), file('bad2.h5')])
      await page.getByText('0 of 2 files uploaded, 2 failed').waitFor()
    }),
  ]
  const contents: readonly View[] = [
    user('the members of a group', at('/'), page => page.getByRole('table', { name: 'Members' }).waitFor()),
    user('a group without members', at('/nothing'), page => page.getByText('no members').waitFor()),
    user('a search', at('/'), async page => {
      await page.getByRole('searchbox', { name: 'Search' }).fill('a')
      await page.getByText('objects found').waitFor()
    }),
    user('a line', at('/line'), isDrawn),
    user('a line of times, and its tip', at('/time', { tab: 'line' }), async page => {
      await expect.poll(() => plotText(page)).toContain('Numbers from 2000-01-')
      const points = page.locator('.plot-surface')
      // The pointer moves until the canvas listens to it.
      let y = 0.4
      const tips = async () => {
        y = 1 - y
        const { width, height } = await placeOfPoints(page)
        await points.hover({ position: { x: width / 2, y: y * height } })
        return page.getByRole('strong').getByText('2000-01-16').count()
      }
      await expect.poll(tips).toBe(1)
    }),
    user('coloured points', at('/places/map'), page =>
      page.getByText('All points are drawn but 1').waitFor(),
    ),
    user('an image', at('/image'), isDrawn),
    user('the range of the colours as numbers', at('/image'), async page => {
      await isDrawn(page)
      await press(page, 'Edit range')
      await page.getByRole('dialog', { name: 'Edit range' }).getByText('Data: 0 to 1999').waitFor()
    }),
    user('colour maps', at('/image'), async page => {
      await isDrawn(page)
      await press(page, 'Colours: Viridis')
      await page.getByRole('radio', { name: 'Viridis' }).waitFor()
    }),
    user('more tools', at('/image'), async page => {
      await isDrawn(page)
      await press(page, 'More tools')
      await page.getByLabel('Grid').waitFor()
    }),
    user('the dialog Figure', at('/image'), async page => {
      await isDrawn(page)
      await press(page, 'Figure')
      await page.getByRole('dialog', { name: 'Figure' }).locator('canvas').waitFor()
    }),
    user('a profile of an image', at('/image', { profile: '0,20,50,20' }), isMeasured('All elements')),
    user('a box of an image', at('/image', { box: '10,10,30,30' }), isMeasured('Of all 20 × 20')),
    user(
      'an interval of two curves',
      at('/line', { interval: '10,20', with: '[["/time"]]' }),
      isMeasured('Of all 22'),
    ),
    user('two images', at('/stack', { tab: 'image', beside: '["/image"]' }), page =>
      page.locator('.plot-image > p').nth(1).waitFor(),
    ),
    user('the difference of two images', at('/image', { beside: '["/image"]', pair: 'difference' }), page =>
      page.getByText('It is the difference').waitFor(),
    ),
    user('the form of a curve', at('/line'), async page => {
      await isDrawn(page)
      await press(page, 'Add curve')
      await page
        .getByRole('dialog', { name: 'Add curve' })
        .locator('option')
        .first()
        .waitFor({ state: 'attached' })
    }),
    user('the form of an axis', at('/line'), async page => {
      await isDrawn(page)
      await press(page, 'X axis')
      await page.getByRole('dialog', { name: 'X axis' }).waitFor()
    }),
    user('a slice of a stack', at('/stack', { tab: 'image' }), isDrawn),
    user('the menu of an axis', at('/stack', { tab: 'image' }), async page => {
      await isDrawn(page)
      await press(page, 'Dimension along y: D1')
      await page.getByRole('menuitemradio', { name: 'D1' }).waitFor()
    }),
    user('an image in colours', at('/rgb', { tab: 'rgb' }), isDrawn),
    user('sequences', at('/sequences'), isDrawn),
    user('regions of an image', at('/regions'), isDrawn),
    user(
      'a box of an image in colours',
      at('/rgb', { tab: 'rgb', box: '2,2,20,15' }),
      isMeasured('Of all 13 × 18'),
    ),
    user(
      'a profile of an image in colours',
      at('/rgb', { tab: 'rgb', profile: '2,2,20,2' }),
      isMeasured('All elements'),
    ),
    user(
      'a profile of a map',
      at('/earth/heat', { profile: '0,0,20,10' }),
      isMeasured('distance on the earth'),
    ),
    user('a matrix', at('/stack', { tab: 'matrix' }), page => page.getByRole('gridcell').first().waitFor()),
    user('a table', at('/table'), page => page.getByRole('gridcell', { name: '7' }).first().waitFor()),
    user('the columns of a table', at('/table'), page => page.getByText('Columns (2 of 2)').click()),
    user('columns as a plot', at('/table'), async page => {
      await press(page, 'Plot columns')
      await page.locator('.viewer canvas').waitFor()
    }),
    user('a string', at('/text'), page => page.getByText('a few words').waitFor()),
    user('a note', at('/note'), page => page.locator('.text-value').waitFor()),
    user('a dataset without elements', at('/none'), page => page.getByText('no elements').first().waitFor()),
    user('Inspect, with statistics', at('/image', { tab: 'inspect' }), async page => {
      await page.getByText('counts').first().waitFor()
      await page.getByRole('heading', { name: 'Storage' }).waitFor()
      await press(page, 'Compute')
      await page.getByRole('table', { name: 'Statistics' }).waitFor()
    }),
    user('the dialog Copy code', at('/line'), async page => {
      await press(page, 'Copy code')
      await page.getByRole('region', { name: 'NumPy' }).or(page.locator('.code pre')).first().waitFor()
    }),
    user('a matrix that is edited', at('/stack', { tab: 'matrix' }), edited),
    user('the dialog of a value that is none', at('/stack', { tab: 'matrix' }), async page => {
      await edited(page)
      await page.locator('.cell-edit').nth(5).click()
      await page.getByRole('dialog').getByLabel('Stored value').fill('1,5')
      await press(page, 'Save')
      await page.getByText('is no number').waitFor()
    }),
    user('attributes that are edited', at('/image', { tab: 'inspect' }), async page => {
      await press(page, 'Edit')
      await page.getByRole('button', { name: 'Change units' }).waitFor()
    }),
    user('the dialog Add attribute', at('/image', { tab: 'inspect' }), async page => {
      await press(page, 'Edit')
      await press(page, 'Add attribute')
      await page.getByRole('dialog').getByLabel('Value').waitFor()
    }),
    user('members that are edited, and the menu of one', at('/'), async page => {
      await press(page, 'Edit')
      await press(page, 'Change line')
      await page.getByRole('menu').waitFor()
    }),
    user('the note of a deletion', at('/none'), async page => {
      await press(page, 'Edit')
      await press(page, 'Change none')
      await page.getByRole('menuitem', { name: 'Delete' }).click()
      await page.getByRole('button', { name: 'Free its space' }).waitFor()
    }),
    user('the dialog to share a view', at('/line'), page => press(page, 'Share')),
  ]
  const accountParts: readonly View[] = [
    part('password', 'Present password'),
    part('sessions', 'this session'),
    part('tokens', 'Name of the program'),
    part('shares', 'Shares'),
    ...ADMINISTRATION.map(([name, text]) => ({
      name: `administration: ${name}`,
      user: ADMIN,
      address: addressOf({ admin: name }),
      show: (page: Page) => page.getByText(text).first().waitFor(),
    })),
  ]
  return { visits, folders, contents, account: accountParts }
}

/** Serious findings of axe. The theme changes colours only, and sizes of targets are for thumbs. */
async function findingsOf(page: Page, isDark: boolean, isPhone: boolean): Promise<readonly string[]> {
  const { violations } = await page.evaluate(
    async options => {
      // Colours and sizes that change are not those that people look at.
      await Promise.allSettled(document.getAnimations().map(({ finished }) => finished))
      return (globalThis as unknown as { axe: typeof axe }).axe.run(options)
    },
    {
      resultTypes: ['violations' as const],
      ...(isDark ? { runOnly: ['color-contrast'] } : { rules: { 'target-size': { enabled: isPhone } } }),
    },
  )
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join(' ')}`)
}

/** Controls that are too small for a thumb, and what is wider than the window. */
function misfitsOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(
    ([selector, least]) => {
      const { scrollWidth, clientWidth } = document.documentElement
      const small = [...document.querySelectorAll(selector)].filter(element => {
        const { width, height } = element.getBoundingClientRect()
        return width > 0 && Math.min(width, height) < least
      })
      return [
        ...(scrollWidth > clientWidth ? [`scrolls sideways: ${scrollWidth} of ${clientWidth} pixels`] : []),
        ...small.map(element => `too small for a thumb: ${element.outerHTML.slice(0, 120)}`),
      ]
    },
    [MAIN_CONTROLS, THUMB] as const,
  )
}

/** The most that contents move without an action of the user, as a part of the window. */
const MOST_SHIFT = 0.05

interface Shift extends PerformanceEntry {
  readonly value: number
  readonly sources: readonly {
    readonly node: Node | null
    readonly previousRect: DOMRect
    readonly currentRect: DOMRect
  }[]
}

/** Runs in the page, before its programs. What comes after an action moves what is there: on a busy machine, late. */
function observeShifts(): void {
  const shifts: Shift[] = []
  const observer = new PerformanceObserver(list => shifts.push(...(list.getEntries() as Shift[])))
  observer.observe({ type: 'layout-shift', buffered: true })
  let firstAction = Number.POSITIVE_INFINITY
  for (const type of ['pointerdown', 'keydown', 'input', 'change'])
    addEventListener(type, ({ timeStamp }) => (firstAction = Math.min(firstAction, timeStamp)), true)
  const shiftsOfLoading = () => {
    shifts.push(...(observer.takeRecords() as Shift[]))
    return shifts.filter(({ startTime }) => startTime < firstAction)
  }
  Object.assign(globalThis, { shiftsOfLoading })
}

/** Parts that moved while the view was loaded. */
async function shiftsOf(page: Page): Promise<readonly string[]> {
  const shifts = await page.evaluate(() =>
    (globalThis as unknown as { shiftsOfLoading: () => Shift[] })
      .shiftsOfLoading()
      .map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node, previousRect: from, currentRect: to }) => [
          node?.textContent?.slice(0, 50),
          `${from.x},${from.y} ${from.width}x${from.height}`,
          `${to.x},${to.y} ${to.width}x${to.height}`,
        ]),
      })),
  )
  const sum = shifts.reduce((sum, { value }) => sum + value, 0)
  return sum < MOST_SHIFT ? [] : [`moves by ${sum}: ${JSON.stringify(shifts)}`]
}

async function makePlaces(): Promise<Places> {
  const client = await clientOfUser()
  const domain = await newDomain()
  await newDataset(domain, '/line', { shape: [100] }, ramp(100))
  const image = await newDataset(domain, '/image', { shape: [40, 50] }, ramp(2000))
  await putAttribute(domain, image, 'units', { type: STRING, value: 'counts' })
  await newDataset(domain, '/stack', { shape: [3, 40, 50] }, ramp(6000))
  await newDataset(
    domain,
    '/rgb',
    { type: 'H5T_STD_U8LE', shape: [20, 30, 3] },
    new Uint8Array(1800).fill(90),
  )
  await newDataset(domain, '/none', { shape: [0, 3] })
  await newDataset(domain, '/sequences', { type: SEQUENCES, shape: [3], value: [[1, 5, 2], [4, 3], []] })
  await newDataset(domain, '/regions', { type: REGIONS, shape: [2], value: [regionOf(image, 3), null] })
  const time = await newDataset(domain, '/time', { shape: [31] }, ramp(31))
  await putAttribute(domain, time, 'units', { type: STRING, value: 'days since 2000-01-01' })
  await makeMap(domain)
  await makeEarth(domain)
  const fields = ['x', 'y'].map(name => ({ name, type: 'H5T_IEEE_F64LE' }))
  await newDataset(domain, '/table', { type: { class: 'H5T_COMPOUND', fields }, shape: [10] }, ramp(20))
  await newDataset(domain, '/text', { type: STRING, value: 'a few words' })
  const text = new TextEncoder().encode('{"beam":"lost"}')
  await newDataset(domain, '/note/data', { type: 'H5T_STD_U8LE', shape: [text.length] }, text)
  const note = await domain.object('/note')
  await putAttribute(domain, note.id, 'NX_class', { type: STRING, value: 'NXnote' })
  await client.request('POST /groups', { domain: domain.path }, { body: { h5path: '/nothing' } as never })
  const folder = await newFolder()
  const ownDomain = `${folder}run.h5`
  await newDomain(ownDomain)
  await client.request('DELETE /acls/{user}', { user: 'default', domain: ownDomain })
  await newDomain(`${folder}${'long name '.repeat(12)}.h5`)
  const { server } = await serveFiles(['a.h5'])
  return {
    domain,
    folder,
    ownDomain,
    emptyFolder: await newFolder(),
    files: `${server.address}/ui?folder=/files/`,
  }
}

/** Numbers at latitudes and longitudes. */
async function makeEarth(domain: Domain): Promise<void> {
  const axes = { latitude: 'degrees_north', longitude: 'degrees_east' }
  for (const [name, units] of Object.entries(axes)) {
    const id = await newDataset(domain, `/earth/${name}`, { shape: [20] }, ramp(20))
    await putAttribute(domain, id, 'units', { type: STRING, value: units })
  }
  const id = await newDataset(domain, '/earth/heat', { shape: [20, 20] }, ramp(400))
  const names = { type: STRING, shape: [2], value: Object.keys(axes) }
  await putAttribute(domain, id, '_ARRAY_DIMENSIONS', names)
}

/** A signal with two axes for its one dimension, of which a number is missing. */
async function makeMap(domain: Domain): Promise<void> {
  await newDataset(domain, '/places/map/sx', { shape: [4] }, ramp(4))
  await newDataset(domain, '/places/map/sy', { shape: [4] }, ramp(4))
  const counts = await newDataset(domain, '/places/map/counts', { shape: [4] }, ramp(4))
  await putAttribute(domain, counts, '_FillValue', { type: 'H5T_IEEE_F64LE', value: 1 })
  const { id } = await domain.object('/places/map')
  await putAttribute(domain, id, 'NX_class', { type: STRING, value: 'NXdata' })
  await putAttribute(domain, id, 'signal', { type: STRING, value: 'counts' })
  await putAttribute(domain, id, 'axes', { type: STRING, shape: [2], value: ['sx', 'sy'] })
}

describe.skipIf(hasNoBrowser)('the page', () => {
  test.each(['visits', 'folders', 'contents', 'account'] as const)(
    'has no serious finding of axe, and fits: %s',
    { timeout: 900_000 },
    async group => {
      const found: string[] = []
      const pages = new Map<string | undefined, Page>()
      for (const view of viewsOf(await makePlaces())[group]) found.push(...(await lookAt(view, pages)))
      expect(found).toEqual([])
    },
  )
})

/**
 * The time for one view, which takes seconds. On a busy machine without a graphics card a tab of the browser stops
 * answering now and then, while others answer: then another tab has the view, once.
 */
const VIEW_MILLISECONDS = 120_000

/** The findings of one view. `pages`: a page of each user, which is kept for the next view. */
async function lookAt(view: View, pages: Map<string | undefined, Page>): Promise<readonly string[]> {
  const { name, user } = view
  for (let isFirst = true; ; isFirst = false) {
    const page = pages.get(user) ?? (await newPage(user))
    pages.set(user, page)
    const looking = findingsIn(page, view)
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<undefined>(resolve => {
      timer = setTimeout(() => resolve(undefined), VIEW_MILLISECONDS)
    })
    const found = await Promise.race([looking, late]).finally(() => clearTimeout(timer))
    if (found) return found
    if (!isFirst) throw new Error(`${name}: the browser does not answer`)
    console.warn(`${name}: the browser does not answer; another page has it`)
    looking.catch(() => undefined)
    pages.delete(user)
    page.close().catch(() => undefined)
  }
}

async function findingsIn(page: Page, { name, address, show }: View): Promise<readonly string[]> {
  const found: string[] = []
  await page.setViewportSize(PHONE)
  await withFeedLast(page, async () => {
    await page.goto(address)
    await show(page).catch((cause: unknown) => {
      throw new Error(`${name} does not come`, { cause })
    })
  })
  for (const text of [...(await misfitsOf(page)), ...(await shiftsOf(page))]) found.push(`${name}: ${text}`)
  for (const size of [PHONE, DESK]) {
    await page.setViewportSize(size)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      const findings = await findingsOf(page, colorScheme === 'dark', size === PHONE)
      for (const text of findings) found.push(`${name}, ${colorScheme}, ${size.width} pixels: ${text}`)
    }
  }
  return found
}

const isFeed = ({ pathname }: URL) => pathname.endsWith('/events')

/** The feed of changes begins when all else is there, as on a busy machine: what it brings moves nothing. */
async function withFeedLast(page: Page, show: () => Promise<void>): Promise<void> {
  const { release, released } = holdUp()
  // A page that is left asks no longer.
  await page.route(isFeed, route => released.then(() => route.continue()).catch(() => undefined))
  await show()
  release()
  if ((await page.locator('.live').count()) > 0) await page.getByText('live', { exact: true }).waitFor()
  await page.unroute(isFeed)
}

/** A page of a visitor, or of a user. */
async function newPage(user: string | undefined): Promise<Page> {
  const page = await openPage()
  await page.addInitScript(axe.source)
  await page.addInitScript(observeShifts)
  if (user === undefined) return page
  await page.goto(addressOf({ folder: HOME }))
  await logIn(page, user, user === ADMIN ? 'admin' : undefined)
  await account(page, user).waitFor()
  return page
}
