// What changes the attributes of an object in their table, while editing is on.

import { Icon } from '../../common/Icon.tsx'
import type { Entity } from '../data/contents.ts'
import { attributeForm } from '../inspect/attribute-form.ts'
import type { Attribute } from '../meaning/attributes.ts'
import { useViewer } from '../viewer-context.ts'
import { setAttribute } from './actions.ts'
import { attributeOfState, obstacleOf } from './attribute-text.ts'
import { ownerOf, useEditingOf } from './editing.ts'
import { areSame, attributePlace, ChangedMeanwhile } from './places.ts'

interface AttributeButtonsProps {
  readonly entity: Entity
  readonly attribute: Attribute
}

/** A cell of the row of the attribute. */
export function AttributeButtons({ entity, attribute }: AttributeButtonsProps) {
  const { contents } = useViewer()
  const { id } = entity.object
  const changing = useEditingOf(id, 'create')
  const deleting = useEditingOf(id, 'delete')
  if (changing === undefined && deleting === undefined) return null
  const { name } = attribute
  const owner = ownerOf(entity)
  const remove = async () => {
    const { state } = await attributePlace(contents, owner, name).read()
    const now = state && attributeOfState(name, state)
    if (now === undefined || !areSame(shownOf(now, attribute), shownOf(attribute, attribute)))
      throw new ChangedMeanwhile(state)
    return setAttribute(contents, owner, name, state, undefined)
  }
  return (
    <td className="attribute-buttons">
      {changing && obstacleOf(attribute) === undefined ? (
        <button
          type="button"
          className="quiet"
          aria-label={`Change ${name}`}
          onClick={({ currentTarget }) => changing.open({ kind: 'attribute', owner, name }, currentTarget)}
        >
          <Icon name="rename" />
        </button>
      ) : null}
      {deleting ? (
        <button
          type="button"
          className="quiet"
          aria-label={`Delete ${name}`}
          onClick={() => deleting.act(remove)}
        >
          <Icon name="delete" />
        </button>
      ) : null}
    </td>
  )
}

/** What the user sees of an attribute: of a large value nothing but its type and shape. */
function shownOf({ shape, ...attribute }: Attribute, seen: Attribute) {
  const value = seen.data === undefined ? undefined : attributeForm({ ...attribute, shape })
  return { type: attribute.type, shape, value }
}

export function AddAttribute({ entity }: Pick<AttributeButtonsProps, 'entity'>) {
  const editing = useEditingOf(entity.object.id, 'create')
  if (editing === undefined) return null
  const request = { kind: 'attribute', owner: ownerOf(entity), name: undefined } as const
  return (
    <button
      type="button"
      className="add-attribute"
      onClick={({ currentTarget }) => editing.open(request, currentTarget)}
    >
      <Icon name="plus" /> Add attribute
    </button>
  )
}
