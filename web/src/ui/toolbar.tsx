import type { ReactNode } from 'react'
import { Toolbar as AriaToolbar } from 'react-aria-components/Toolbar'

/** Buttons that belong together: one stop for Tab, arrow keys lead from one to the next. */
export function Toolbar(props: { label: string; className: string; children: ReactNode }) {
  const { label, className, children } = props
  return (
    <AriaToolbar aria-label={label} className={className}>
      {children}
    </AriaToolbar>
  )
}
