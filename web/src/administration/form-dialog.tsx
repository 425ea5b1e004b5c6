import type { FormEvent, ReactNode } from 'react'
import type { Action } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'

export interface FormDialogProps {
  title: string
  /** Of its buttons. */
  words: { cancel: string; submit: string }
  action: Action<[]>
  /** Not everything that is needed is there. */
  isIncomplete?: boolean
  onClose(): void
  /** Its fields. */
  children: ReactNode
}

/** A form above the screen: it says what went wrong, and closes itself where it is given up. */
export function FormDialog({
  title,
  words,
  action,
  isIncomplete = false,
  onClose,
  children,
}: FormDialogProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void action.run()
  }
  return (
    <Dialog title={title} isOpen held={action.busy} onClose={onClose}>
      <form onSubmit={submit} className="administration-form">
        {children}
        <Problem>{action.problem}</Problem>
        <DialogButtons>
          <Button isDisabled={action.busy} onPress={onClose}>
            {words.cancel}
          </Button>
          <Button type="submit" look="primary" busy={action.busy} isDisabled={isIncomplete}>
            {words.submit}
          </Button>
        </DialogButtons>
      </form>
    </Dialog>
  )
}
