import { describe, expect, it } from 'vitest'
import type { Selection } from '../../../client/index.ts'
import { type CodeTarget, LANGUAGES } from './code.ts'

const DATASET = { class: 'dataset', id: 'd-1', domain: '/b.h5' } as CodeTarget['found']

const TARGET = { endpoint: 'http://h', domain: '/a.h5', object: '/s', userName: undefined }

/** The part of each program that names the elements to read. */
function selections(select: Selection | undefined) {
  const [python, curl, javaScript] = LANGUAGES.map(({ codeOf }) =>
    codeOf({ ...TARGET, found: DATASET, select, attributes: false }),
  )
  return {
    python: /file\["\/s"\](.*)\)/.exec(python ?? '')?.[1],
    curl: new URL(/'(http.*)'/.exec(curl ?? '')?.[1] ?? '').searchParams.get('select'),
    javaScript: /dataset\(object\.id\)(.*)\)\)/.exec(javaScript ?? '')?.[1],
  }
}

describe('programs that read attributes', () => {
  it('read those of the object', () => {
    const target = { ...TARGET, found: DATASET, select: [3], attributes: true }
    expect(LANGUAGES.map(({ codeOf }) => codeOf(target).split('\n').at(-1))).toEqual([
      'print(dict(file["/s"].attrs))',
      "curl 'http://h/datasets/d-1/attributes?domain=%2Fb.h5&IncludeData=1'",
      'for await (const { name, data } of domain.attributes("datasets", object.id)) console.log(name, data)',
      'print(dict(file["/s"].attrs))',
      'print(data["s"].attrs)',
    ])
  })
})

describe('programs that read a dataset', () => {
  it('read all of it where all is shown', () => {
    expect(selections(undefined)).toEqual({ python: '[()]', curl: null, javaScript: '' })
  })

  it('read the slice that is shown', () => {
    expect(selections([3, undefined, { start: 2, stop: 5 }])).toEqual({
      python: '[3, :, 2:5]',
      curl: '[3,:,2:5]',
      javaScript: ', { select: [3, undefined, { start: 2, stop: 5 }] }',
    })
  })
})
