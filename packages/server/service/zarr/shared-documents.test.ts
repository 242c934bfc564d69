// Documents of whole domains: callers that come together have them made once, and later ones get what is kept.

import { expect, it } from 'vitest'
import { dataset, hardLink, newId } from '../../../../test/conformance/sample-objects.ts'
import { ANN, openTestService } from '../../../../test/fixtures/service.ts'
import type { Context } from '../context.ts'
import { keepReferences, readReferences } from './references.ts'
import { keepZarr, readZarr } from './zarr.ts'

const BASE = 'http://a.example'

function readsConsolidated() {
  const kept = keepZarr()
  return async (context: Context) => {
    const answer = await readZarr(context, 'test/run7/zarr.json', 3, kept)
    return 'document' in answer ? Buffer.from(answer.document).toString() : ''
  }
}

function readsReferences() {
  const kept = keepReferences()
  return async (context: Context) => {
    const { text } = await readReferences(context, 'test/run7', kept)
    let whole = ''
    for await (const piece of text(BASE)) whole += piece
    return whole
  }
}

it.each([
  ['consolidated metadata', readsConsolidated],
  ['references', readsReferences],
])('%s of a state are made once for callers that come together, and kept', async (_, reads) => {
  const service = await openTestService()
  const add = (title: string) =>
    service.writeIn(async ({ writer }, { root }) => {
      const into = dataset(newId(root.id), { dims: [4], chunkDims: [2] })
      await writer.createObject(into)
      await writer.putLinks(root.id, hardLink(title, into.id, 1, 'dataset'))
    })
  for (let i = 0; i < 50; i++) await add(`d${i}`)
  const read = reads()
  const costOf = async (callers: number, title: string) => {
    const { keys, entries } = await service.engine.count(async () => {
      const all = Array.from({ length: callers }, () => service.read(read, ANN))
      const texts = new Set(await Promise.all(all))
      expect(texts.size).toBe(1)
      expect([...texts][0]).toContain(`"${title}`)
    })
    return keys + entries
  }
  const once = await costOf(1, 'd49')
  expect(await costOf(1, 'd49')).toBeLessThan(once / 4)
  await add('new')
  expect(await costOf(5, 'new')).toBeLessThan(2 * once)
})

it('references are kept for all addresses of the service', async () => {
  const service = await openTestService()
  await service.writeIn(async ({ writer }, { root }) => {
    const into = dataset(newId(root.id), { dims: [4], chunkDims: [2] })
    await writer.createObject(into)
    await writer.putLinks(root.id, hardLink('d', into.id, 1, 'dataset'))
  })
  const kept = keepReferences()
  for (const base of ['http://a.example', 'https://b.example/prefix']) {
    const whole = await service.read(async context => {
      const { text } = await readReferences(context, 'test/run7', kept)
      let whole = ''
      for await (const piece of text(base)) whole += piece
      return whole
    })
    const { refs } = JSON.parse(whole)
    expect(refs['d/1'][0]).toMatch(new RegExp(`^${base}/zarr/v2/~[0-9a-f]+/test/run7/d/1$`))
  }
})
