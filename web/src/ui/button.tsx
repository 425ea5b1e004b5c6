import type { ReactNode } from 'react'
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import './button.css'

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'style' | 'children'> {
  /** `primary`: the one thing to do here. `quiet`: without a frame. `danger`: cannot be taken back. */
  look?: 'plain' | 'primary' | 'quiet' | 'danger'
  icon?: IconName
  small?: boolean
  wide?: boolean
  /** Under way: it shows so and keeps the focus. `useAction` does nothing twice. */
  busy?: boolean
  children?: ReactNode
}

export function Button({ look = 'plain', icon, small, wide, busy, children, ...rest }: ButtonProps) {
  const name = classNames(
    'button',
    `button-${look}`,
    small && 'button-small',
    wide && 'button-wide',
    busy && 'button-busy',
  )
  return (
    <AriaButton {...rest} className={name}>
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </AriaButton>
  )
}

/** A button of one picture, with its name for whoever cannot see it. */
export function IconButton({
  icon,
  label,
  look = 'quiet',
  ...rest
}: Omit<ButtonProps, 'children' | 'icon'> & { icon: IconName; label: string }) {
  const { small, wide: _, busy, ...more } = rest
  return (
    <AriaButton
      {...more}
      aria-label={label}
      className={classNames(
        'button',
        'button-icon',
        `button-${look}`,
        small && 'button-small',
        busy && 'button-busy',
      )}
    >
      <Icon name={icon} />
    </AriaButton>
  )
}
