// "Copy code" in the page: its programs are run, in the languages that this machine has, and give what is shown.

import { execFile } from 'node:child_process'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import type { Domain, Hyperslab } from '../../packages/client/index.ts'
import { newWorkingDirectory, startServer } from '../wire/server.ts'
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

const { HYPERSLAB_PYTHON = 'python3', HYPERSLAB_TEST_PYTHON = '/usr/bin/python3' } = process.env
const INTERPRETERS: readonly Interpreter[] = [
  { language: 'curl', program: 'bash', options: ['-c'] },
  { language: 'JavaScript', program: process.execPath, options: ['--input-type=module', '--eval'] },
  { language: 'NumPy', program: HYPERSLAB_PYTHON, options: ['-c'], needs: 'import numpy, requests' },
  {
    language: 'h5py',
    program: HYPERSLAB_TEST_PYTHON,
    options: ['-c'],
    needs: 'import aiohttp, fsspec, h5py',
  },
  { language: 'pandas', program: HYPERSLAB_PYTHON, options: ['-c'], needs: 'import pandas, requests' },
  { language: 'R', program: 'Rscript', options: ['-e'], needs: '1' },
  { language: 'MATLAB', program: 'octave', options: ['--no-gui', '-q', '--eval'], needs: 'jsondecode("1");' },
]

/** Makes a file with a virtual dataset and links to another file, of which one leads back, and that file. */
const MASTER = `
import h5py, sys
with h5py.File(sys.argv[1] + '/data.h5', 'w') as file:
    file['values'] = [4.5, 5.5, 6.5, 7.5]
    file['home'] = h5py.ExternalLink('master.h5', '/own')
with h5py.File(sys.argv[1] + '/master.h5', 'w', libver='latest') as file:
    layout = h5py.VirtualLayout((4,), 'f8')
    layout[:] = h5py.VirtualSource('data.h5', 'values', (4,))
    file.create_virtual_dataset('virtual', layout, fillvalue=-1)
    file['own'] = [4.5, 5.5, 6.5, 7.5]
    file['out'] = h5py.ExternalLink('data.h5', '/values')
    file['group'] = h5py.ExternalLink('data.h5', '/')
    file['soft'] = h5py.SoftLink('/out')
    file['back'] = h5py.ExternalLink('data.h5', '/home')
`

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

  test('read virtual datasets, and what external links of a mounted file lead to', async ({ skip }) => {
    const makesFiles = await run(HYPERSLAB_TEST_PYTHON, ['-c', 'import h5py']).then(
      () => true,
      () => false,
    )
    skip(!makesFiles, 'SKIPPED: no h5py to make files with')
    const directory = await newWorkingDirectory()
    const files = join(directory, 'files')
    await mkdir(files)
    await run(HYPERSLAB_TEST_PYTHON, ['-c', MASTER, files])
    const server = await startServer(directory, ['--mount', `${files}=/files`])
    onTestFinished(async () => {
      await server.end('SIGTERM')
      await rm(directory, { recursive: true })
    })
    const page = await openPage()
    for (const path of ['/virtual', '/out', '/group/values', '/soft', '/back']) {
      await page.goto(`${server.address}/ui?domain=/files/master.h5&path=${path}`)
      await openCode(page)
      for (const interpreter of available) {
        const printed = await output(interpreter, await programIn(page, interpreter.language))
        const numbers = [...printed.matchAll(/\d\.5/g)].map(([number]) => Number(number))
        expect([path, interpreter.language, numbers]).toEqual([
          path,
          interpreter.language,
          [4.5, 5.5, 6.5, 7.5],
        ])
      }
    }
  })
})
