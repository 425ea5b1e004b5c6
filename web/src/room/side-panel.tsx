import { type ReactNode, useEffect, useRef } from 'react'
import { IconButton } from '../ui/button.tsx'
import './side-panel.css'

export interface SidePanelProps {
  title: string
  closeLabel: string
  /** Something within takes the escape key for itself. */
  keepsEscape?: boolean
  onClose(): void
  children: ReactNode
}

/** Over the right of the stage; over all of it in a small window. */
export function SidePanel({ title, closeLabel, keepsEscape = false, onClose, children }: SidePanelProps) {
  const panel = useRef<HTMLElement>(null)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    // what is there to be filled in has taken the focus itself
    if (!panel.current?.contains(document.activeElement)) heading.current?.focus({ preventScroll: true })
  }, [])
  return (
    <section
      ref={panel}
      className="side-panel"
      aria-label={title}
      onKeyDown={({ key }) => key === 'Escape' && !keepsEscape && onClose()}
    >
      <div className="side-panel-head">
        <h2 ref={heading} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label={closeLabel} small onPress={onClose} />
      </div>
      {children}
    </section>
  )
}
