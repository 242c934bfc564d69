// "Copy code" in the page: its programs are run, in the languages that this machine has, and give what is shown.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Domain, Hyperslab } from '../../packages/client/index.ts'
import { hasNoBrowser, openPage, takePicture } from './browser.ts'
import { addressOf, button, clientOfUser, newDomain, programIn } from './ui.ts'

const run = promisify(execFile)

/** The folder in which programs find `hyperslab/client` by its name. */
const SOURCES = fileURLToPath(new URL('../../', import.meta.url))

interface Interpreter {
  readonly language: string
  readonly program: string
  readonly options: readonly string[]
  /** Code that must run for the test to run. */
  readonly needs?: string
}

const { HYPERSLAB_PYTHON = 'python3' } = process.env
const INTERPRETERS: readonly Interpreter[] = [
  { language: 'curl', program: 'bash', options: ['-c'] },
  { language: 'JavaScript', program: process.execPath, options: ['--input-type=module', '--eval'] },
  { language: 'NumPy', program: HYPERSLAB_PYTHON, options: ['-c'], needs: 'import numpy, requests' },
  { language: 'pandas', program: HYPERSLAB_PYTHON, options: ['-c'], needs: 'import pandas, requests' },
  { language: 'R', program: 'Rscript', options: ['-e'], needs: '1' },
  { language: 'MATLAB', program: 'octave', options: ['--no-gui', '-q', '--eval'], needs: 'jsondecode("1");' },
]

const STRING = { class: 'H5T_STRING', charSet: 'H5T_CSET_ASCII', strPad: 'H5T_STR_NULLPAD' }

async function output({ program, options }: Interpreter, code: string): Promise<string> {
  const { stdout } = await run(program, [...options, code], { cwd: SOURCES })
  return stdout
}

describe.skipIf(hasNoBrowser)('the programs of the page', () => {
  const available: Interpreter[] = []
  let client: Hyperslab

  beforeAll(async () => {
    client = await clientOfUser()
    for (const interpreter of INTERPRETERS) {
      const isThere = await output(interpreter, interpreter.needs ?? '').then(
        () => true,
        () => false,
      )
      if (isThere) available.push(interpreter)
      else console.warn(`SKIPPED: programs in ${interpreter.language}, which this machine cannot run`)
    }
    // curl and Node are there wherever the tests run.
    expect(available.length).toBeGreaterThanOrEqual(2)
  })

  async function newStack(name: string): Promise<Domain> {
    const domain = await newDomain()
    const body = { h5path: `/${name}`, type: 'H5T_IEEE_F64LE', shape: [3, 2, 2] } as never
    await client.request('POST /datasets', { domain: domain.path }, { body })
    const numbers = Float64Array.from({ length: 12 }, (_, i) => i + 0.5)
    await domain.write(`/${name}`, new Uint8Array(numbers.buffer))
    const { id } = await domain.object(`/${name}`)
    const attribute = { type: { ...STRING, length: 7 }, value: 'furlong' } as never
    const parameters = { id, name: 'unit', domain: domain.path }
    await client.request('PUT /datasets/{id}/attributes/{name}', parameters, { body: attribute })
    return domain
  }

  async function openCode(page: Page): Promise<void> {
    await page.getByRole('button', { name: 'Copy code' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'curl', exact: true }).waitFor()
  }

  test('read what is shown: a slice, also one that was shown before, attributes, and a group', async () => {
    const domain = await newStack("it's")
    const page = await openPage()
    await page.goto(addressOf({ domain: domain.path, path: "/it's" }))
    await page.getByRole('tab', { name: 'Image' }).click()
    const slider = page.locator('.viewer').getByRole('slider', { name: 'D0', exact: true })
    const h5pyd = async () => {
      await openCode(page)
      const code = await programIn(page, 'h5pyd')
      await button(page, 'Close').click()
      return code
    }
    const show = async (index: number, key: string) => {
      await slider.press(key)
      await expect.poll(() => slider.inputValue()).toBe(String(index))
      await page.locator('canvas').waitFor()
      await expect.poll(h5pyd).toContain(`file["/it's"][${index}, :, :]`)
    }
    await show(1, 'ArrowUp')
    await show(2, 'ArrowUp')
    // The viewer has it still, and asks for no values.
    await show(1, 'ArrowDown')
    await openCode(page)
    await takePicture(page, 'code')
    for (const interpreter of available) {
      const numbers = [
        ...(await output(interpreter, await programIn(page, interpreter.language))).matchAll(/\d\.5/g),
      ]
      expect([interpreter.language, numbers.map(([number]) => Number(number))]).toEqual([
        interpreter.language,
        [4.5, 5.5, 6.5, 7.5],
      ])
    }
    const address = /"(http[^"]*)"/.exec(await programIn(page, 'h5py'))?.[1] ?? ''
    expect((await fetch(address)).headers.get('accept-ranges')).toBe('bytes')
    const group = /"(http[^"]*)"/.exec(await programIn(page, 'xarray'))?.[1] ?? ''
    expect(await (await fetch(`${group}/zarr.json`)).json()).toMatchObject({ node_type: 'group' })
    await button(page, 'Close').click()
    // The attributes that are shown, and the members of a group.
    const expectOutputs = async (text: string) => {
      await openCode(page)
      for (const interpreter of available.filter(({ language }) => !/pandas|MATLAB/.test(language)))
        expect(await output(interpreter, await programIn(page, interpreter.language))).toContain(text)
    }
    await page.getByRole('tab', { name: 'Inspect' }).click()
    await expectOutputs('furlong')
    await page.goto(addressOf({ domain: domain.path }))
    await expectOutputs("it's")
  })
})
