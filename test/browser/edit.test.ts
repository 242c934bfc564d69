// Editing in Chromium: one day of an owner, with another client that changes the same things, and users without the
// rights.

import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { USER1, USER2 } from '../wire/client.ts'
import { hasNoBrowser, openPage } from './browser.ts'
import {
  account,
  addressOf,
  button,
  clientOfUser,
  logIn,
  newDataset,
  newDomain,
  putAttribute,
  ramp,
  STRING,
  serveFiles,
  viewAddress,
} from './ui.ts'

beforeAll(clientOfUser)

const note = (page: Page) => page.locator('.edit-note')
const editSwitch = (page: Page) => page.getByRole('button', { name: 'Edit', exact: true })

async function openForEditing(address: string, user = USER1): Promise<Page> {
  const page = await openPage()
  await page.goto(address)
  await logIn(page, user)
  await account(page, user).waitFor()
  await editSwitch(page).click()
  return page
}

async function chooseFor(page: Page, name: string, action: string, within: Locator | Page = page) {
  await within
    .getByRole('button', { name: `Change ${name}`, exact: true })
    .first()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}

/** Writes in the field of the open dialog, and submits it. */
async function save(page: Page, text: string, submit = 'Save', field = /^(Stored value|Value)/) {
  const input = page.getByRole('dialog').getByLabel(field)
  if ((await input.evaluate(element => element.tagName)) === 'SELECT') await input.selectOption(text)
  else await input.fill(text)
  await button(page, submit).click()
}

const undo = (page: Page) => note(page).getByRole('button', { name: 'Undo' }).click()

const dialogs = (page: Page) => page.getByRole('dialog').count()

describe.skipIf(hasNoBrowser)('an owner', () => {
  test('adds, changes and deletes attributes, and undoes it; a change of another client is never lost', async () => {
    const client = await clientOfUser()
    const domain = await newDomain()
    const id = await newDataset(domain, '/data', { shape: [3] }, ramp(3))
    const read = async (name: string) => {
      const parameters = { id, name, domain: domain.path }
      return client.request('GET /datasets/{id}/attributes/{name}', parameters).then(
        ({ type, shape, value }) => ({ type, shape, value }) as never,
        () => undefined,
      )
    }
    await putAttribute(domain, id, 'gain', { type: 'H5T_STD_I16BE', shape: [2], value: [1, 2] })
    const page = await openForEditing(viewAddress(domain, { path: '/data', tab: 'inspect' }))
    const table = page.getByRole('table', { name: 'Attributes' })
    await page.getByRole('button', { name: 'Add attribute', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').fill('单位 of it')
    await save(page, 'mm²', 'Add')
    await note(page).getByText('Added the attribute 单位 of it.').waitFor()
    expect(await read('单位 of it')).toEqual({ type: STRING, shape: { class: 'H5S_SCALAR' }, value: 'mm²' })
    await table.getByText('mm²').waitFor()

    // The page does not load large values to show them, but puts them back.
    const large = Array.from({ length: 9000 }, (_, i) => i / 2)
    await putAttribute(domain, id, 'large', { type: 'H5T_IEEE_F64LE', shape: [9000], value: large })
    await table.getByRole('button', { name: 'Delete large' }).click()
    await note(page).getByText('Deleted the attribute large.').waitFor()
    await undo(page)
    await note(page).getByText('Undone: Deleted the attribute large.').waitFor()
    expect(await read('large')).toMatchObject({ value: large })

    // A wrong value gets a sentence, and nothing is sent.
    await table.getByRole('button', { name: 'Change gain' }).click()
    await save(page, '1\n40000')
    await page.getByRole('dialog').getByText('from -32768 to 32767').waitFor()
    await save(page, '1\n-7\n3')
    await note(page).getByText('Changed the attribute gain.').waitFor()
    expect(await read('gain')).toMatchObject({ type: { base: 'H5T_STD_I16BE' }, value: [1, -7, 3] })

    // Another client changes it while the dialog is open.
    await table.getByRole('button', { name: 'Change gain' }).click()
    await page.getByRole('dialog').getByLabel('Value').waitFor()
    const at = { id, name: 'gain', domain: domain.path, replace: 1 }
    const put = (value: number[]) =>
      client.request('PUT /datasets/{id}/attributes/{name}', at, {
        body: { type: 'H5T_STD_I16BE', shape: [value.length], value: value as never },
      })
    await put([5])
    await save(page, '1\n2')
    await page.getByRole('dialog').getByText('changed elsewhere meanwhile').waitFor()
    expect(await read('gain')).toMatchObject({ value: [5] })
    await button(page, 'Save').click()
    await expect.poll(() => dialogs(page)).toBe(0)
    expect(await read('gain')).toMatchObject({ value: [1, 2] })

    // The undoing of a change whose place another client has changed since is refused.
    await put([9])
    await undo(page)
    await note(page).getByText('Not undone').waitFor()
    expect(await read('gain')).toMatchObject({ value: [9] })

    await table.getByText('[9]').waitFor()
    await table.getByRole('button', { name: 'Delete gain' }).click()
    await note(page).getByText('Deleted the attribute gain.').waitFor()
    expect(await read('gain')).toBeUndefined()
    await page.keyboard.press('Control+z')
    await note(page).getByText('Undone: Deleted the attribute gain.').waitFor()
    expect(await read('gain')).toMatchObject({ type: { base: 'H5T_STD_I16BE' }, value: [9] })
    // Then the change before: it was changed since, too.
    await page.keyboard.press('Control+z')
    await note(page).getByText('Not undone (Changed the attribute gain)').waitFor()
    await page.keyboard.press('Control+z')
    await note(page).getByText('Undone: Added the attribute').waitFor()
    expect(await read('单位 of it')).toBeUndefined()
  })

  test('makes groups, renames and deletes objects, and undoes it', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, '/run/data', { shape: [3] }, ramp(3))
    const page = await openForEditing(viewAddress(domain, {}))
    const members = page.getByRole('table', { name: 'Members' })
    const tree = page.getByRole('navigation', { name: 'Contents' })
    const idAt = (path: string) =>
      domain.object(path).then(
        object => object.id,
        () => undefined,
      )
    await chooseFor(page, 'run', 'New group', members)
    await page.getByRole('dialog').getByLabel('Name').fill('a/b')
    await button(page, 'Create').click()
    await page.getByRole('dialog').getByText('a slash').waitFor()
    await page.getByRole('dialog').getByLabel('Name').fill('図')
    await button(page, 'Create').click()
    await note(page).getByText('Added the group /run/図.').waitFor()
    expect(await idAt('/run/図')).toBeDefined()
    await undo(page)
    await note(page).getByText('Undone: Added the group /run/図.').waitFor()
    expect(await idAt('/run/図')).toBeUndefined()

    // A change in a row leaves the group in sight; an object that is shown stays in sight at its new path.
    const shown = () => new URL(page.url()).searchParams.get('path')
    await members.getByRole('button', { name: 'run', exact: true }).click()
    await chooseFor(page, 'data', 'Rename', members)
    await page.getByRole('dialog').getByLabel('Name').fill('first')
    await button(page, 'Rename').click()
    await members.getByRole('button', { name: 'first', exact: true }).waitFor()
    expect(shown()).toBe('/run')
    await undo(page)
    await members.getByRole('button', { name: 'data', exact: true }).click()
    await page.getByRole('tab', { name: 'Matrix' }).waitFor()
    await chooseFor(page, 'data', 'Rename')
    await page.getByRole('dialog').getByLabel('Name').fill('raw')
    await button(page, 'Rename').click()
    await note(page).getByText('Renamed /run/data to raw.').waitFor()
    expect([await idAt('/run/data'), await idAt('/run/raw')]).toEqual([undefined, id])
    await expect.poll(shown).toBe('/run/raw')
    await chooseFor(page, 'raw', 'Delete')
    await note(page).getByText('Deleted /run/raw.').waitFor()
    await expect.poll(shown).toBe('/run')
    expect(await idAt('/run/raw')).toBeUndefined()
    await undo(page)
    await note(page).getByText('Undone: Deleted /run/raw.').waitFor()
    expect(await idAt('/run/raw')).toBe(id)
    await page.keyboard.press('Control+z')
    await expect.poll(() => idAt('/run/data')).toBe(id)
    await tree.getByText('data', { exact: true }).waitFor()

    // A name that is taken meanwhile stays what it is.
    await chooseFor(page, 'data', 'Delete')
    await note(page).getByText('Deleted /run/data.').waitFor()
    const other = await newDataset(domain, '/run/data', { shape: [1] }, ramp(1))
    await undo(page)
    await note(page).getByText('Something else has that name already').waitFor()
    expect(await idAt('/run/data')).toBe(other)
  })

  test('frees the space of a deleted dataset, and then there is nothing to undo', async () => {
    const client = await clientOfUser()
    const domain = await newDomain()
    const id = await newDataset(domain, '/data', { shape: [3] }, ramp(3))
    const page = await openForEditing(viewAddress(domain, { path: '/data' }))
    await chooseFor(page, 'data', 'Delete')
    await note(page).getByRole('button', { name: 'Free its space' }).click()
    await button(page, 'Free its space').click()
    await note(page).getByText('Its space is free.').waitFor()
    expect(await note(page).getByRole('button', { name: 'Undo' }).count()).toBe(0)
    const gone = client.request('GET /datasets/{id}', { id, domain: domain.path })
    await expect(gone).rejects.toMatchObject({ status: 410 })
  })

  test('changes cells of matrices and tables, and scalars, exactly', async () => {
    const domain = await newDomain()
    const whole = await newDataset(
      domain,
      '/whole',
      { type: 'H5T_STD_U64BE', shape: [2, 3] },
      new Uint8Array(48),
    )
    const page = await openForEditing(viewAddress(domain, { path: '/whole', tab: 'matrix' }))
    const cell = (name: string) => page.getByRole('gridcell').getByRole('button', { name, exact: true })
    await cell('0').nth(4).click()
    await page.getByRole('dialog', { name: 'Change /whole[1,1]' }).waitFor()
    await save(page, '18446744073709551616')
    await page.getByRole('dialog').getByText('to 18446744073709551615').waitFor()
    await save(page, '18446744073709551615')
    await cell('18446744073709551615').waitFor()
    expect((await domain.read(whole)).data).toEqual(BigUint64Array.of(0n, 0n, 0n, 0n, 2n ** 64n - 1n, 0n))

    // Other elements change while the dialog is open: that is no conflict. The same element is.
    await cell('18446744073709551615').click()
    await page.getByRole('dialog').getByLabel('Stored value').waitFor()
    const one = (value: bigint) => {
      const bytes = new Uint8Array(8)
      new DataView(bytes.buffer).setBigUint64(0, value)
      return bytes
    }
    await domain.write(whole, one(7n), { select: '0:1,0:1' })
    await save(page, '3')
    await expect.poll(() => dialogs(page)).toBe(0)
    await cell('7').waitFor()
    await cell('3').click()
    await page.getByRole('dialog').getByLabel('Stored value').waitFor()
    await domain.write(whole, one(8n), { select: '1:2,1:2' })
    await save(page, '4')
    await page.getByRole('dialog').getByText('It is 8 now').waitFor()
    await button(page, 'Cancel').click()
    await undo(page)
    await note(page).getByText('Not undone').waitFor()
    expect((await domain.read(whole)).data).toEqual(BigUint64Array.of(7n, 0n, 0n, 0n, 8n, 0n))
  })

  test('goes from cell to cell by the arrow keys, which keep the focus when a value was changed', async () => {
    const domain = await newDomain()
    const id = await newDataset(domain, '/m', { shape: [200, 40] }, ramp(8000))
    const page = await openForEditing(viewAddress(domain, { path: '/m', tab: 'matrix' }))
    const grid = page.getByRole('region', { name: 'Elements of /m' })
    const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-cell'))
    await grid.getByRole('button', { name: '0', exact: true }).focus()
    expect(await focused()).toBe('0 0')
    // The Tab key leads to one cell of all.
    expect(await grid.locator('[data-cell][tabindex="0"]').count()).toBe(1)
    const press = async (key: string, to: string) => {
      await page.keyboard.press(key)
      await expect.poll(focused).toBe(to)
    }
    for (let row = 1; row <= 40; row++) await press('ArrowDown', `${row} 0`)
    for (let column = 1; column <= 12; column++) await press('ArrowRight', `40 ${column}`)
    await press('ArrowUp', '39 12')
    await press('ArrowLeft', '39 11')
    await page.keyboard.press('Enter')
    await save(page, '-5')
    await note(page).getByText('Changed /m[39,11].').waitFor()
    await expect.poll(focused).toBe('39 11')
    await grid.getByRole('button', { name: '-5', exact: true }).waitFor()
    expect(await focused()).toBe('39 11')
    expect((await domain.read(id, { select: '39,11' })).data).toEqual(Float64Array.of(-5))
  })

  test('changes members of compounds', async () => {
    const domain = await newDomain()
    const flag = { class: 'H5T_ENUM', base: 'H5T_STD_I8LE', mapping: { BAD: 0, GOOD: 1 } }
    const pair = {
      class: 'H5T_COMPOUND',
      fields: [
        { name: 'x', type: 'H5T_STD_I32LE' },
        { name: 'flag', type: flag },
      ],
    }
    const fields = [
      { name: 'name', type: STRING },
      { name: 'value', type: 'H5T_IEEE_F32LE' },
      { name: 'pair', type: pair },
    ]
    const rows = await newDataset(domain, '/rows', { type: { class: 'H5T_COMPOUND', fields }, shape: [3] })
    const page = await openForEditing(viewAddress(domain, { path: '/rows' }))
    const row = (at: number) => page.getByRole('grid').locator('tbody tr').nth(at)
    await row(1).getByRole('button', { name: 'empty' }).click()
    await save(page, 'Å <b>')
    await row(1).getByText('Å <b>').waitFor()
    // Numbers stay below each other, and strings begin at one place.
    const sides = () =>
      row(1)
        .locator('td button')
        .evaluateAll(cells =>
          cells.map(cell => {
            const text = document.createRange()
            text.selectNodeContents(cell)
            const [inner, outer] = [text.getBoundingClientRect(), cell.getBoundingClientRect()]
            return inner.left - outer.left < outer.right - inner.right ? 'left' : 'right'
          }),
        )
    expect((await sides()).slice(0, 2)).toEqual(['left', 'right'])
    await row(1).getByRole('button', { name: 'BAD' }).click()
    await save(page, 'GOOD')
    await row(1).getByText('GOOD').waitFor()
    await row(1).getByRole('button', { name: '0', exact: true }).first().click()
    await save(page, 'one')
    await page.getByRole('dialog').getByText('one is no number').waitFor()
    await save(page, 'inf')
    await expect.poll(() => dialogs(page)).toBe(0)
    const nothing = ['', 0, [0, 0]]
    expect((await domain.read(rows)).data).toEqual([
      nothing,
      ['Å <b>', Number.POSITIVE_INFINITY, [0, 1]],
      nothing,
    ])
    await undo(page)
    await note(page).getByText('Undone: Changed value of /rows[1].').waitFor()
    expect((await domain.read(rows, { select: '1' })).data).toEqual([['Å <b>', 0, [0, 1]]])

    const scalar = await newDataset(domain, '/scalar', { type: 'H5T_IEEE_F64LE', shape: 'H5S_SCALAR' })
    await page.goto(viewAddress(domain, { path: '/scalar' }))
    await editSwitch(page).click()
    await page.getByRole('button', { name: 'Change /scalar' }).click()
    await save(page, '-1.5e-8')
    await page.getByText('-1.5e-8').first().waitFor()
    expect((await domain.read(scalar)).data).toEqual(Float64Array.of(-1.5e-8))
  })
})

describe.skipIf(hasNoBrowser)('editing is not offered', () => {
  test('for more than a user may do', async () => {
    const client = await clientOfUser()
    const domain = await newDomain()
    const id = await newDataset(domain, '/data', { shape: [3] }, ramp(3))
    await putAttribute(domain, id, 'units', { type: STRING, value: 'K' })
    const right = { user: USER2, domain: domain.path }
    await client.request('PUT /acls/{user}', right, { body: { read: true, update: true } })
    const page = await openForEditing(viewAddress(domain, { path: '/data', tab: 'matrix' }), USER2)
    await page.getByRole('gridcell').getByRole('button', { name: '2' }).click()
    await save(page, '7')
    await note(page).getByText('Changed /data[2].').waitFor()
    expect((await domain.read(id)).data).toEqual(Float64Array.of(0, 1, 7))
    await undo(page)
    await note(page).getByText('Undone').waitFor()
    expect((await domain.read(id)).data).toEqual(Float64Array.of(0, 1, 2))
    await page.getByRole('tab', { name: 'Inspect' }).click()
    await page.getByRole('cell', { name: 'K', exact: true }).waitFor()
    expect(await page.getByRole('button', { name: /^(Add|Change|Delete)/ }).count()).toBe(0)
  })

  test('to users with the right to read only, and for mounted files', async () => {
    const domain = await newDomain()
    await newDataset(domain, '/data', { shape: [3] }, ramp(3))
    const page = await openPage()
    await page.goto(viewAddress(domain, { path: '/data', tab: 'matrix' }))
    await page.getByRole('gridcell').first().waitFor()
    expect(await editSwitch(page).count()).toBe(0)
    await logIn(page)
    await editSwitch(page).waitFor()
    await page.goto(viewAddress(domain, { path: '/data', tab: 'matrix' }, 'ui/embed'))
    await page.getByRole('gridcell').first().waitFor()
    expect(await editSwitch(page).count()).toBe(0)
    // A service without accounts lets everybody change everything, but not files where they are.
    const { server } = await serveFiles(['a.h5'])
    await page.goto(`${server.address}/ui?domain=/files/a.h5`)
    await page.getByRole('table', { name: 'Members' }).waitFor()
    await page.getByRole('button', { name: 'Read only' }).waitFor()
    expect(await editSwitch(page).count()).toBe(0)
    await page.goto(addressOf({}))
  })
})
