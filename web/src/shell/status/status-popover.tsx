import { PopoverAt } from '../../ui/overlays/popover.tsx'
import { useShellWords } from '../../words/shell.ts'
import { SessionMenu } from '../session-menu.tsx'
import { StatusForm } from './status-form.tsx'

/** Beside oneself: how one appears, and the ways out. */
export function StatusPopover({ anchor, onClose }: { anchor: HTMLElement; onClose(): void }) {
  const { status: words } = useShellWords()
  return (
    <PopoverAt label={words.title} placement="top start" anchor={anchor} onClose={onClose}>
      <div className="status-form">
        <StatusForm onDone={onClose} />
        <SessionMenu onGo={onClose} />
      </div>
    </PopoverAt>
  )
}
