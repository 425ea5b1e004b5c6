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

export function Button({ look = 'plain', icon, small, wide, children, ...rest }: ButtonProps) {
  const name = classNames(
    'button',
    `button-${look}`,
    small && 'button-small',
    wide && 'button-wide',
    rest.busy && 'button-busy',
  )
  return (
    <NativeButton {...rest} className={name}>
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </NativeButton>
  )
}

export type IconButtonProps = Omit<ButtonProps, 'children' | 'icon' | 'wide'> & {
  icon: IconName
  label: string
  /** One of its words, shown below the picture where nothing tells what it points at. */
  word?: string
}

/** A button of one picture. Its name is read by screen readers. */
export function IconButton({ icon, label, word, look = 'quiet', small, ...rest }: IconButtonProps) {
  const name = iconButtonClass({ look, small, busy: rest.busy })
  return (
    <NativeButton {...rest} aria-label={label} title={label} className={name}>
      <Icon name={icon} />
      {word && (
        <span className="button-word" aria-hidden="true">
          {word}
        </span>
      )}
    </NativeButton>
  )
}

/** The browser's own button: it needs no more than a look, and is on the first page that anybody loads. */
function NativeButton({
  busy,
  isDisabled,
  onPress,
  type = 'button',
  ...rest
}: Native & Pick<ButtonProps, 'busy' | 'isDisabled' | 'onPress' | 'children'> & { className: string }) {
  return (
    <button
      {...rest}
      type={type}
      aria-disabled={busy || undefined}
      disabled={isDisabled === true}
      onClick={(event) => onPress?.(event.currentTarget)}
    />
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
