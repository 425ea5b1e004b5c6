import type { ReactNode } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from '../class-names.ts'
import './dialog.css'

export interface DialogProps {
  title: string
  isOpen: boolean
  /** Escape, and a press outside. */
  onClose(): void
  /** Asks about something that cannot be taken back: only its buttons close it. */
  alert?: boolean
  wide?: boolean
  children: ReactNode
}

/** Takes the focus, keeps it, and gives it back. Its buttons stand in a `DialogButtons`. */
export function Dialog({ title, isOpen, onClose, alert, wide, children }: DialogProps) {
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!alert}
      className="dialog-overlay"
    >
      <Modal className={classNames('dialog-frame', wide && 'dialog-wide')}>
        <AriaDialog className="dialog" role={alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="dialog-buttons">{children}</div>
}
