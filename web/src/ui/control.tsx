import { Button as AriaButton } from 'react-aria-components/Button'
import { classNames } from './class-names.ts'
import { Icon, type IconName } from './icon.tsx'
import './control.css'

export interface ControlButtonProps {
  icon: IconName
  label: string
  /** One of its words: that is shown, and the others are said. */
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
  onPress(): void
}

/** A button of the bar below the stage; its key is told beside it. */
export function ControlButton(props: ControlButtonProps) {
  const { icon, label, word, shortcut, isOff, isOn, isDanger, isExpanded, onPress } = props
  const { count = 0, countLabel } = props
  return (
    <button
      type="button"
      className={classNames(
        'control',
        isOff && 'control-off',
        isOn && 'control-on',
        isDanger && 'control-danger',
      )}
      aria-keyshortcuts={shortcut}
      title={shortcut ? `${label} (${shortcut})` : undefined}
      aria-expanded={isExpanded}
      onClick={onPress}
    >
      <Icon name={icon} size={22} />
      <span className={word === undefined ? 'control-label' : 'visually-hidden'}>{label}</span>
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
    </button>
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
