import type { ReactNode } from 'react'
import type { Action } from '../live/use-action.ts'
import { Button } from '../ui/button.tsx'
import { Form } from '../ui/fields/form.tsx'
import { Dialog, DialogButtons } from '../ui/overlays/dialog.tsx'
import { Problem } from '../ui/state.tsx'
import { useAdministrationWords } from '../words/administration.ts'

export interface FormDialogProps {
  title: string
  /** What its button says. */
  submit: string
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
  submit,
  action,
  isIncomplete = false,
  onClose,
  children,
}: FormDialogProps) {
  const { cancel } = useAdministrationWords()
  return (
    <Dialog title={title} isOpen held={action.busy} onClose={onClose}>
      <Form onSubmit={action.run} className="administration-form">
        {children}
        <Problem>{action.problem}</Problem>
        <DialogButtons>
          <Button isDisabled={action.busy} onPress={onClose}>
            {cancel}
          </Button>
          <Button type="submit" look="primary" busy={action.busy} isDisabled={isIncomplete}>
            {submit}
          </Button>
        </DialogButtons>
      </Form>
    </Dialog>
  )
}
