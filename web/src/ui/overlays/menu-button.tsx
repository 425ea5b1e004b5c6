import { Button } from 'react-aria-components/Button'
import { iconButtonClass } from '../button.tsx'
import { Icon, type IconName } from '../icon.tsx'

/** The button of a menu: it says that one opens, and whether it is open. */
export function MenuButton({ icon, label, busy }: { icon: IconName; label: string; busy?: boolean }) {
  return (
    <Button aria-label={label} className={iconButtonClass({ busy })}>
      <Icon name={icon} />
    </Button>
  )
}
