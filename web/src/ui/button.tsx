import type { ButtonHTMLAttributes, ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import './button.css'

type Native = Omit<
  ButtonHTMLAttributes<HTMLButtonElement>,
  'className' | 'style' | 'children' | 'onClick' | 'disabled'
>

export interface ButtonProps extends Native {
  /** `primary`: the one thing to do here. `quiet`: without a frame. `danger`: cannot be taken back. */
  look?: 'plain' | 'primary' | 'quiet' | 'danger'
  icon?: IconName
  small?: boolean
  wide?: boolean
  /** Under way: it shows so and keeps the focus, and pressing it does nothing (`useAction`). */
  busy?: boolean
  isDisabled?: boolean
  /** @param pressed the button itself, for what opens beside it */
  onPress?(pressed: HTMLElement): void
  children?: ReactNode
}

/** The browser's own button: it needs no more than a look, and is on the first page that anybody loads. */
export function Button(props: ButtonProps) {
  const {
    look = 'plain',
    icon,
    small,
    wide,
    busy,
    isDisabled,
    onPress,
    children,
    type = 'button',
    ...rest
  } = props
  const name = classNames(
    'button',
    `button-${look}`,
    small && 'button-small',
    wide && 'button-wide',
    busy && 'button-busy',
  )
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      disabled={isDisabled === true}
      onClick={(event) => onPress?.(event.currentTarget)}
      className={name}
    >
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'wide'> & {
  icon: IconName
  label: string
  /** One of its words, shown below the picture where nothing tells what it points at. */
  word?: string
}

/** A button of one picture. Its name is read by screen readers. */
export function IconButton(props: IconButtonProps) {
  const {
    icon,
    label,
    word,
    look = 'quiet',
    small,
    busy,
    isDisabled,
    onPress,
    type = 'button',
    ...rest
  } = props
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      disabled={isDisabled === true}
      onClick={(event) => onPress?.(event.currentTarget)}
      aria-label={label}
      title={label}
      className={iconButtonClass({ look, small, busy })}
    >
      <Icon name={icon} />
      {word && (
        <span className="button-word" aria-hidden="true">
          {word}
        </span>
      )}
    </button>
  )
}

interface IconButtonLook {
  look?: ButtonProps['look']
  small?: boolean | undefined
  busy?: boolean | undefined
}

/** For buttons of the components library that look like it. */
export function iconButtonClass({ look = 'quiet', small, busy }: IconButtonLook): string {
  return classNames('button', 'button-icon', `button-${look}`, small && 'button-small', busy && 'button-busy')
}
