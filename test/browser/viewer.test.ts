// The viewer in Chromium: the address carries the view, any size at the size of the screen, changes as they happen.

import { beforeAll, describe, expect, test } from 'vitest'
import type { Hyperslab } from '../../packages/client/index.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import { clientOfUser, newDataset, newDomain, queryOf, ramp, viewAddress } from './ui.ts'

let client: Hyperslab
beforeAll(async () => {
  client = await clientOfUser()
})

describe.skipIf(hasNoBrowser)('the viewer', () => {
  test('is as the address says, changes the address, and goes back', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/stack', { shape: [5, 40, 60] }, ramp(12_000))
    const view = {
      path: '/stack',
      tab: 'image',
      slice: 'y,3,x',
      range: '10,9000',
      colours: 'Magma',
      scale: 'sqrt',
    }
    const page = await openPage()
    await page.goto(viewAddress(domain, view))
    await page.getByText('Each point is an element.').waitFor()
    await page.getByRole('tab', { name: 'Image', selected: true }).waitFor()
    expect(await page.getByRole('slider', { name: 'D1' }).inputValue()).toBe('3')
    await page.getByTitle('Max: 9000').waitFor()
    await page.getByText('Magma').waitFor()
    await page.getByRole('slider', { name: 'D1' }).press('ArrowRight')
    await expect.poll(() => queryOf(page)).toEqual({ ...view, slice: 'y,4,x' })
    await page.getByRole('button', { name: 'D1 along x' }).click()
    await expect.poll(() => queryOf(page)).toEqual({ ...view, slice: 'y,x,4' })
    await page.getByRole('tab', { name: 'Line' }).click()
    await page.getByText('The line goes through all elements').waitFor()
    expect(queryOf(page).tab).toBe('line')
    await page.goBack()
    await page.getByRole('tab', { name: 'Image', selected: true }).waitFor()
    expect(queryOf(page)).toEqual({ ...view, slice: 'y,x,4' })
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('button', { name: 'Copy link' }).click()
    await page.getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(page.url())
    // An address that names what is not there is as the viewer chooses.
    await page.goto(viewAddress(domain, { ...view, slice: '9,y,x', colours: 'no', range: 'a' }))
    await page.getByText('Each point is an element.').waitFor()
    expect(await page.getByRole('slider', { name: 'D0' }).inputValue()).toBe('0')
  })

  test('zooms into what it reads anew, and the address leads to the same part', async () => {
    const domain = await newDomain()
    // The service stores two chunks.
    const id = await newDataset(domain, '/long', { shape: [50_000_000] })
    await domain.write(id, ramp(4), { select: [{ start: 30_000_000, stop: 30_000_004 }] })
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/long' }))
    await page.getByText('the least and the greatest of each 32,768 elements').waitFor()
    const canvas = page.locator('.viewer canvas')
    const { x = 0, y = 0, width = 0, height = 0 } = (await canvas.boundingBox()) ?? {}
    await page.mouse.move(x + width / 2, y + height / 2)
    const note = page.getByText('The line goes through')
    // One step at a time, each when the address has the one before: a slow machine draws late.
    while ((await note.textContent())?.includes('32,768')) {
      const { zoom } = queryOf(page)
      await page.mouse.wheel(0, -100)
      await expect.poll(() => queryOf(page).zoom).not.toBe(zoom)
    }
    await page
      .getByText(/The line goes through (all|the least .* (16,384|\d,\d{3}|\d{1,3})) elements/)
      .waitFor()
    // The address follows the canvas after a moment.
    await expect.poll(() => queryOf(page).zoom).toMatch(/^[\d.]+,[\d.]+/)
    const colleague = await openPage()
    await colleague.goto(viewAddress(domain, { path: '/long', zoom: '29999990,30000010' }))
    await colleague.getByText('The line goes through all elements in sight.').waitFor()
    // The other axis spans all elements, also those out of sight.
    await expect
      .poll(() => colleague.locator('.visx-axis-tick').allTextContents())
      .toEqual(expect.arrayContaining(['3', '30000000']))
    await colleague.getByRole('button', { name: 'Reset zoom' }).click()
    await expect.poll(() => queryOf(colleague).zoom).toBeUndefined()
  })

  test('draws an image of 100,000 x 100,000, and a part of it in all detail', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, '/image', { shape: [100_000, 100_000] })
    await domain.write(id, ramp(4), {
      select: [
        { start: 50_000, stop: 50_002 },
        { start: 50_000, stop: 50_002 },
      ],
    })
    const page = await openPage()
    const longest: number[] = []
    page.on('response', async response => {
      if (!new URL(response.url()).pathname.endsWith('/value')) return
      // Tiles that are given up have no bytes.
      longest.push(
        await response.body().then(
          ({ length }) => length,
          () => 0,
        ),
      )
    })
    await page.goto(viewAddress(domain, { path: '/image' }))
    await page.getByText(/^Each point is the mean of \d+ × \d+ elements/).waitFor()
    await page.goto(viewAddress(domain, { path: '/image', zoom: '49990,50010,49990,50010', span: 'seen' }))
    await page.getByText('Each point is an element. The colours span what is in sight.').waitFor()
    await page.getByTitle('Max: 3').waitFor()
    // A tile of the whole has 512 x 512 points, or the first picture as many as the canvas.
    expect(Math.max(...longest)).toBeLessThan(2 ** 23)
  })

  test('draws what is read of filtered chunks, and says how much, while the rest is read', async () => {
    const domain = await newDomain()
    const creationProperties = {
      layout: { class: 'H5D_CHUNKED' as const, dims: [1024, 1024] },
      filters: [{ id: 1, level: 1 }],
    }
    await newDataset(domain, '/deep', { shape: [16_384, 16_384], creationProperties })
    const page = await openPage()
    const holdUp = () => {
      let release = () => {}
      const released = new Promise<void>(resolve => {
        release = resolve
      })
      return { release, released }
    }
    const [first, others] = [holdUp(), holdUp()]
    await page.route(
      url => url.pathname.endsWith('/value'),
      async route => {
        const select = new URL(route.request().url()).searchParams.get('select')
        await (select === '[4096:8192,4096:8192]' ? first : others).released
        // A tile that was given up is not there any more.
        await route.continue().catch(() => undefined)
      },
    )
    await page.goto(viewAddress(domain, { path: '/deep' }))
    await page.locator('.visx-axis-tick').first().waitFor()
    const heightOf = async () => (await page.locator('.plot-area').boundingBox())?.height
    const height = await heightOf()
    first.release()
    await page.getByText('in 1 of 16 parts that are read so far').waitFor()
    // A canvas that became smaller would read everything anew.
    expect(await heightOf()).toBe(height)
    others.release()
    await page.getByText(/^Each point is the mean of [\d ×]+ elements\. /).waitFor()
  })

  test('is loaded while the service says whose session it is', async () => {
    const domain = await newDomain()
    const page = await openPage()
    let release = () => {}
    const held = new Promise<void>(resolve => {
      release = resolve
    })
    await page.route('**/login', async route => {
      await held
      await route.continue()
    })
    const script = page.waitForRequest(/\/Viewer[^/]*\.js$/)
    await page.goto(viewAddress(domain, {}))
    await script
    release()
    await page.getByRole('treeitem').first().waitFor()
  })

  test('shows changes as they happen, and follows the end of a run', async () => {
    const domain = await newDomain()
    const shape = { shape: [0, 4], maxdims: [0, 4] }
    const id = await newDataset(domain, '/frames', shape)
    const append = (first: number) =>
      client.request(
        'PUT /datasets/{id}/value',
        { id, domain: domain.path },
        {
          body: { append: 1, value: [[first, 1, 2, 3]] } as never,
        },
      )
    await append(10)
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/frames', tab: 'line', follow: '1' }))
    await page.getByText('live', { exact: true }).waitFor()
    await page.getByText('1 × 4, float64').waitFor()
    await append(20)
    await page.getByText('2 × 4, float64').waitFor()
    await append(30)
    const slider = page.getByRole('slider', { name: 'D0' })
    await expect.poll(() => slider.inputValue()).toBe('2')
    await expect.poll(() => page.locator('.visx-axis-tick').allTextContents()).toContain('30')
    // A user that goes back stays there.
    await slider.press('ArrowLeft')
    await expect.poll(() => queryOf(page)).toEqual({ path: '/frames', tab: 'line', slice: '1,x' })
    await append(40)
    await page.getByText('4 × 4, float64').waitFor()
    expect(await slider.inputValue()).toBe('1')
    // New members appear in the tree.
    await newDataset(domain, '/later', { shape: [2] }, ramp(2))
    await page.getByRole('treeitem', { name: 'later' }).waitFor()
  })

  test('is a part of another page, without the frame of folders', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/line', { shape: [3] }, ramp(3))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/line', curve: 'both' }, 'ui/embed'))
    await page.getByText('The line goes through all elements').waitFor()
    expect(await page.getByRole('tree').count()).toBe(0)
    expect(await page.getByRole('banner').count()).toBe(0)
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('link', { name: 'Open in Hyperslab' }).click(),
    ])
    await popup.getByRole('treeitem', { name: 'line', selected: true }).waitFor()
    expect(queryOf(popup)).toEqual({ path: '/line', curve: 'both' })
  })

  test('draws the members in sight of a group of 5,000, leads to each by keyboard, and finds them', async () => {
    const domain = await newDomain()
    const links = Object.fromEntries(
      Array.from({ length: 5000 }, (_, i) => [`m${String(i).padStart(4, '0')}`, { h5path: '/' }]),
    )
    const root = await domain.object('/')
    await client.request(
      'PUT /groups/{id}/links',
      { id: root.id, domain: domain.path },
      { body: { links } as never },
    )
    const page = await openPage()
    await page.goto(viewAddress(domain, {}))
    const first = page.getByRole('treeitem', { name: 'm0000' })
    await expect.poll(() => first.getAttribute('aria-setsize')).toBe('5000')
    expect(await page.getByRole('treeitem').count()).toBeLessThan(100)
    await first.focus()
    await page.keyboard.press('End')
    const last = page.getByRole('treeitem', { name: 'm4999' })
    await last.waitFor()
    await expect.poll(() => last.evaluate(element => element === document.activeElement)).toBe(true)
    await page.keyboard.press('/')
    await page.keyboard.type('m4998')
    await page.getByText('1 object found', { exact: true }).waitFor()
    await page.getByTitle('/m4998').click()
    await expect.poll(() => queryOf(page).path).toBe('/m4998')
  })
})
