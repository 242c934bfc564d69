import { parseJson } from '@hyperslab/model/json'
import { describe, expect, test } from 'vitest'
import { hsdsDescription } from '../dialect/hsds/description.ts'
import { checkMembers, isClosed, memberNames } from './known-members.ts'

const { schemas } = hsdsDescription

function check(schema: string, json: string): void {
  for (const _ of checkMembers(parseJson(json), schemas[schema], schemas));
}

describe('known members', () => {
  test.each([
    ['NewDomain', '{"folder":true,"owner":"a","group":{"creationProperties":{"x":1}},"getdnids":1}'],
    ['NewDomain', 'null'],
    ['NewDomain', '{}'],
    [
      'NewGroup',
      '[{"h5path":"/a","links":{"__proto__":{"id":"x"}},"attributes":{"moved_form":{"type":"t"}}}]',
    ],
    [
      'NewDataset',
      '{"type":{"class":"x","more":1},"shape":[1],"creationProperties":{"mine":1},"hrefs":[],"layout":{}}',
    ],
    [
      'NewAttribute',
      '{"type":"t","value":[{"any":1}],"name":"a","created":1,"lastModified":2,"hrefs":[],"href":""}',
    ],
    ['NewLinks', '{"grp_ids":{"g-1":{"links":{"any":{"h5path":"/"}}}}}'],
    ['NewLinks', '{"links":{"a":{"id":"g"}},"grp_ids":["g-1"]}'],
    ['NewAttributes', '{"obj_ids":{"g-1":{"attributes":{"a":{"type":"t"}}}}}'],
  ])('%s: %s', (schema, json) => {
    expect(isClosed(schemas[schema], schemas)).toBe(true)
    check(schema, json)
  })

  test.each([
    [
      'NewDomain',
      '{"moved_form":"/a"}',
      'body must not have "moved_form": it has no meaning, the nearest that has is "moved_from"',
    ],
    ['NewDomain', '{"toString":1}', '"toString"'],
    ['NewDomain', '{"__proto__":1}', '"__proto__"'],
    [
      'NewDomain',
      '{"group":{"creationproperties":1}}',
      'body.group must not have "creationproperties": it has no meaning, the nearest that has is "creationProperties"',
    ],
    [
      'NewDomain',
      '{"join":{"sources":"/a","along":"t","coordinate":"{n:d}"}}',
      'body.join must not have "coordinate": it is a member of body.join.along',
    ],
    ['DomainDeletion', '{"keeproot":1}', '"keep_root"'],
    ['NewGroup', '{"link":{"id":"g","title":"a"}}', 'body.link must not have "title"'],
    [
      'NewGroup',
      '[{},{"h5pth":"/a"}]',
      'body[1] must not have "h5pth": it has no meaning, the nearest that has is "h5path"',
    ],
    ['NewGroup', '{"links":{"a":{"h5domian":"/x","h5path":"/"}}}', 'body.links.a must not have "h5domian"'],
    ['NewDataset', '{"type":"t","maxdim":[1]}', '"maxdims"'],
    ['NewDatatype', '{"type":"t","shape":1}', 'must not have "shape"'],
    ['NewLinks', '{"grp_ids":{"g-1":{"link":{}}}}', 'body.grp_ids.g-1 must not have "link"'],
    ['NewAttribute', '{"type":"t","values":1}', 'the nearest that has is "value"'],
    ['ShapeChange', '{"extend":2,"extend_dmi":1}', 'the nearest that has is "extend_dim"'],
    [
      'NewAttributes',
      '{"attributes":{"a":{"type":"t","vlaue":1}}}',
      'body.attributes.a must not have "vlaue"',
    ],
  ])('%s: %s is refused', (schema, json, message) => {
    expect(() => check(schema, json)).toThrow(expect.objectContaining({ code: 'malformed-body' }))
    expect(() => check(schema, json)).toThrow(message)
  })

  test('values are not looked at', () => {
    for (const name of ['ValueInput', 'PointQuery', 'NewAcl']) {
      expect(isClosed(schemas[name], schemas)).toBe(false)
    }
  })

  test('names of members', () => {
    expect(memberNames(schemas.NewDomain, schemas)).toContain('moved_from')
    expect(memberNames(schemas.NewGroup, schemas)).toContain('h5path')
  })
})
