import type { ReactNode } from 'react'
import { classNames } from '../ui/class-names.ts'
import { Icon, type IconName } from '../ui/icon.tsx'

/** Something to know or to decide, above the stage. */
export function Banner({
  icon,
  tone = 'plain',
  text,
  children,
}: {
  icon: IconName
  tone?: 'plain' | 'warning' | 'danger'
  text: string
  children?: ReactNode
}) {
  return (
    <div className={classNames('banner', `banner-${tone}`)}>
      <Icon name={icon} />
      <span className="banner-text">{text}</span>
      {children && <span className="banner-buttons">{children}</span>}
    </div>
  )
}
