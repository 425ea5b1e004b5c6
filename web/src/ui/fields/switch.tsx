import { Switch as AriaSwitch } from 'react-aria-components/Switch'
import './switch.css'

export interface SwitchProps {
  label: string
  /** A sentence below it. */
  hint?: string
  on: boolean
  onChange(on: boolean): void
  disabled?: boolean
}

export function Switch({ label, hint, on, onChange, disabled }: SwitchProps) {
  return (
    <AriaSwitch className="switch" isSelected={on} onChange={onChange} isDisabled={disabled === true}>
      <span className="switch-text">
        {label}
        {hint !== undefined && <span className="switch-hint">{hint}</span>}
      </span>
      <span className="switch-track" aria-hidden="true" />
    </AriaSwitch>
  )
}
