import { type FormEvent, type ReactNode, useRef } from 'react'
import { Dialog as AriaDialog } from 'react-aria-components/Dialog'
import { Heading } from 'react-aria-components/Heading'
import { Modal, ModalOverlay } from 'react-aria-components/Modal'
import { classNames } from '../class-names.ts'
import './dialog.css'

export interface DialogProps {
  title: string
  isOpen: boolean
  /** Escape, and a press outside: that one only while nothing was entered. */
  onClose(): void
  /** Asks about something that cannot be taken back: a press outside does not close it. */
  alert?: boolean
  /** Only its buttons close it: what it shows is shown once, or what it has begun is under way. */
  held?: boolean
  wide?: boolean
  children: ReactNode
}

/** Takes the focus, keeps it, and gives it back. Its buttons stand in a `DialogButtons`. */
export function Dialog({ title, isOpen, onClose, alert, held, wide, children }: DialogProps) {
  const { entered, onInput } = useEntered(isOpen)
  return (
    <ModalOverlay
      isOpen={isOpen}
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!alert && !held}
      isKeyboardDismissDisabled={held === true}
      shouldCloseOnInteractOutside={() => !entered.current}
      className="dialog-overlay"
    >
      <Modal className={classNames('dialog-frame', wide && 'dialog-wide')}>
        <AriaDialog className="dialog" role={alert ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          <div className="dialog-content" onInput={onInput}>
            {children}
          </div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  )
}

/** Whether there is something to lose. What is sought is none. */
function useEntered(isOpen: boolean) {
  const entered = useRef(false)
  if (!isOpen) entered.current = false
  const onInput = ({ target }: FormEvent<HTMLElement>) => {
    if (target instanceof HTMLInputElement && target.type === 'search') return
    entered.current = true
  }
  return { entered, onInput }
}

export function DialogButtons({ children }: { children: ReactNode }) {
  return <div className="dialog-buttons">{children}</div>
}
