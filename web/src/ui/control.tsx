import type { Ref } from 'react'
import { Button as AriaButton } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import './control.css'

export interface ControlButtonProps {
  icon: IconName
  label: string
  /** One of its words, for where there is no room for the others. */
  word?: string
  /** The one key that does the same. */
  shortcut?: string
  /** Something is off that others would expect. */
  isOff?: boolean
  isOn?: boolean
  isDanger?: boolean
  /** It opens something beside it. */
  isExpanded?: boolean
  /** How much waits there, and that in words. */
  count?: number
  countLabel?: string
  buttonRef?: Ref<HTMLButtonElement>
  onPress(): void
}

/** A button of the bar below the stage, with its key. */
export function ControlButton(props: ControlButtonProps) {
  const { icon, label, word, shortcut, isOff, isOn, isDanger, isExpanded, onPress } = props
  const { count = 0, countLabel, buttonRef } = props
  return (
    <button
      ref={buttonRef}
      type="button"
      className={classNames(
        'control',
        isOff && 'control-off',
        isOn && 'control-on',
        isDanger && 'control-danger',
      )}
      aria-keyshortcuts={shortcut}
      aria-expanded={isExpanded}
      onClick={onPress}
    >
      <Icon name={icon} size={22} />
      <span className={classNames('control-label', word !== undefined && 'control-label-long')}>{label}</span>
      {word !== undefined && (
        <span className="control-word" aria-hidden="true">
          {word}
        </span>
      )}
      {count > 0 && (
        <span className="control-count">
          <span aria-hidden="true">{count > 99 ? '99+' : count}</span>
          <span className="visually-hidden">{countLabel}</span>
        </span>
      )}
      {shortcut && (
        <span className="control-key" aria-hidden="true">
          {shortcut.startsWith('Shift+') && <ShiftSign />}
          {shortcut.replace('Shift+', '')}
        </span>
      )}
    </button>
  )
}

/** Fonts of many machines have none. */
function ShiftSign() {
  return (
    <svg viewBox="0 0 10 10" width="9" height="9" aria-hidden="true">
      <path d="M5 1 9 5H7v4H3V5H1z" fill="none" stroke="currentColor" strokeWidth="1.2" />
    </svg>
  )
}

/** One that opens a popover. */
export function ControlTrigger({ icon, label }: { icon: IconName; label: string }) {
  return (
    <AriaButton className="control">
      <Icon name={icon} size={22} />
      <span className="control-label">{label}</span>
    </AriaButton>
  )
}
