// The permission that each operation needs, and on which object (classic 2 and 13.2); the worked case of the
// specification through the operations; and that a read-only domain refuses every write before any list is asked.

import { parseDatatype } from '@hyperslab/model/datatype'
import { elementsFromJson } from '@hyperslab/model/json'
import { type Acl, type ObjectId, PERMISSIONS, type Permission } from '@hyperslab/model/names'
import { describe, expect, it } from 'vitest'
import {
  ADMIN,
  ANN,
  ANONYMOUS,
  BOB,
  item,
  openTestService,
  outcomeOf,
  REFERENCES,
  RUN7,
  type TestService,
} from '../../../test/fixtures/service.ts'
import { parseShape } from '../http/input/shapes.ts'
import { getAclItem, listAcl, putAclItems } from './acls.ts'
import { deleteAttribute, getAttribute, listAttributes, putAttribute } from './attributes/attributes.ts'
import type { Caller, Context, OpenDomain, WriteContext } from './context.ts'
import type { NewLink } from './creation/creation.ts'
import { createDataset } from './creation/datasets.ts'
import { createDatatype } from './creation/datatypes.ts'
import { createGroup } from './creation/groups.ts'
import { deleteDomain, flushDomain, getDomain, openDomain } from './domains/domains.ts'
import { deleteLink, getLink, listLinks, putLink } from './links/links.ts'
import { deleteObject, getObject, listObjects } from './objects/objects.ts'
import { SELECT_ALL } from './selection/request.ts'
import { setShape } from './values/extents.ts'
import { readValues, writeValues } from './values/values.ts'

const TYPE = { type: parseDatatype('H5T_STD_I32LE') }
const SPACE = parseShape([2], [4])
const ATTRIBUTE = {
  type: TYPE,
  space: parseShape([], undefined),
  value: 1,
  references: REFERENCES,
  checkReferences: true,
  replace: false,
}

/** A domain with one of each: in the root group the links `group`, `dataset` and `datatype`; each has an attribute. */
interface Ids {
  readonly root: ObjectId
  readonly group: ObjectId
  readonly dataset: ObjectId
  readonly datatype: ObjectId
}

async function start() {
  const service = await openTestService()
  const ids = await service.writeIn(async (context, domain): Promise<Ids> => {
    const root = domain.root.id
    const link = (title: string): NewLink => ({ group: root, title })
    const group = await createGroup(context, domain, { link: link('group') })
    const dataset = await createDataset(context, domain, { type: TYPE, space: SPACE, link: link('dataset') })
    const datatype = await createDatatype(context, domain, { ...TYPE, link: link('datatype') })
    for (const { kind, id } of [domain.root, group.object, dataset.object, datatype.object]) {
      await putAttribute(context, domain, { kind, id }, 'a', ATTRIBUTE)
    }
    await putLink(context, domain, group.object.id, 'soft', { h5path: '/' }, { same: 'conflict' })
    return { root, group: group.object.id, dataset: dataset.object.id, datatype: datatype.object.id }
  }, ADMIN)
  return { service, ids }
}

type Part = keyof Ids
type Read = (context: Context, domain: OpenDomain, ids: Ids) => Promise<unknown>
type Write = (context: WriteContext, domain: OpenDomain, ids: Ids) => Promise<unknown>

const kindOf = (part: Part) => (part === 'root' ? 'group' : part)

const READS: [string, Permission, Part, Read][] = [
  ['get the domain', 'read', 'root', context => getDomain(context, RUN7)],
  ['list the groups', 'read', 'root', (context, domain) => listObjects(context, domain, 'group', {})],
  ['list the links', 'read', 'group', (context, domain, { group }) => listLinks(context, domain, group, {})],
  ['get a link', 'read', 'group', (context, domain, { group }) => getLink(context, domain, group, 'soft')],
  [
    'read values',
    'read',
    'dataset',
    (context, domain, { dataset }) => readValues(context, domain, dataset, { selection: SELECT_ALL }),
  ],
  ...(['root', 'group', 'dataset', 'datatype'] as const).flatMap(
    (part): [string, Permission, Part, Read][] => {
      const kind = kindOf(part)
      const reference = (ids: Ids) => ({ kind, id: ids[part] })
      return [
        [
          `get the ${part}`,
          'read',
          part,
          (context, domain, ids) => getObject(context, domain, kind, ids[part]),
        ],
        [
          `list the attributes of the ${part}`,
          'read',
          part,
          (context, domain, ids) => listAttributes(context, domain, reference(ids), {}),
        ],
        [
          `get an attribute of the ${part}`,
          'read',
          part,
          (context, domain, ids) => getAttribute(context, domain, reference(ids), 'a'),
        ],
        [
          `list the items of the ${part}`,
          'readACL',
          part,
          (context, domain, ids) => listAcl(context, { domain, object: reference(ids) }),
        ],
        [
          `get an item of the ${part}`,
          'readACL',
          part,
          (context, domain, ids) => getAclItem(context, { domain, object: reference(ids) }, 'bob'),
        ],
      ]
    },
  ),
]

const FLUSH: [string, Permission, Part, Read] = [
  'flush the domain',
  'update',
  'root',
  context => flushDomain(context, RUN7),
]

const WRITES: [string, Permission, Part, Write][] = [
  ['delete the domain', 'delete', 'root', context => deleteDomain(context, RUN7)],
  ['create a group', 'create', 'root', (context, domain) => createGroup(context, domain, {})],
  ['create a datatype', 'create', 'root', (context, domain) => createDatatype(context, domain, TYPE)],
  [
    'create a dataset',
    'create',
    'root',
    (context, domain) => createDataset(context, domain, { type: TYPE, space: SPACE }),
  ],
  [
    'put a link',
    'create',
    'group',
    (context, domain, { group }) =>
      putLink(context, domain, group, 'x', { h5path: '/' }, { same: 'conflict' }),
  ],
  [
    'delete a link',
    'delete',
    'group',
    (context, domain, { group }) => deleteLink(context, domain, group, 'soft'),
  ],
  [
    'change the shape',
    'update',
    'dataset',
    (context, domain, { dataset }) => setShape(context, domain, dataset, [3], { shrink: false }),
  ],
  [
    'write values',
    'update',
    'dataset',
    (context, domain, { dataset }) =>
      writeValues(context, domain, dataset, {
        selection: SELECT_ALL,
        async *decode(type) {
          yield elementsFromJson(type, [2], [1, 2], REFERENCES)
        },
      }),
  ],
  ...(['group', 'dataset', 'datatype'] as const).flatMap((part): [string, Permission, Part, Write][] => {
    const reference = (ids: Ids) => ({ kind: part, id: ids[part] })
    return [
      [
        `delete the ${part}`,
        'delete',
        part,
        (context, domain, ids) => deleteObject(context, domain, part, ids[part], { links: true }),
      ],
      [
        `put an attribute of the ${part}`,
        'create',
        part,
        (context, domain, ids) => putAttribute(context, domain, reference(ids), 'x', ATTRIBUTE),
      ],
      [
        `delete an attribute of the ${part}`,
        'delete',
        part,
        (context, domain, ids) => deleteAttribute(context, domain, reference(ids), 'a'),
      ],
    ]
  }),
]

const ACL_WRITES: [string, Permission, Part, Write][] = (
  ['root', 'group', 'dataset', 'datatype'] as const
).map(part => [
  `set an item of the ${part}`,
  'updateACL',
  part,
  (context, domain, ids) =>
    putAclItems(context, { domain, object: { kind: kindOf(part), id: ids[part] } }, [
      { userName: 'bob', permissions: { read: true } },
    ]),
])

/** The outcome of the operation for ann, with these lists on that part and nothing granted anywhere else. */
async function outcomeWith(acl: Acl, part: Part, caller: Caller, run: Write): Promise<string> {
  const { service, ids } = await start()
  await service.write(async ({ writer }) => {
    await writer.setAcl(ids.root, [item('default')])
    await writer.setAcl(ids[part], acl)
  })
  return outcomeOf(service.writeIn((context, domain) => run(context, domain, ids), caller))
}

describe('the permission that an operation needs', () => {
  // Readers run in a transaction as well as in a read: a writer is a reader.
  it.each<[string, Permission, Part, Write]>([...READS, FLUSH, ...WRITES, ...ACL_WRITES])(
    'to %s: "%s" on the %s',
    async (_, permission, part, run) => {
      const others = PERMISSIONS.filter(each => each !== permission)
      const outcomes = [
        await outcomeWith([item('ann', permission)], part, ANN, run),
        await outcomeWith([item('ann', ...others)], part, ANN, run),
        await outcomeWith([item('default', ...others)], part, ANONYMOUS, run),
        await outcomeWith([item('ann', ...PERMISSIONS), item('default')], part, BOB, run),
        await outcomeWith([], part, ADMIN, run),
      ]
      expect(outcomes).toEqual([
        'granted',
        'permission-denied',
        'not-authenticated',
        'permission-denied',
        'granted',
      ])
    },
  )

  it('to create an object with a link: "create" on the root group and on the group of the link', async () => {
    const create: Write = (context, domain, { group }) =>
      createGroup(context, domain, { link: { group, title: 'x' } })
    expect(await outcomeWith([item('ann', 'create')], 'group', ANN, create)).toBe('permission-denied')
    expect(await outcomeWith([item('ann', 'create')], 'root', ANN, create)).toBe('granted')
    const { service, ids } = await start()
    await service.write(({ writer }) => writer.setAcl(ids.group, [item('default')]))
    const outcome = outcomeOf(service.writeIn((context, domain) => create(context, domain, ids), ANN))
    expect(await outcome).toBe('permission-denied')
  })
})

describe('a read-only domain', () => {
  async function readOnly(): Promise<{ service: TestService; ids: Ids }> {
    const { service, ids } = await start()
    const { entry } = await service.read(context => openDomain(context, RUN7))
    await service.write(({ writer }) => writer.putDomain({ ...entry, readOnly: true }))
    return { service, ids }
  }

  it.each(WRITES)(
    'refuses to %s, whatever the caller and the lists are',
    async (_, _permission, _part, run) => {
      const { service, ids } = await readOnly()
      await service.write(({ writer }) => writer.setAcl(ids.root, [item('default')]))
      for (const caller of [ANONYMOUS, ANN, ADMIN]) {
        const outcome = outcomeOf(service.writeIn((context, domain) => run(context, domain, ids), caller))
        expect(await outcome).toBe('domain-read-only')
      }
    },
  )

  it.each<[string, Permission, Part, Write]>([...READS, FLUSH, ...ACL_WRITES])(
    'allows to %s',
    async (_, _permission, _part, run) => {
      const { service, ids } = await readOnly()
      await service.writeIn((context, domain) => run(context, domain, ids), ANN)
    },
  )
})

describe('the worked case (specification 5.3)', () => {
  const acl = [item('default', 'read'), item('ann', 'read', 'update'), item('bob', ...PERMISSIONS)]
  const cases: [string, Write, string, string, string][] = [
    [
      'GET',
      (context, domain, { dataset }) => getObject(context, domain, 'dataset', dataset),
      'granted',
      'granted',
      'granted',
    ],
    [
      'POST value',
      (context, domain, { dataset }) => readValues(context, domain, dataset, { selection: SELECT_ALL }),
      'granted',
      'granted',
      'granted',
    ],
    [
      'PUT shape',
      (context, domain, { dataset }) => setShape(context, domain, dataset, [4], { shrink: false }),
      'not-authenticated',
      'granted',
      'granted',
    ],
    [
      'PUT attribute',
      (context, domain, { dataset: id }) =>
        putAttribute(context, domain, { kind: 'dataset', id }, 'x', ATTRIBUTE),
      'not-authenticated',
      'permission-denied',
      'granted',
    ],
    [
      'DELETE',
      (context, domain, { dataset }) => deleteObject(context, domain, 'dataset', dataset, { links: true }),
      'not-authenticated',
      'permission-denied',
      'granted',
    ],
  ]
  it.each(cases)('%s', async (_, run, ...expected) => {
    const { service, ids } = await start()
    await service.write(({ writer }) => writer.setAcl(ids.dataset, acl))
    const outcomes: string[] = []
    for (const caller of [ANONYMOUS, ANN, BOB]) {
      outcomes.push(await outcomeOf(service.writeIn((context, domain) => run(context, domain, ids), caller)))
    }
    expect(outcomes).toEqual(expected)
  })
})
