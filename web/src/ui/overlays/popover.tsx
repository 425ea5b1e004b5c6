import type { ReactNode } from 'react'
import { Dialog as AriaDialog, DialogTrigger } from 'react-aria-components/Dialog'
import { Popover as AriaPopover } from 'react-aria-components/Popover'
import './popover.css'

type Placement = 'bottom start' | 'bottom end' | 'top start' | 'top end' | 'right top'

export interface PopoverProps {
  /** Its name. */
  label: string
  /** The button that opens it. */
  trigger: ReactNode
  placement?: Placement
  children: ReactNode | ((tools: { close(): void }) => ReactNode)
}

/** A small dialog beside its button: escape and a press elsewhere close it. */
export function Popover({ label, trigger, placement = 'bottom start', children }: PopoverProps) {
  return (
    <DialogTrigger>
      {trigger}
      <AriaPopover className="popover" placement={placement}>
        <AriaDialog className="popover-dialog" aria-label={label}>
          {({ close }) => <>{typeof children === 'function' ? children({ close }) : children}</>}
        </AriaDialog>
      </AriaPopover>
    </DialogTrigger>
  )
}

export interface PopoverAtProps {
  label: string
  /** What it stands beside. */
  anchor: HTMLElement
  placement?: Placement
  onClose(): void
  children: ReactNode
}

/** From the edges of the window, or from its scroll bar. */
const PADDING = 12

/** The same, beside something that has been pressed already: one for many that could open it. */
export function PopoverAt({ label, anchor, placement = 'bottom start', onClose, children }: PopoverAtProps) {
  return (
    <AriaPopover
      className="popover"
      placement={placement}
      containerPadding={PADDING + innerWidth - document.documentElement.clientWidth}
      triggerRef={{ current: anchor }}
      isOpen
      onOpenChange={(open) => !open && onClose()}
    >
      <AriaDialog className="popover-dialog" aria-label={label}>
        {children}
      </AriaDialog>
    </AriaPopover>
  )
}
