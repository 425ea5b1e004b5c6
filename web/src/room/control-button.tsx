import { classNames } from '../ui/class-names.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

export interface ControlButtonProps {
  icon: IconName
  label: string
  /** The one key that does the same. */
  shortcut?: string
  /** Something is off that others would expect. */
  isOff?: boolean
  isOn?: boolean
  isDanger?: boolean
  /** It opens something beside it. */
  isExpanded?: boolean
  onPress(): void
}

/** A button of the bar below the stage, with its key. */
export function ControlButton(props: ControlButtonProps) {
  const { icon, label, shortcut, isOff, isOn, isDanger, isExpanded, onPress } = props
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
      aria-expanded={isExpanded}
      onClick={onPress}
    >
      <Icon name={icon} size={22} />
      <span className="control-label">{label}</span>
      {shortcut && (
        <kbd className="control-key" aria-hidden="true">
          {shortcut.toUpperCase()}
        </kbd>
      )}
    </button>
  )
}
