import type { ReactNode } from 'react'
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
  return (
    <section
      className="side-panel"
      aria-label={title}
      onKeyDown={({ key }) => key === 'Escape' && !keepsEscape && onClose()}
    >
      <div className="side-panel-head">
        <h2>{title}</h2>
        <IconButton icon="close" label={closeLabel} small onPress={onClose} />
      </div>
      {children}
    </section>
  )
}
