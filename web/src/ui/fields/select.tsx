import { Button } from 'react-aria-components/Button'
import { Label } from 'react-aria-components/Label'
import { ListBox, ListBoxItem } from 'react-aria-components/ListBox'
import { Popover } from 'react-aria-components/Popover'
import { Select as AriaSelect, SelectValue } from 'react-aria-components/Select'
import { Icon } from '../icon.tsx'
import '../overlays/menu.css'
import '../overlays/popover.css'
import './select.css'

export interface SelectProps<Id extends string> {
  label: string
  /** Its label is not shown; a screen reader says it. */
  labelHidden?: boolean
  options: readonly { id: Id; label: string }[]
  value: Id
  onChange(value: Id): void
  disabled?: boolean
  /** Under way: it keeps the focus, and stays as it is. */
  busy?: boolean
}

export function Select<Id extends string>(props: SelectProps<Id>) {
  const { label, labelHidden, options, value, onChange, disabled, busy } = props
  return (
    <AriaSelect
      className="select"
      {...(labelHidden ? { 'aria-label': label } : {})}
      value={value}
      onChange={(next) => !busy && onChange(next as Id)}
      isDisabled={disabled === true}
    >
      {!labelHidden && <Label className="select-label">{label}</Label>}
      <Button className="select-button">
        <SelectValue />
        <Icon name="down" size={16} />
      </Button>
      <Popover className="popover">
        <ListBox className="menu" items={options}>
          {({ id, label: text }) => (
            <ListBoxItem id={id} textValue={text} className="menu-item">
              {text}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  )
}
