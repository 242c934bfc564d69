// The names of the axes as buttons: each opens the menu of the dimensions that may be along the axis. A name is painted
// on the canvas; its button lies over it, as large as the name, with a mark behind it.

import { Icon } from '../../../common/Icon.tsx'
import { Menu } from '../../../common/Menu.tsx'
import { LABEL_DISTANCE, type Place, type Scene } from '../../drawing/scene.ts'
import type { DimensionUse } from '../../view-address.ts'
import type { AxisMenus } from '../models/axis-menus.ts'

export interface AxisMenuProps {
  readonly menus: AxisMenus
  readonly change: (uses: readonly DimensionUse[]) => void
}

interface AxisButtonsProps extends AxisMenuProps {
  readonly scene: Pick<Scene, 'x' | 'y'>
  readonly place: Place
}

export function AxisButtons({ menus, change, scene, place }: AxisButtonsProps) {
  const { left, top, width, height } = place
  const places = {
    x: { left: left + width / 2, top: top + height + LABEL_DISTANCE.x, maxWidth: width + left },
    y: { left: left - LABEL_DISTANCE.y, top: top + height / 2, maxWidth: height + top },
  }
  return (['x', 'y'] as const).map(axis => {
    const menu = menus[axis]
    if (menu === undefined) return null
    const items = menu.choices.map(({ text, isChosen, uses }) => ({
      text,
      ...(isChosen === undefined ? { icon: 'swap' as const } : { isChosen }),
      act: () => change(uses),
    }))
    return (
      <div key={axis} className={`axis-button along-${axis}`} style={places[axis]}>
        <Menu label={`Dimension along ${axis}: ${menu.name}`} items={items}>
          <span aria-hidden="true">{scene[axis].label}</span>
          <Icon name="down" />
        </Menu>
      </div>
    )
  })
}

/** The axes with names for their buttons: those without coordinates have the names of their dimensions. */
export function namedAxes({ x, y }: Pick<Scene, 'x' | 'y'>, menus: AxisMenus = {}): Pick<Scene, 'x' | 'y'> {
  return {
    x: { ...x, label: x.label ?? menus.x?.name },
    y: { ...y, label: y.label ?? menus.y?.name },
  }
}
