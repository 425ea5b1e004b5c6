import { type ReactNode, useState } from 'react'
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu'
import { Popover } from 'react-aria-components/Popover'
import { classNames } from '../class-names.ts'
import { Icon, type IconName } from '../icon.tsx'
import './menu.css'
import './popover.css'

export interface MenuEntry {
  id: string
  label: string
  /** What it means, below it. */
  about?: string
  icon?: IconName
  /** Cannot be taken back. */
  danger?: boolean
  disabled?: boolean
  onAction(): void
}

export interface MenuProps {
  label: string
  /** The button that opens it. */
  trigger: ReactNode
  entries: readonly MenuEntry[]
  placement?: 'bottom start' | 'bottom end' | 'top start' | 'top end'
}

export function Menu({ label, trigger, entries, placement = 'bottom end' }: MenuProps) {
  return (
    <MenuTrigger>
      {trigger}
      <Popover className="popover" placement={placement}>
        <Entries label={label} entries={entries} />
      </Popover>
    </MenuTrigger>
  )
}

function Entries({ label, entries }: Pick<MenuProps, 'label' | 'entries'>) {
  // as they were when it was opened: one that changed under the pointer would do what its label did not say
  const [shown] = useState(entries)
  return (
    <AriaMenu aria-label={label} className="menu">
      {shown.map(({ id, label: text, about, icon, danger, disabled, onAction }) => (
        <MenuItem
          key={id}
          id={id}
          textValue={text}
          onAction={onAction}
          isDisabled={disabled === true}
          className={classNames('menu-item', danger && 'menu-item-danger')}
        >
          {icon && <Icon name={icon} size={18} />}
          {about === undefined ? (
            text
          ) : (
            <span className="menu-item-text">
              <span>{text}</span>
              <span className="menu-item-about">{about}</span>
            </span>
          )}
        </MenuItem>
      ))}
    </AriaMenu>
  )
}
