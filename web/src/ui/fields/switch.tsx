import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import './switch.css'

export interface SwitchProps {
  label: string
  /** Of which of several that are called the same: a screen reader says it behind the label. */
  of?: string
  /** A sentence below it. */
  hint?: string
  on: boolean
  onChange(on: boolean): void
  disabled?: boolean
  /** Under way: it keeps the focus, and stays as it is. */
  busy?: boolean
}

export function Switch({ label, of, hint, on, onChange, disabled, busy }: SwitchProps) {
  return (
    <AriaSwitch
      className="switch"
      isSelected={on}
      onChange={onChange}
      isDisabled={disabled === true}
      isReadOnly={busy === true}
    >
      <span className="switch-text">
        {label}
        {of !== undefined && <span className="visually-hidden"> {of}</span>}
        {hint !== undefined && <span className="switch-hint">{hint}</span>}
      </span>
      <span className="switch-track" aria-hidden="true" />
    </AriaSwitch>
  )
}
