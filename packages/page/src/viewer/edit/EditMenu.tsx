// A menu of what can be done with an object, in its head and in its row of a group.

import { Icon } from '../../common/Icon.tsx'
import { Menu, type MenuItem } from '../../common/Menu.tsx'
import { type Entity, nameOf, parentPath } from '../data/contents.ts'
import { useEntity } from '../use-entity.ts'
import { useViewer } from '../viewer-context.ts'
import { deleteLink } from './actions.ts'
import { type Editing, ownerOf, useEditing } from './editing.ts'

interface EditMenuProps {
  readonly path: string
  /** Undefined: it is not known, or a link leads nowhere. */
  readonly entity: Entity | undefined
}

/** Nothing while editing is off. */
export function EditMenu({ path, entity }: EditMenuProps) {
  const editing = useEditing()
  const { contents } = useViewer()
  const isOn = editing?.isOn === true
  const { entity: parent } = useEntity(isOn && path !== '/' ? parentPath(path) : undefined)
  if (!isOn) return null
  const items = [
    ...insideOf(entity, path, editing),
    ...(path === '/' || parent === undefined ? [] : linkItems({ path, entity, parent, editing, contents })),
  ]
  if (items.length === 0) return null
  const name = path === '/' ? nameOf(contents.domain.path) : nameOf(path)
  return (
    <Menu className="edit-menu quiet" label={`Change ${name}`} items={items}>
      <Icon name="more" />
    </Menu>
  )
}

/** What comes into the object. */
function insideOf(
  entity: Entity | undefined,
  path: string,
  { rights, isOwn, open }: Editing,
): readonly MenuItem[] {
  if (entity === undefined || !rights.create || !isOwn(entity.object.id)) return []
  const { id } = entity.object
  const add: MenuItem = {
    text: 'Add attribute',
    icon: 'plus',
    act: near => open({ kind: 'attribute', owner: ownerOf(entity), name: undefined }, near),
  }
  if (entity.kind !== 'group') return [add]
  const group: MenuItem = {
    text: 'New group',
    icon: 'folder',
    act: near => open({ kind: 'new-group', at: { group: id, path } }, near),
  }
  return [group, add]
}

interface LinkParts extends EditMenuProps {
  readonly parent: Entity
  readonly editing: Editing
  readonly contents: Parameters<typeof deleteLink>[0]
}

/** What is done with the link that leads to the object. */
function linkItems({ path, entity, parent, editing, contents }: LinkParts): readonly MenuItem[] {
  const { rights, isOwn, open, act } = editing
  if (!rights.delete || !isOwn(parent.object.id)) return []
  const at = { group: parent.object.id, path, kind: entity?.kind, id: entity?.object.id }
  const rename: MenuItem = {
    text: 'Rename',
    icon: 'rename',
    act: near => open({ kind: 'rename', at }, near),
  }
  const remove: MenuItem = {
    text: 'Delete',
    icon: 'delete',
    isDangerous: true,
    act: () => act(() => deleteLink(contents, at)),
  }
  return rights.create ? [rename, remove] : [remove]
}
